// Hex HMAC-SHA256 under the private key (tripay.co.id/developer): of a create over merchant code, reference and
// amount joined without a separator; of a callback over the body's exact bytes. Their sample for Node hashes the
// parsed and written body, which other white space or another escape would break.

import { createHmac } from 'node:crypto'
import { isEqualSecret } from '../../equal.ts'

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
