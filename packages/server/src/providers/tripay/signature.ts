// Tripay's signatures: hex HMAC-SHA256 with the private key (tripay.co.id/developer). A callback's signature covers
// the exact bytes of its body. Tripay's Node sample instead signs the body after serializing it again, which fails if
// whitespace or escapes differ.

import { createHmac } from 'node:crypto'
import { isEqualSecret } from '../../values/equal-secret.ts'

const hmac = (key: string, text: string | Buffer): string =>
  createHmac('sha256', key).update(text).digest('hex')

export const requestSignature = (
  { merchant_code, private_key }: { merchant_code: string; private_key: string },
  merchantRef: string,
  amountRupiah: bigint,
): string => hmac(private_key, `${merchant_code}${merchantRef}${amountRupiah}`)

export function signatureHolds(body: Buffer, given: string | undefined, privateKey: string): boolean {
  return isEqualSecret(given ?? '', hmac(privateKey, body))
}
