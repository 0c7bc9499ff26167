// Creates Midtrans orders, accounts, and callbacks for tests.

import type { Credentials } from '../../src/providers/midtrans/credentials.ts'
import { signatureOf } from '../../src/providers/midtrans/signature.ts'
import {
  type Charge,
  type ProviderAccount,
  ProviderError,
  type ProviderErrorKind,
} from '../../src/providers/provider.ts'
import { aCharge, anInquiry } from './charge.ts'

export const accountAt = (
  baseUrl: string,
  credentials = { server_key: 'SB-Mid-server-test' },
): ProviderAccount<Credentials> => ({
  id: '01990000-0000-7000-8000-000000000001',
  mode: 'test',
  credentials,
  baseUrl,
})
export const order = (overrides: Partial<Charge> = {}): Charge =>
  aCharge({ callbackUrl: 'https://pay.example.com/v1/callbacks/midtrans/1', ...overrides })
export const inquiry = anInquiry()
export const kindOf = (asked: Promise<unknown>): Promise<ProviderErrorKind | 'no error'> =>
  asked.then(
    () => 'no error',
    error => {
      if (error instanceof ProviderError) return error.kind
      throw error
    },
  )

/** Returns the signed body of the callback in which Midtrans reports a bank transfer as received. `amount` is in rupiah. */
export function settlementCallback(
  serverKey: string,
  { paymentCode, amount, transactionId }: { paymentCode: string; amount: number; transactionId: string },
) {
  const fields = {
    ...{ order_id: paymentCode, transaction_id: transactionId, gross_amount: `${amount}.00` },
    ...{ payment_type: 'bank_transfer', status_code: '200', transaction_status: 'settlement' },
  }
  return { ...fields, signature_key: signatureOf(fields, serverKey) }
}
