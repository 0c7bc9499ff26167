// Creates an order and an account at Midtrans for tests of the Midtrans adapter.

import type { Credentials } from '../../src/providers/midtrans/credentials.ts'
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
