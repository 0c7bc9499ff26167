// Calls accept a payment code, such as GP261120-7Q4M2ZK8XW, wherever they accept the id of a payment. The API's paths
// take only the id, so the SDK looks it up first.

import type { Parts } from './request.ts'

const paymentCode = /^GP\d{6}-[0-9A-HJKMNP-TV-Z]{10}$/i

/** Lists the payments that match a code. */
export type FindPayments = (code: string) => PromiseLike<{ items: { id: string; payment_code: string }[] }>

/**
 * Returns the request with the payment's id in place of its code. An unknown code is sent unchanged, and the service
 * returns an error that names the code.
 */
export async function withPaymentId(parts: Parts, find: FindPayments): Promise<Parts> {
  const code = parts.path?.payment_id
  if (typeof code !== 'string' || !paymentCode.test(code)) return parts
  const { items } = await find(code)
  const found = items.find(payment => payment.payment_code === code.toUpperCase())
  return found ? { ...parts, path: { ...parts.path, payment_id: found.id } } : parts
}
