import { describe, expect, test } from 'vitest'
import { makePayment, now } from '../../test/support/make-payment.ts'
import type { Payment } from '../payments/payment.ts'
import {
  type Decision,
  decideAcceptance,
  decideDismissal,
  decideRefund,
  type RefundDecision,
  type RefundFacts,
  type UnexpectedMoneyRow,
} from './decision.ts'

const AMOUNT = 100n
const payment = makePayment({ amount: AMOUNT })
const reference = payment.paymentCode

const kept = (overrides: Partial<UnexpectedMoneyRow> = {}): UnexpectedMoneyRow => ({
  id: 'm-1',
  kind: 'second_payment',
  status: 'open',
  provider: 'midtrans',
  providerAccountId: payment.providerAccountId,
  mode: 'live',
  reference,
  receipt: 'r-2',
  tenantId: payment.tenantId,
  paymentId: payment.id,
  paymentCode: payment.paymentCode,
  refundId: null,
  refundStatus: null,
  fromAmount: 0n,
  round: 1,
  amount: 70n,
  expectedAmount: AMOUNT,
  credited: false,
  returnStatus: null,
  paidAt: now,
  createdAt: now,
  decidedAt: null,
  reason: null,
  ...overrides,
})
const paidPayment: Payment = {
  ...payment,
  status: 'paid',
  paidAt: now,
  amountPaid: AMOUNT,
  paidReference: reference,
  receipt: 'r-1',
}
const wanted = { amount: undefined, reason: 'wants it back' }
const alone: RefundFacts = { records: [], isSeparatelyCredited: false }
const agreed = { reason: 'agreed' }

describe('accepted unexpected money is credited, unless the credit for its payment already includes it', () => {
  test('if the Owner accepts money that has already made its payment paid, the money is not credited again', () => {
    const again = kept({ receipt: 'r-1' })
    expect(decideAcceptance(again, paidPayment, agreed)).toEqual({ status: 'accepted', credited: true })
    const withoutReceipt = { ...paidPayment, receipt: null }
    expect(decideAcceptance(kept({ receipt: '' }), withoutReceipt, agreed)).toEqual({
      status: 'accepted',
      credited: true,
    })
  })

  test("if a partial payment's refund failed and the payment is paid, the money can be credited additionally", () => {
    const part = kept({ kind: 'underpaid', receipt: 'r-1', refundId: 'f-1', refundStatus: 'failed' })
    expect(decideAcceptance(part, paidPayment, agreed).event).toMatchObject({
      type: 'paid_again',
      amount: 70n,
    })
  })

  test("if the Owner accepts money for an unpaid payment, the payment gets the money's amount, time and IDs", () => {
    expect(decideAcceptance(kept(), payment, agreed).event).toEqual({
      type: 'paid',
      amountPaid: 70n,
      paidAt: now,
      reference,
      receipt: 'r-2',
      acceptedId: 'm-1',
    })
    expect(decideAcceptance(kept({ receipt: '' }), payment, agreed).event).not.toHaveProperty('receipt')
  })
})

