// Builds the charges and inquiries that the service sends to a provider, for tests of provider adapters.

import type { Charge, Inquiry } from '../../src/providers/provider.ts'

const order = {
  reference: 'GP261120-7Q4M2ZK8XW',
  amount: 10_000_000n,
  channel: 'bca',
  methodDetail: { type: 'virtual_account', bank: 'BCA' },
  startedAt: new Date('2026-11-20T03:04:05.678Z'),
} as const

/** Returns a charge of Rp 100,000 by BCA virtual account that expires after one hour. */
export const aCharge = (overrides: Partial<Charge> = {}): Charge => ({
  ...order,
  customer: { name: 'Budi Santoso', email: 'budi@example.com', phone: '081234567890' },
  items: [],
  expiryMinutes: 60,
  callbackUrl: 'https://pay.example.com/v1/callbacks/any/1',
  returnUrl: 'https://shop.example.com/orders/1001',
  ...overrides,
})

/**
 * Returns a status inquiry about the order from `aCharge`. The inquiry has only the fields that are
 * known if the response to the charge was lost.
 */
export const anInquiry = (overrides: Partial<Inquiry> = {}): Inquiry => ({
  ...order,
  providerPaymentId: null,
  methodData: null,
  ...overrides,
})
