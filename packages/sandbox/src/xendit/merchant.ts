import { hash } from 'node:crypto'
import { type Answer, refusal, validationRefusal } from './errors.ts'

// Each secret key that matches this pattern belongs to a separate merchant, even if it was never registered.
// Registration only sets the address for the merchant's notifications.
const secretKeyForm = /^xnd_(?:development|production)_[\x21-\x39\x3b-\x7e]{1,200}$/

export function isSecretKey(text: string): boolean {
  return secretKeyForm.test(text)
}

/**
 * Reads the secret key from `Basic base64(secret_key + ":")`. A missing key and a wrong key return different
 * errors.
 */
export function callerOf(authorization: string | undefined): { key: string } | { refused: Answer } {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '')?.[1] ?? ''
  const [key = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  if (!authorization || (encoded && key === '')) {
    const message = '"api_key" is not allowed to be empty'
    return { refused: validationRefusal('joi', [{ path: ['api_key'], message, type: 'any.empty' }]) }
  }
  if (!isSecretKey(key) || password.length !== 1 || password[0] !== '')
    return { refused: refusal('INVALID_API_KEY') }
  return { key }
}

/** Returns the account's webhook verification token, which is fixed for each account, as on Xendit's dashboard. */
export function callbackTokenOf(secretKey: string): string {
  return hash('sha256', `xendit callback token ${secretKey}`).slice(0, 48)
}

/** Derives the business ID, 24 hexadecimal digits, from the secret key. */
export function businessIdOf(secretKey: string): string {
  return hash('sha256', `xendit business ${secretKey}`).slice(0, 24)
}
