import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

// A Duitku signature is the hexadecimal hash of several fields, joined without a separator. Since April 2026, the hash
// is an HMAC-SHA256 with the API key (docs.duitku.com/api). The official libraries still use the older MD5 of the
// fields and the key. A merchant setting selects the method.

export type Signing = { api_key?: string; signature?: string }

const isMd5 = ({ signature }: Signing): boolean => signature === 'md5'

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')
const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')

/** Signs a create request, a status request or a callback. */
export function signatureOf(merchant: Signing, text: string): string {
  const { api_key = '' } = merchant
  return isMd5(merchant) ? hash('md5', text + api_key) : hmac(api_key, text)
}

/**
 * Signs a request for the list of payment methods. A merchant whose other requests are signed with MD5 uses
 * SHA-256 for this one.
 */
export function listSignatureOf(merchant: Signing, text: string): string {
  const { api_key = '' } = merchant
  return isMd5(merchant) ? hash('sha256', text + api_key) : hmac(api_key, text)
}

export function isEqual(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
