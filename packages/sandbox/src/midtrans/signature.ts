import { hash } from 'node:crypto'

/**
 * Returns the SHA-512 hash of the order ID, the status code, the gross amount and the server key. The first three
 * values must be exactly as in the message. The signature covers no other fields, such as transaction_status or
 * fraud_status.
 */
export function signatureKey(
  orderId: string,
  statusCode: string,
  grossAmount: string,
  serverKey: string,
): string {
  return hash('sha512', `${orderId}${statusCode}${grossAmount}${serverKey}`)
}
