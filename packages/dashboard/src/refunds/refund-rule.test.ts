import { expect, test } from 'vitest'
import { refundableUntil, ruleAgainst } from './refund-rule.ts'
import type { RefundOffer } from './refund-words.ts'

const terms = {
  amounts: 'partial',
  max_refunds: null,
  window_days: 30,
  hours: null,
  min_amount: null,
} as const
const offer: RefundOffer = {
  provider: 'Midtrans',
  channel: 'GoPay',
  paid_at: '2026-11-01T03:00:00.000Z',
  amount_paid: 10_000_000,
  refunded: 2_000_000,
  left: 8_000_000,
  refunds: 1,
  terms,
}
const inTime = new Date('2026-11-20T03:00:00Z')

test("a refund within the provider's limits for the channel violates no rule", () => {
  expect(ruleAgainst(offer, 8_000_000, inTime)).toBeUndefined()
})

test.each([
  ['the channel has no refunds', { ...offer, terms: null }, { rule: 'no_refunds' }],
  [
    'the channel is refunded only in full',
    { ...offer, terms: { ...terms, amounts: 'full' as const } },
    { rule: 'full_only', amount: 10_000_000n },
  ],
  [
    'the payment had the maximum number of refunds',
    { ...offer, terms: { ...terms, max_refunds: 1 } },
    { rule: 'max_refunds', max: 1 },
  ],
  [
    'the provider’s time limit for refunds of the payment has passed',
    { ...offer, terms: { ...terms, window_days: 7 } },
    { rule: 'window', days: 7 },
  ],
  [
    'the acquirer makes no refunds at this hour',
    { ...offer, terms: { ...terms, hours: { from: '06:00', to: '09:00' } } },
    { rule: 'hours', from: '06:00', to: '09:00' },
  ],
  [
    'the amount is below the minimum',
    { ...offer, terms: { ...terms, min_amount: 9_000_000 } },
    { rule: 'min_amount', min: 9_000_000n },
  ],
])(
  'before a refund is requested, the dashboard names the refund rule that forbids it: %s',
  (_, given, rule) => {
    expect(ruleAgainst(given, 8_000_000, inTime)).toMatchObject(rule)
  },
)

test('the dashboard shows the deadline for refunding a payment', () => {
  expect(refundableUntil(offer)).toBe('2026-12-01T03:00:00.000Z')
  expect(refundableUntil({ ...offer, terms: null })).toBeUndefined()
})
