// Duitku's signatures. Each signature is the lowercase hex hash of several values, joined without a separator
// (docs.duitku.com/api). For requests, the field `signature` of the account's credentials selects the
// algorithm: HMAC-SHA256 with the API key, or MD5 over the values followed by the API key.

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
 * Returns why a callback is rejected, or undefined if it was signed with the project's key. The callback's
 * merchantCode must equal the account's. Otherwise, a digit could move between merchantCode and amount without
 * changing the signature, because the signed values are joined without a separator.
 *
 * Both signature algorithms are accepted, because Duitku accepts both in requests and does not document how it chooses
 * the algorithm for callbacks. Accepting the weaker one cannot cause a credit, because a callback alone never proves a
 * payment.
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
