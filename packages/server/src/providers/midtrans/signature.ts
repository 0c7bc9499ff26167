// A notification's signature_key is SHA-512(order_id + status_code + gross_amount + server_key) in lowercase hex
// (docs.midtrans.com/reference/handle-notifications). It does not cover transaction_status and fraud_status.
// translate.ts trusts them only if they agree with status_code.

import { createHash } from 'node:crypto'
import { isEqualSecret } from '../../values/equal-secret.ts'
import { parseProviderJson } from '../provider.ts'

const signed = ['order_id', 'status_code', 'gross_amount'] as const
type SignedFields = Record<(typeof signed)[number], string> & { signature_key: string }

/**
 * Returns the signed fields, spelled exactly as in the body, and the signature. Returns undefined if a field is
 * missing, or if the status code does not have three digits. The fields are joined without a separator, so a forged
 * notification could otherwise move a digit from one signed field to another.
 */
export function signedFields(body: Buffer): SignedFields | undefined {
  const message = parseProviderJson(body)
  if (typeof message !== 'object' || message === null) return undefined
  const { signature_key } = message as Record<string, unknown>
  const [order_id, status_code, gross_amount] = signed.map(field => spellingOf(message, field, body))
  if (typeof signature_key !== 'string' || order_id === undefined || gross_amount === undefined)
    return undefined
  if (status_code === undefined || !/^ *\d{3} *$/.test(status_code)) return undefined
  return { order_id, status_code, gross_amount, signature_key }
}

/**
 * Returns a field's value as Midtrans signed it: text unchanged, and a number with its digits from the body,
 * such as `10000.00`. Digits of a nested field with the same name are used only if that field has the same
 * value.
 */
function spellingOf(message: object, field: string, body: Buffer): string | undefined {
  const value = (message as Record<string, unknown>)[field]
  if (typeof value === 'string') return value
  if (typeof value !== 'number') return undefined
  const spellings = body.toString().matchAll(new RegExp(`"${field}"\\s*:\\s*([-+.\\deE]+)`, 'g'))
  return [...spellings].map(([, digits]) => digits).findLast(digits => Number(digits) === value)
}

export function signatureOf(
  message: { order_id: string; status_code: string; gross_amount: string },
  serverKey: string,
): string {
  return createHash('sha512')
    .update(message.order_id + message.status_code + message.gross_amount + serverKey)
    .digest('hex')
}

export function signatureHolds(
  message: { order_id: string; status_code: string; gross_amount: string; signature_key: string },
  serverKey: string,
): boolean {
  return isEqualSecret(message.signature_key, signatureOf(message, serverKey))
}
