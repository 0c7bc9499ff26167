import { hash } from 'node:crypto'

/**
 * SHA512 over the values byte for byte as the message carries them. It covers nothing else: not the
 * transaction status, not the fraud status.
 */
export function signatureKey(
  orderId: string,
  statusCode: string,
  grossAmount: string,
  serverKey: string,
): string {
  return hash('sha512', `${orderId}${statusCode}${grossAmount}${serverKey}`)
}
