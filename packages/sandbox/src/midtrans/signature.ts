import { hash } from 'node:crypto'

/**
 * SHA-512 over the values exactly as they appear in the message. It covers nothing else, in particular neither
 * transaction_status nor fraud_status.
 */
export function signatureKey(
  orderId: string,
  statusCode: string,
  grossAmount: string,
  serverKey: string,
): string {
  return hash('sha512', `${orderId}${statusCode}${grossAmount}${serverKey}`)
}
