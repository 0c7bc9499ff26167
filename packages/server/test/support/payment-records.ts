// Builds the records of a payment and the provider's data for tests that compare them (src/reports/difference.ts).

import type { MoneyReturn, ProviderUpdate } from '../../src/providers/provider.ts'
import {
  findDifferences,
  type PaymentRecords,
  type ProviderData,
  type SettledLines,
} from '../../src/reports/difference.ts'

export const AMOUNT = 10_000_000n

export const paid: PaymentRecords = {
  status: 'paid',
  amountPaid: AMOUNT,
  isPaidThatDay: true,
  credits: 1n,
  credited: AMOUNT,
  creditedBesides: 0n,
  debited: 0n,
  pendingReturns: 0n,
  refundedManually: 0n,
  waiting: 0n,
  held: 0n,
  dismissedRefunds: 0n,
  refundedUncredited: 0n,
  returnedUncredited: 0n,
}
export const pending: PaymentRecords = {
  ...paid,
  status: 'pending',
  amountPaid: null,
  isPaidThatDay: false,
  credits: 0n,
  credited: 0n,
}
export const settled = (lines: Partial<SettledLines> = {}, settlesDay = true): ProviderData => ({
  source: 'settlement',
  lines: { paidTimes: 1n, paid: AMOUNT, returned: 0n, ...lines },
  settlesDay,
})
export const nowhere: Partial<SettledLines> = { paidTimes: 0n, paid: 0n }
export const inquiryData = (fact: ProviderUpdate['fact'], returns?: MoneyReturn[]): ProviderData => ({
  source: 'inquiry',
  status: { reference: 'GP261120-7Q4M2ZK8XW', providerPaymentId: 'x', fact, ...(returns && { returns }) },
})
export const absent: ProviderData = { source: 'inquiry', status: 'absent' }
export const found = (position: PaymentRecords, data?: ProviderData) =>
  findDifferences(position, data).map(({ kind, between }) => `${between} ${kind}`)
