import type { Merchant } from '../merchants.ts'
import type { Sandbox } from '../provider.ts'
import { type Answer, refusals } from './errors.ts'
import { isEqual, signatureOf } from './signature.ts'

/** Finds the merchant by its code and verifies that the request's signature covers the text `signed`. */
export function authenticated(
  sandbox: Sandbox,
  request: { merchantCode?: string | undefined; signature?: string | undefined },
  signed: string,
  sign: typeof signatureOf = signatureOf,
): { merchant: Merchant } | { refused: Answer } {
  const { merchantCode = '', signature = '' } = request
  const merchant = sandbox.merchants.find('duitku', merchantCode)
  if (!merchant) return { refused: refusals.merchantNotFound }
  return isEqual(sign(merchant.credentials, signed), signature)
    ? { merchant }
    : { refused: refusals.wrongSignature }
}
