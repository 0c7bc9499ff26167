// Duitku's signatures. Each is the lowercase hex hash of values joined without a separator (docs.duitku.com/api).
// The algorithm is HMAC-SHA256 with the API key, or MD5 over the values followed by the API key.

import { createHash, createHmac } from 'node:crypto'
import { isEqualSecret } from '../../values/equal-secret.ts'
import type { Rejection } from '../rejection.ts'
import { algorithms, type Credentials } from './credentials.ts'

export function signatureOf(
  { api_key, signature }: Pick<Credentials, 'api_key' | 'signature'>,
  values: string[],
): string {
  const text = values.join('')
  return signature === 'md5'
    ? createHash('md5').update(`${text}${api_key}`).digest('hex')
    : createHmac('sha256', api_key).update(text).digest('hex')
}

/**
 * Returns why a callback is rejected, or undefined if it was signed with the project's key. The merchantCode must
 * be ours. Otherwise, a digit could move between merchantCode and amount without changing the signature.
 *
 * Either algorithm is accepted, because Duitku accepts both in requests and does not document how it chooses the one
 * for callbacks. A callback never proves a payment, so the weaker algorithm cannot credit money.
 */
export function forgeryOf(credentials: Credentials, form: URLSearchParams): Rejection | undefined {
  const signed = ['merchantCode', 'amount', 'merchantOrderId', 'signature']
  const repeated = signed.find(name => form.getAll(name).length !== 1)
  if (repeated !== undefined) return `${repeated} is missing or repeated`
  const [merchantCode, amount, merchantOrderId, signature] = signed.map(name => form.get(name) ?? '') as [
    string,
    string,
    string,
    string,
  ]
  if (merchantCode !== credentials.merchant_code) return 'merchantCode is not ours'
  const isSigned = algorithms.some(each =>
    isEqualSecret(
      signature,
      signatureOf({ ...credentials, signature: each }, [merchantCode, amount, merchantOrderId]),
    ),
  )
  return isSigned ? undefined : 'signature is wrong'
}
