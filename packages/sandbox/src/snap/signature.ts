import { createHmac, createVerify, hash, sign as signWith, timingSafeEqual } from 'node:crypto'

// The signatures of the SNAP standard as docs.midtrans.com signature-generation and DOKU's signature pages write
// them down. The hash is over the minified body: what is sent may be indented, what is signed is not.

/** Drops the white space between JSON's tokens; order and spelling stay, so a body is never written anew. */
export function minified(text: string): string {
  return text.replace(/("(?:\\.|[^"\\])*")|\s+/g, (_, quoted: string | undefined) => quoted ?? '')
}

function bodyHash(text: string): string {
  return hash('sha256', minified(text))
}

export type Signed = { method: string; path: string; body: string; timestamp: string }

/** The keyed signature of a call, base64 of HMAC-SHA512; the token is part of what it covers. */
export function transactionSignature(secret: string, token: string, signed: Signed): string {
  return createHmac('sha512', secret).update(transactionText(token, signed)).digest('base64')
}

export function transactionText(token: string, { method, path, body, timestamp }: Signed): string {
  return `${method}:${path}:${token}:${bodyHash(body)}:${timestamp}`
}

/** What Midtrans signs a notification with: no token was ever issued to it. */
export function notificationSignature(privateKey: string, signed: Signed): string {
  return rsaSignature(privateKey, notificationText(signed))
}

export function notificationText({ method, path, body, timestamp }: Signed): string {
  return `${method}:${path}:${bodyHash(body)}:${timestamp}`
}

/** What asks for a token is signed with. */
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

/** One character off at the front: still base64 of the right length. */
export function forged(signature: string): string {
  return (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
}

function rsaSignature(privateKey: string, text: string): string {
  return signWith('sha256', Buffer.from(text), privateKey).toString('base64')
}
