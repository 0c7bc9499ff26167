import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Requests and callbacks are signed with hexadecimal HMAC-SHA256, using the merchant's private key
 * (tripay.co.id/developer).
 */
export function signatureOf(privateKey: string, text: string): string {
  return createHmac('sha256', privateKey).update(text).digest('hex')
}

export function isSignedBy(privateKey: string, text: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(privateKey, text))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
