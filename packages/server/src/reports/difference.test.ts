import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  AMOUNT,
  absent,
  found,
  inquiryData,
  nowhere,
  paid,
  pending,
  settled,
} from '../../test/support/payment-records.ts'
import { shownStatuses } from '../payments/payment.ts'
import { findDifferences, type PaymentRecords, type ProviderData } from './difference.ts'

describe('a reconciliation finds the differences between a payment and its ledger entries', () => {
  test.each<[string, Partial<PaymentRecords>, string]>([
    ['a credit without its payment', { status: 'pending', amountPaid: null }, 'missing_here'],
    ['a payment without its credit', { credits: 0n, credited: 0n }, 'missing_there'],
    ['a credit of another amount', { credited: AMOUNT - 1n }, 'amount'],
    ['two credits', { credits: 2n, credited: 2n * AMOUNT }, 'duplicate'],
  ])('comparing a payment with its ledger entries finds this difference: %s', (_, change, kind) => {
    expect(found({ ...paid, ...change })).toEqual([`payments_ledger ${kind}`])
  })

  test("credits and refunds in addition to a payment's own credit are not reported as differences", () => {
    expect(found({ ...paid, creditedBesides: AMOUNT, debited: AMOUNT })).toEqual([])
  })
})

test('a second payment that was refunded instead of credited is not reported as a difference', () => {
  const twice = { paidTimes: 2n, paid: 2n * AMOUNT }
  const refunded = { ...paid, refundedUncredited: AMOUNT }
  expect(found(refunded, settled(twice))).toEqual([])
  const returned = { ...refunded, returnedUncredited: AMOUNT }
  expect(found(returned, settled({ ...twice, returned: AMOUNT }))).toEqual([])
  expect(found(paid, settled({ ...twice, returned: AMOUNT }))).not.toEqual([])
})

describe("if an open record of unexpected money explains a difference, the difference's text mentions the record", () => {
  const detailOf = (position: PaymentRecords, data: ProviderData) =>
    findDifferences(position, data).map(({ detail }) => detail)
  const named = expect.stringMatching(/; an open record of unexpected money explains this difference$/)

  test.each<[string, PaymentRecords, ProviderData]>([
    [
      'a settled partial payment',
      { ...pending, status: 'challenged', waiting: 400n },
      settled({ paid: 400n }),
    ],
    ['a settled amount above the order', { ...paid, waiting: 500n }, settled({ paid: AMOUNT + 500n })],
    ['a refund', { ...paid, held: 300n }, settled({ returned: 300n })],
    [
      'an amount above the order in an inquiry result',
      { ...paid, waiting: 5n },
      inquiryData({ type: 'paid', amountPaid: AMOUNT + 5n }),
    ],
    [
      'a partial payment in an inquiry result',
      { ...pending, waiting: 5n },
      inquiryData({ type: 'paid', amountPaid: 5n }),
    ],
  ])(
    "if undecided unexpected money explains a difference, the difference's detail mentions the record of this money: %s",
    (_, position, data) => {
      expect(detailOf(position, data)).toEqual([named])
    },
  )

  test('an open record of unexpected money explains a reconciliation difference only if the amounts are equal', () => {
    expect(detailOf({ ...paid, waiting: 499n }, settled({ paid: AMOUNT + 500n }))).not.toEqual([named])
  })
})