describe('if the Owner refunds unexpected money, the decision determines how much is refunded and whether the payment fails', () => {
  test('refunding an overpayment refunds only the excess, unless the Owner gives another amount', () => {
    const amountOf = ({ refund }: RefundDecision) => refund?.amount
    const overpaid = kept({ kind: 'overpaid', amount: 130n, credited: true })
    expect(amountOf(decideRefund(overpaid, paidPayment, alone, wanted))).toBe(30n)
    expect(amountOf(decideRefund(overpaid, paidPayment, alone, { ...wanted, amount: 130n }))).toBe(130n)
    const late = kept({ kind: 'late', amount: 130n, credited: true })
    expect(amountOf(decideRefund(late, paidPayment, alone, wanted))).toBe(130n)
  })

  test('refunding a partial payment makes the payment failed, unless another partial payment still waits for a decision', () => {
    const part = kept({ kind: 'underpaid' })
    const challenged: Payment = { ...payment, status: 'challenged' }
    expect(decideRefund(part, challenged, alone, wanted).event).toEqual({
      type: 'failed',
      reason: 'wants it back',
    })
    const otherPart = kept({ id: 'm-2', kind: 'underpaid', receipt: 'r-3' })
    const both = { ...alone, records: [part, otherPart] }
    expect(decideRefund(part, challenged, both, wanted)).not.toHaveProperty('event')
    for (const records of [
      [part],
      [part, { ...otherPart, status: 'refunded' } as const],
      [part, { ...otherPart, kind: 'late' } as const],
    ])
      expect(decideRefund(part, challenged, { ...alone, records }, wanted)).toHaveProperty('event')
    expect(decideRefund(part, { ...payment, status: 'expired' }, alone, wanted)).not.toHaveProperty('event')
    expect(decideRefund(kept(), challenged, alone, wanted)).not.toHaveProperty('event')
  })
})

describe('after a reversal of a payment, the Owner can refund only money not taken back', () => {
  const reversed: Payment = { ...paidPayment, reversedAt: now }
  const part = kept({ kind: 'underpaid', status: 'accepted', receipt: '', credited: true })

  test('money that the provider took back (a reversal) cannot be refunded afterward', () => {
    expect(() => decideRefund(part, reversed, alone, wanted)).toThrow('the provider has taken back its money')
  })

  const reversal = kept({ id: 'm-3', kind: 'reversal', status: 'accepted', receipt: 'r-1', credited: true })
  const withOtherMoney = { records: [reversal], isSeparatelyCredited: true }

  test('after a reversal of a payment, its separately credited second payment can still be refunded', () => {
    const second = kept({ kind: 'second_payment', status: 'accepted', receipt: 'r-2', credited: true })
    expect(decideRefund(second, reversed, withOtherMoney, wanted).refund).toEqual({
      amount: 70n,
      source: 'separate_credit',
    })
  })

  test.each(['increase', 'underpaid'] as const)(
    'credited money of kind %s can be refunded after a reversal with the same receipt ID only if it was received after this reversal',
    kind => {
      const money = kept({ kind, status: 'accepted', receipt: 'r-1', credited: true })
      const later = { ...money, id: 'm-4', round: 2 }
      const facts = { ...withOtherMoney, records: [money, reversal, later] }
      expect(() => decideRefund(money, reversed, facts, wanted)).toThrow('the provider has taken back')
      expect(decideRefund(later, reversed, facts, wanted).refund).toMatchObject({ amount: 70n })
    },
  )
})

describe("the Owner's decision determines whether a refund reported by the provider is debited from the merchant", () => {
  const returned = (overrides: Partial<UnexpectedMoneyRow> = {}) =>
    kept({ kind: 'refund', receipt: 'rf-1', returnStatus: 'succeeded', ...overrides })

  test('accepting a refund reported by the provider debits the refunded amount from the merchant', () => {
    expect(decideAcceptance(returned(), paidPayment, agreed)).toEqual({
      status: 'accepted',
      credited: true,
      amount: 70n,
      debit: 70n,
    })
  })

  test('to accept a reported refund, the Owner must enter an amount only if the provider reported no amount', () => {
    const nameless = returned({ amount: null })
    expect(() => decideAcceptance(nameless, paidPayment, agreed)).toThrow('amount: is required')
    expect(decideAcceptance(nameless, paidPayment, { ...agreed, amount: 5n })).toMatchObject({
      amount: 5n,
      debit: 5n,
    })
    expect(() => decideAcceptance(returned(), paidPayment, { ...agreed, amount: 5n })).toThrow(
      'must be 70 cents, the amount that the provider reported',
    )
    expect(() => decideAcceptance(kept(), paidPayment, { ...agreed, amount: 70n })).toThrow(
      'refund or chargeback',
    )
  })

  test('the Owner cannot accept a reported refund of an unknown or unpaid payment', () => {
    expect(() => decideAcceptance(returned(), { ...payment, status: 'expired' }, agreed)).toThrow(
      'is expired',
    )
    expect(() => decideAcceptance(returned({ paymentId: null }), undefined, agreed)).toThrow(
      'assign the money',
    )
  })

  test('a reported refund or chargeback can be dismissed only while open, and never refunded', () => {
    expect(decideDismissal(returned())).toEqual({ status: 'dismissed', credited: false })
    expect(() => decideDismissal(kept())).toThrow(
      'only a refund, a chargeback or unconfirmed money can be dismissed; the kind of this record is second_payment',
    )
    expect(() => decideDismissal(returned({ status: 'accepted' }))).toThrow(
      'this record was already accepted',
    )
    expect(() => decideRefund(returned(), paidPayment, alone, wanted)).toThrow('accept or dismiss it')
  })
})

