// SNAP's signatures, in base64 (docs.midtrans.com/reference/signature-generation; developers.doku.com
// signature-component/snap).

import { createHash, createHmac, sign, verify } from 'node:crypto'
import { isEqualSecret } from '../../values/equal-secret.ts'

/** The signed parts of a request or a notification. */
export type Signed = { path: string; body: Buffer; timestamp: string }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Returns the positions of all bytes in a JSON text except whitespace outside strings. */
export function significant(json: Buffer): number[] {
  const kept: number[] = []
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number
    if (inString && byte === BACKSLASH && at + 1 < json.length) {
      kept.push(at++, at)
      continue
    }
    if (byte === QUOTE) inString = !inString
    if (inString || !whiteSpace.has(byte)) kept.push(at)
  }
  return kept
}

/**
 * Removes whitespace outside strings. The JSON is not parsed, because the order of keys and the spelling of values
 * must stay exactly as signed.
 */
export const minify = (json: Buffer): Buffer =>
  Buffer.from(significant(json).map(position => json[position] as number))

const hashOf = (body: Buffer): string => createHash('sha256').update(minify(body)).digest('hex')

/** Returns a token request's signature: SHA256withRSA of `client_id|timestamp`, PKCS#1 v1.5. */
export const tokenSignature = (privateKey: string, clientId: string, timestamp: string): string =>
  sign('sha256', Buffer.from(`${clientId}|${timestamp}`), privateKey).toString('base64')

export const tokenSignatureHolds = (
  publicKey: string,
  clientId: string,
  timestamp: string,
  signature: string,
): boolean => rsaHolds(publicKey, `${clientId}|${timestamp}`, signature)

export const hmacSignature = (secret: string, text: string): string =>
  createHmac('sha512', secret).update(text).digest('base64')

/**
 * Returns the HMAC signature for a message: a request to the acquirer, or a notification that is signed in
 * the same way. The SNAP standard calls this signature the "symmetric signature".
 */
export const transactionSignature = (
  secret: string,
  token: string,
  { path, body, timestamp }: Signed,
): string => hmacSignature(secret, `POST:${path}:${token}:${hashOf(body)}:${timestamp}`)

export function transactionSignatureHolds(
  secret: string,
  token: string,
  signed: Signed,
  signature: string,
): boolean {
  // The signatures are compared as text. Decoding them first would also accept other base64 spellings of the
  // same signature, and only the standard encoding is allowed.
  return isEqualSecret(signature, transactionSignature(secret, token, signed))
}

/** Verifies a notification with an RSA signature (the standard's "asymmetric signature"). */
export const notificationSignatureHolds = (
  publicKey: string,
  { path, body, timestamp }: Signed,
  signature: string,
): boolean => rsaHolds(publicKey, `POST:${path}:${hashOf(body)}:${timestamp}`, signature)

function rsaHolds(publicKey: string, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64')
  // Node's base64 decoder skips invalid characters, so different base64 texts would decode to the same valid signature.
  // Only the signature's standard base64 text is accepted.
  if (bytes.toString('base64') !== signature) return false
  return verify('sha256', Buffer.from(text), publicKey, bytes)
}