describe('a reconciliation reports each difference between a payment and its settlement', () => {
  test.each<[string, PaymentRecords, ProviderData, string[]]>([
    ['a settled payment that is pending here', pending, settled(), ['payments_provider missing_here']],
    [
      'a settled payment that is expired here',
      { ...pending, status: 'expired' },
      settled(),
      ['payments_provider missing_here'],
    ],
    [
      'a payment that is paid here but not settled',
      paid,
      settled(nowhere),
      ['payments_provider missing_there'],
    ],
    [
      'a payment that is settled with another amount',
      paid,
      settled({ paid: AMOUNT + 1n }),
      ['payments_provider amount'],
    ],
    [
      'a payment that is settled twice',
      paid,
      settled({ paidTimes: 2n, paid: 2n * AMOUNT }),
      ['payments_provider duplicate'],
    ],
    ['a payment that is settled in two parts', paid, settled({ paidTimes: 2n }), []],
    [
      'a settled and refunded payment that is pending here',
      pending,
      settled({ returned: AMOUNT }),
      ['payments_provider status'],
    ],
    ['a payment that is unpaid on both sides', pending, settled(nowhere), []],
    ['a payment that is paid on both sides', paid, settled(), []],
  ])(
    "the comparison with the provider's settlement reports the expected differences, or none, for %s",
    (_, position, data, expected) => expect(found(position, data)).toEqual(expected),
  )

  test("a payment without a settlement line is reported as missing only if its day's settlement was uploaded", () => {
    expect(found(paid, settled(nowhere, false))).toEqual([])
    expect(found({ ...paid, isPaidThatDay: false }, settled(nowhere))).toEqual([])
  })

  test('two settlement lines for one payment are not reported as a difference if both amounts were credited', () => {
    const both = { ...paid, creditedBesides: AMOUNT }
    expect(found(both, settled({ paidTimes: 2n, paid: 2n * AMOUNT }))).toEqual([])
    expect(found(both, settled())).toEqual(['ledger_provider duplicate'])
    // The payment in the settlement is still pending here, but the Owner (the operator) credited the money received for
    // it separately. There is therefore no difference.
    expect(found({ ...pending, creditedBesides: AMOUNT }, settled())).toEqual([])
  })
})

describe('a reconciliation finds the differences between the ledger and the settlement', () => {
  test.each<[string, bigint, bigint, string[]]>([
    ['a payment that only the provider reversed', 0n, AMOUNT, ['ledger_provider status']],
    ['a payment that is reversed only in the ledger', AMOUNT, 0n, ['ledger_provider status']],
    ['a payment that is reversed on both sides', AMOUNT, AMOUNT, []],
    ['a payment that is reversed with different amounts', AMOUNT, 1n, ['ledger_provider amount']],
  ])(
    'comparing the ledger with the settlement gives the correct result for %s',
    (_, debited, returned, expected) => {
      expect(found({ ...paid, debited }, settled({ returned }))).toEqual(expected)
    },
  )

  test('a settled refund matches its debit in the ledger even without the payment in the settlement', () => {
    const returned = settled({ ...nowhere, returned: AMOUNT })
    expect(found({ ...paid, debited: AMOUNT }, returned)).toEqual([])
    const before = { ...paid, isPaidThatDay: false, debited: AMOUNT }
    expect(found(before, returned)).toEqual([])
    expect(found(before, settled(nowhere))).toEqual(['ledger_provider status'])
  })

  test("a payment that was refunded on the same day may be missing in that day's settlement", () => {
    expect(found({ ...paid, debited: AMOUNT }, settled(nowhere))).toEqual([])
    expect(found({ ...paid, debited: AMOUNT }, settled({}, false))).toEqual([])
  })
})