describe("a record's state, payment and ledger entries determine the allowed decisions and their effects", () => {
  const refundOf = (
    money: UnexpectedMoneyRow,
    of: Payment | undefined,
    facts: Partial<RefundFacts>,
    amount?: bigint,
  ) => decideRefund(money, of, { ...alone, ...facts }, { amount, reason: 'why' })
  const atProvider = kept({ kind: 'refund', amount: 30n })

  test.each<[string, () => Decision, string, RegExp]>([
    [
      'accept a record that was already decided',
      () =>
        decideAcceptance(
          kept({ status: 'refunded', decidedAt: new Date('2026-11-21T00:00:00Z') }),
          payment,
          agreed,
        ),
      'CONFLICT',
      /was already refunded at 2026-11-21T00:00:00.000Z/,
    ],
    [
      'accept money that belongs to no payment',
      () => decideAcceptance(kept(), undefined, agreed),
      'CONFLICT',
      /assign the money .*refund it/,
    ],
    [
      'accept a refund or chargeback that belongs to no payment',
      () => decideAcceptance(atProvider, undefined, agreed),
      'CONFLICT',
      /dismiss it/,
    ],
    [
      'accept a refund or chargeback with another amount than reported',
      () => decideAcceptance(atProvider, paidPayment, { amount: 31n, reason: 'why' }),
      'BAD_REQUEST',
      /request: amount: .*30 cents, the amount that the provider/,
    ],
    [
      'accept received money with a chosen amount',
      () => decideAcceptance(kept(), paidPayment, { amount: 70n, reason: 'why' }),
      'BAD_REQUEST',
      /request: amount: .*only for the record of a refund/,
    ],
    [
      'accept money whose amount is unknown',
      () => decideAcceptance(kept({ amount: null }), paidPayment, agreed),
      'INTERNAL',
      /has no amount/,
    ],
    [
      'refund a reversal',
      () => refundOf(kept({ kind: 'reversal' }), paidPayment, {}),
      'CONFLICT',
      /only be accepted/,
    ],
    [
      'refund the money of a refund or chargeback',
      () => refundOf(atProvider, paidPayment, {}),
      'CONFLICT',
      /provider reported; accept or dismiss it/,
    ],
    [
      'refund a record twice',
      () => refundOf(kept({ status: 'refunded' }), paidPayment, {}),
      'CONFLICT',
      /refunded/,
    ],
    [
      'refund more than was received',
      () => refundOf(kept({ credited: true }), paidPayment, {}, 71n),
      'BAD_REQUEST',
      /request: amount: .*at most 70 cents/,
    ],
    [
      'refund more than the part that was received and not credited',
      () => refundOf(kept(), paidPayment, {}, 71n),
      'BAD_REQUEST',
      /request: amount: .*at most 70 cents/,
    ],
    [
      'refund a part of money that was not credited',
      () => refundOf(kept(), paidPayment, {}, 69n),
      'BAD_REQUEST',
      /request: amount: .*only be refunded in full/,
    ],
  ])('a decision on unexpected money is rejected if it would %s', (_, decide, code, message) => {
    if (code === 'INTERNAL') expect(decide).toThrow(message)
    else expect(decide).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }))
  })

  test('if a refund was reported with an amount, accepting the refund debits this amount from the merchant', () => {
    const debit = {
      status: 'accepted',
      credited: true,
      amount: 30n,
      debit: 30n,
    }
    for (const amount of [undefined, 30n])
      expect(decideAcceptance(atProvider, paidPayment, { amount, ...agreed })).toStrictEqual(debit)
  })

  test('accepting money that the ledger already contains creates no ledger entry', () => {
    const accepted = { status: 'accepted', credited: true }
    expect(decideAcceptance(kept({ credited: true }), undefined, agreed)).toStrictEqual(accepted)
    expect(decideAcceptance(kept({ credited: true }), payment, agreed)).toStrictEqual(accepted)
  })

  const own = kept({ receipt: 'r-1', amount: AMOUNT })
  test.each<[string, Payment, Partial<UnexpectedMoneyRow>]>([
    ['with another receipt id than the payment', paidPayment, { receipt: 'r-2' }],
    ['with another order reference than the payment', paidPayment, { reference: 'other' }],
    ['that was received after a reversal', paidPayment, { round: 2 }],
    ['that exceeds the credit of the payment', paidPayment, { fromAmount: AMOUNT }],
    ['for a paid payment without an amount', { ...paidPayment, amountPaid: null }, {}],
  ])('if the Owner accepts money %s, the payment gets a further credit of this amount', (_, of, fields) => {
    expect(decideAcceptance({ ...own, ...fields }, of, agreed)).toStrictEqual({
      status: 'accepted',
      credited: true,
      event: { type: 'paid_again', amount: AMOUNT, unexpectedMoneyId: 'm-1' },
    })
  })

  test("accepting money for a challenged payment makes it paid, even if it has the money's receipt", () => {
    const waiting = { ...paidPayment, status: 'challenged' } as const
    expect(decideAcceptance(own, waiting, agreed).event).toMatchObject({
      type: 'paid',
      receipt: 'r-1',
      acceptedId: 'm-1',
    })
    expect(decideAcceptance({ ...own, receipt: '' }, waiting, agreed).event).not.toHaveProperty('receipt')
  })

  test('if the operator refunds money that was never credited, only the record of this unexpected money is closed', () => {
    const setAside = { status: 'refunded', credited: false }
    expect(refundOf(kept(), undefined, {})).toStrictEqual(setAside)
    expect(refundOf(kept({ kind: 'underpaid' }), undefined, {})).toStrictEqual(setAside)
    expect(refundOf(kept(), undefined, {}, 70n)).toStrictEqual(setAside)
  })

  test('the default refund amount is the excess for an overpayment, and the full amount for other credited money', () => {
    const credited = { credited: true, amount: 130n }
    const amountOf = (money: Partial<UnexpectedMoneyRow>, of?: Payment, amount?: bigint) =>
      refundOf(kept({ ...credited, ...money }), of, {}, amount)
    const decision = (amount: bigint) => ({
      status: 'refunded',
      credited: true,
      refund: { amount, source: 'amount_paid' },
    })
    expect(amountOf({ kind: 'overpaid' }, paidPayment)).toStrictEqual(decision(30n))
    expect(amountOf({ kind: 'overpaid', expectedAmount: null }, paidPayment)).toStrictEqual(decision(130n))
    expect(amountOf({ kind: 'late' })).toStrictEqual(decision(130n))
    expect(amountOf({ kind: 'overpaid' }, paidPayment, 130n)).toStrictEqual(decision(130n))
  })

  test('unexpected money with its own ledger credit can be refunded even without its payment loaded', () => {
    expect(refundOf(kept({ credited: true }), undefined, { isSeparatelyCredited: true })).toMatchObject({
      status: 'refunded',
    })
  })
})
