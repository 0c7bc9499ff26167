// Builds the refunds that the service requests from a provider, for tests of provider adapters.

import type { Inquiry, Refund } from '../../src/providers/provider.ts'

/** Returns the data of a refund of Rp 25,000, for an order of Rp 100,000. */
export const aRefund = (order: Inquiry, overrides: Partial<Refund> = {}): Refund => ({
  reference: `${order.reference}-R1`,
  amount: 2_500_000n,
  reason: 'one item returned',
  order,
  amountPaid: order.amount,
  isRepeated: false,
  ...overrides,
})