describe('a reconciliation reports each difference between a payment and the result of a status inquiry', () => {
  const isPaid = (amountPaid = AMOUNT) => inquiryData({ type: 'paid', amountPaid })
  test.each<[string, PaymentRecords, ProviderData, string[]]>([
    [
      'a payment that is paid at the provider but pending here',
      pending,
      isPaid(),
      ['payments_provider missing_here'],
    ],
    [
      'a payment that is paid at the provider and whose outcome is unknown here',
      { ...pending, status: 'unknown' },
      isPaid(),
      ['payments_provider missing_here'],
    ],
    ['a paid payment that the provider does not know', paid, absent, ['payments_provider missing_there']],
    [
      'a payment that is paid here but expired at the provider',
      paid,
      inquiryData({ type: 'expired' }),
      ['payments_provider missing_there'],
    ],
    [
      'a payment that is paid with another amount at the provider',
      paid,
      isPaid(1n),
      ['payments_provider amount'],
    ],
    [
      'a payment that only the provider refunded',
      paid,
      inquiryData({ type: 'nothing', reason: 'refund' }),
      ['payments_provider status'],
    ],
    [
      'a payment that is refunded on both sides',
      { ...paid, debited: AMOUNT },
      inquiryData({ type: 'nothing', reason: 'refund' }),
      [],
    ],
    [
      'a payment that is reversed at the provider and debited in the ledger',
      { ...paid, debited: AMOUNT },
      inquiryData({ type: 'failed', reason: 'provider reported deny' }),
      [],
    ],
    [
      'a payment that is reversed at the provider but debited only in part',
      { ...paid, debited: 1n },
      inquiryData({ type: 'failed', reason: 'provider reported deny' }),
      ['payments_provider missing_there'],
    ],
    [
      'a payment that is debited in the ledger but paid at the provider',
      { ...paid, debited: AMOUNT },
      isPaid(),
      ['ledger_provider status'],
    ],
    [
      'a pending payment that is challenged (held for a fraud check) at the provider',
      pending,
      inquiryData({ type: 'challenged', reason: 'fraud' }),
      ['payments_provider status'],
    ],
    [
      'a payment that is pending here but expired at the provider',
      pending,
      inquiryData({ type: 'expired' }),
      ['payments_provider status'],
    ],
    [
      'a payment that is expired here but pending at the provider',
      { ...pending, status: 'expired' },
      inquiryData({ type: 'pending' }),
      [],
    ],
    ['a pending payment that the provider does not know', pending, absent, ['payments_provider status']],
    [
      'a payment that ended unpaid with different statuses',
      { ...pending, status: 'cancelled' },
      inquiryData({ type: 'expired' }),
      [],
    ],
    ['a rejected payment that the provider does not know', { ...pending, status: 'rejected' }, absent, []],
    ['a payment that is paid on both sides', paid, isPaid(), []],
    [
      'a payment with a further credit that the provider also received',
      { ...paid, creditedBesides: 1n },
      isPaid(AMOUNT + 1n),
      [],
    ],
  ])(
    'comparing a payment with the result of a status inquiry gives the correct result for %s',
    (_, position, data, expected) => expect(found(position, data)).toEqual(expected),
  )
})

test('if reconciliation finds no difference, the ledger contains what the provider kept, except for uncertain refunds', () => {
  const sum = fc.constantFrom(0n, 1n, AMOUNT - 1n, AMOUNT, 2n * AMOUNT)
  const position = fc.record({
    status: fc.constantFrom(...shownStatuses),
    amountPaid: fc.option(fc.constantFrom(AMOUNT, 1n)),
    isPaidThatDay: fc.boolean(),
    credits: fc.constantFrom(0n, 1n, 2n),
    credited: sum,
    creditedBesides: sum,
    debited: sum,
    pendingReturns: sum,
    refundedManually: sum,
    waiting: sum,
    held: sum,
    dismissedRefunds: sum,
    refundedUncredited: sum,
    returnedUncredited: sum,
  })
  const lines = fc.record({ paidTimes: fc.constantFrom(1n, 2n), paid: sum, returned: sum })
  fc.assert(
    fc.property(position, lines, (drawn, theirs) => {
      const ours = { ...drawn, credited: drawn.credits === 0n ? 0n : drawn.credited }
      fc.pre(ours.amountPaid !== null && theirs.paid > 0n)
      if (findDifferences(ours, settled(theirs)).length > 0) return
      const uncredited = ours.refundedUncredited - ours.returnedUncredited
      const most = ours.credited + ours.creditedBesides - ours.debited + uncredited
      const kept = theirs.paid - theirs.returned
      expect(kept).toBeLessThanOrEqual(most)
      expect(kept).toBeGreaterThanOrEqual(most - ours.pendingReturns - ours.refundedManually)
    }),
    { numRuns: 2_000 },
  )
})
