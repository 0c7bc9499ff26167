// SDK calls accept a payment code, such as GP261120-7Q4M2ZK8XW. The API's paths and some filters accept only
// the payment's ID, so the SDK first looks up the ID.

import type { Parts } from './request.ts'

const paymentCode = /^GP\d{6}-[0-9A-HJKMNP-TV-Z]{10}$/i

/**
 * Searches the tenant's payments for a payment code. The result may also include other payments that match the same
 * text.
 */
export type FindPayments = (code: string) => PromiseLike<{ items: { id: string; payment_code: string }[] }>

/**
 * Replaces a payment code in the path or the `payment_id` filter with the payment's ID. An unknown code is sent
 * unchanged, so that the service's error names it.
 */
export async function withPaymentId(parts: Parts, find: FindPayments): Promise<Parts> {
  for (const part of ['path', 'query'] as const) {
    const code = parts[part]?.payment_id
    if (typeof code !== 'string' || !paymentCode.test(code)) continue
    const { items } = await find(code)
    const found = items.find(payment => payment.payment_code === code.toUpperCase())
    if (found) return { ...parts, [part]: { ...parts[part], payment_id: found.id } }
  }
  return parts
}
