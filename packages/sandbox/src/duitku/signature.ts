import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

// Duitku's signatures are lowercase hexadecimal hashes of concatenated fields without a separator. Since April 2026
// Duitku uses HMAC-SHA256 with the API key (docs.duitku.com/api). Before April 2026, Duitku used MD5 over the text with
// the key appended, and the official libraries still use MD5. A setting of the merchant's account selects the method.

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
 * Signs the request for the list of payment methods. This signature uses SHA-256 if the merchant's other requests use
 * MD5.
 */
export function listSignatureOf(merchant: Signing, text: string): string {
  const { api_key = '' } = merchant
  return isMd5(merchant) ? hash('sha256', text + api_key) : hmac(api_key, text)
}

export function isEqual(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
