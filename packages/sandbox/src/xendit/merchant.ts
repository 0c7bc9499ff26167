import { hash } from 'node:crypto'
import { type Answer, refusal, validationRefusal } from './errors.ts'

// Any key of the right form is a merchant of its own. Registering only tells where it wants to be notified.
const secretKeyForm = /^xnd_(?:development|production)_[\x21-\x39\x3b-\x7e]{1,200}$/

export function isSecretKey(text: string): boolean {
  return secretKeyForm.test(text)
}

/** The secret key of `Basic base64(secret_key + ":")`. No key at all is a validation error, a wrong one is not. */
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

/** What Xendit's dashboard shows as the webhook verification token: fixed for an account. */
export function callbackTokenOf(secretKey: string): string {
  return hash('sha256', `xendit callback token ${secretKey}`).slice(0, 48)
}

/** 24 hexadecimal digits, always the same for one key. */
export function businessIdOf(secretKey: string): string {
  return hash('sha256', `xendit business ${secretKey}`).slice(0, 24)
}
