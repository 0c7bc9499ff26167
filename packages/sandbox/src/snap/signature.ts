import { createHmac, createVerify, hash, sign as signWith, timingSafeEqual } from 'node:crypto'

// Signatures for SNAP, the Indonesian standard for payment APIs. Sources: docs.midtrans.com signature-generation
// and DOKU's signature pages. The signature covers the minified body, so whitespace between the body's tokens does
// not matter.

/** Removes the whitespace between the tokens of a JSON text. Key order and value spelling stay the same. */
export function minified(text: string): string {
  return text.replace(/("(?:\\.|[^"\\])*")|\s+/g, (_, quoted: string | undefined) => quoted ?? '')
}

function bodyHash(text: string): string {
  return hash('sha256', minified(text))
}

export type Signed = { method: string; path: string; body: string; timestamp: string }

/** Returns a call's base64-encoded HMAC-SHA512 signature, which also covers the access token. */
export function transactionSignature(secret: string, token: string, signed: Signed): string {
  return createHmac('sha512', secret).update(transactionText(token, signed)).digest('base64')
}

export function transactionText(token: string, { method, path, body, timestamp }: Signed): string {
  return `${method}:${path}:${token}:${bodyHash(body)}:${timestamp}`
}

/**
 * Signs a notification from Midtrans to a merchant. Unlike a merchant's request, a notification contains no access
 * token that the signature could cover.
 */
export function notificationSignature(privateKey: string, signed: Signed): string {
  return rsaSignature(privateKey, notificationText(signed))
}

export function notificationText({ method, path, body, timestamp }: Signed): string {
  return `${method}:${path}:${bodyHash(body)}:${timestamp}`
}

/** Signs a request for an access token. */
export function tokenSignature(privateKey: string, clientId: string, timestamp: string): string {
  return rsaSignature(privateKey, `${clientId}|${timestamp}`)
}

export function isTokenSignature(
  publicKey: string,
  clientId: string,
  timestamp: string,
  signature: string,
): boolean {
  return createVerify('sha256').update(`${clientId}|${timestamp}`).verify(publicKey, signature, 'base64')
}

export function isSame(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Changes the first character of a signature. The result is invalid, but it is still base64 of the same length.
 * Changing only the case of the character would not be enough, because DOKU's official client ignores letter case.
 */
export function forged(signature: string): string {
  return (/^a/i.test(signature) ? 'B' : 'A') + signature.slice(1)
}

function rsaSignature(privateKey: string, text: string): string {
  return signWith('sha256', Buffer.from(text), privateKey).toString('base64')
}
