// Creates an order and an account at Midtrans for tests of the Midtrans adapter.

import type { Credentials } from '../../src/providers/midtrans/credentials.ts'
import {
  type Charge,
  type Inquiry,
  type ProviderAccount,
  ProviderError,
  type ProviderErrorKind,
} from '../../src/providers/provider.ts'

export const accountAt = (
  baseUrl: string,
  credentials = { server_key: 'SB-Mid-server-test' },
): ProviderAccount<Credentials> => ({
  id: '01990000-0000-7000-8000-000000000001',
  mode: 'test',
  credentials,
  baseUrl,
})
export const order = (overrides: Partial<Charge> = {}): Charge => ({
  reference: 'GP261120-7Q4M2ZK8XW',
  amount: 10_000_000n,
  channel: 'bca',
  methodDetail: { type: 'virtual_account', bank: 'BCA' },
  customer: { name: 'Budi Santoso', email: 'budi@example.com', phone: '081234567890' },
  items: [],
  startedAt: new Date('2026-11-20T03:04:05.678Z'),
  expiryMinutes: 60,
  callbackUrl: 'https://pay.example.com/v1/callbacks/midtrans/1',
  returnUrl: 'https://shop.example.com/orders/1001',
  ...overrides,
})
export const inquiry: Inquiry = {
  reference: 'GP261120-7Q4M2ZK8XW',
  amount: 10_000_000n,
  channel: 'bca',
  methodDetail: { type: 'virtual_account', bank: 'BCA' },
  startedAt: new Date('2026-11-20T03:04:05.678Z'),
  providerPaymentId: null,
  methodData: null,
}
export const kindOf = (asked: Promise<unknown>): Promise<ProviderErrorKind | 'no error'> =>
  asked.then(
    () => 'no error',
    error => {
      if (error instanceof ProviderError) return error.kind
      throw error
    },
  )
