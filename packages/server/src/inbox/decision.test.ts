import { describe, expect, test } from 'vitest'
import { makePayment, now } from '../../test/support/make-payment.ts'
import type { Payment } from '../payments/payment.ts'
import {
  type Decision,
  decideAcceptance,
  decideDismissal,
  decideRefund,
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
const alone = { otherParts: false, creditedBesides: false, takenBack: false }
const agreed = { reason: 'agreed' }

describe('accepting unexpected money', () => {
  test('never credits the money with which the payment was paid a second time, whichever record reports that money', () => {
    const again = kept({ receipt: 'r-1' })
    expect(decideAcceptance(again, paidPayment, agreed)).toEqual({ status: 'accepted', credited: true })
    const withoutReceipt = { ...paidPayment, receipt: null }
    expect(decideAcceptance(kept({ receipt: '' }), withoutReceipt, agreed)).toEqual({
      status: 'accepted',
      credited: true,
    })
  })

  test('marks the payment as paid with the amount, time, reference and receipt of the money received', () => {
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

describe('refunding unexpected money', () => {
  test('debits only the excess of an overpayment, unless the Owner gives another amount', () => {
    const amountOf = ({ event }: Decision) => event?.type === 'refunded' && event.amount
    const overpaid = kept({ kind: 'overpaid', amount: 130n, credited: true })
    expect(amountOf(decideRefund(overpaid, paidPayment, alone, wanted))).toBe(30n)
    expect(amountOf(decideRefund(overpaid, paidPayment, alone, { ...wanted, amount: 130n }))).toBe(130n)
    const late = kept({ kind: 'late', amount: 130n, credited: true })
    expect(amountOf(decideRefund(late, paidPayment, alone, wanted))).toBe(130n)
  })

  test('fails a challenged payment if this money is the only reason for the challenge', () => {
    const part = kept({ kind: 'underpaid' })
    const challenged: Payment = { ...payment, status: 'challenged' }
    expect(decideRefund(part, challenged, alone, wanted).event).toEqual({
      type: 'failed',
      reason: 'wants it back',
    })
    expect(decideRefund(part, challenged, { ...alone, otherParts: true }, wanted)).not.toHaveProperty('event')
    expect(decideRefund(part, { ...payment, status: 'expired' }, alone, wanted)).not.toHaveProperty('event')
    expect(decideRefund(kept(), challenged, alone, wanted)).not.toHaveProperty('event')
  })
})

describe('after the provider has reversed a payment,', () => {
  const reversed: Payment = { ...paidPayment, reversedAt: now }
  const part = kept({ kind: 'underpaid', status: 'accepted', receipt: '', credited: true })

  test('the money that paid it cannot be refunded as well, whichever receipt reports that money', () => {
    expect(() => decideRefund(part, reversed, alone, wanted)).toThrow('the provider has taken back the money')
  })

  const withOtherMoney = { ...alone, creditedBesides: true, takenBack: true }

  test('further credits for the payment can still be refunded', () => {
    expect(decideRefund(part, reversed, withOtherMoney, wanted).event).toMatchObject({
      type: 'refunded',
      amount: 70n,
    })
  })

  test('further money of the same receipt cannot be refunded, unless it was received after the reversal', () => {
    const increase = kept({ kind: 'increase', status: 'accepted', receipt: 'r-1', credited: true })
    expect(() => decideRefund(increase, reversed, withOtherMoney, wanted)).toThrow(
      'the provider has taken back the money',
    )
    const later = { ...withOtherMoney, takenBack: false }
    expect(decideRefund(increase, reversed, later, wanted).event).toMatchObject({
      type: 'refunded',
      amount: 70n,
    })
  })
})

describe('a refund that the provider reports', () => {
  const returned = (overrides: Partial<UnexpectedMoneyRow> = {}) =>
    kept({ kind: 'refund', receipt: 'rf-1', returnStatus: 'succeeded', ...overrides })

  test('is debited once the Owner accepts it', () => {
    expect(decideAcceptance(returned(), paidPayment, agreed)).toEqual({
      status: 'accepted',
      credited: true,
      amount: 70n,
      event: {
        type: 'refunded',
        amount: 70n,
        reason: 'refund rf-1 at the provider, agreed',
        unexpectedMoneyId: 'm-1',
      },
    })
  })

  test('requires an amount from the Owner only if the provider reported none', () => {
    const nameless = returned({ amount: null })
    expect(() => decideAcceptance(nameless, paidPayment, agreed)).toThrow('amount: is required')
    expect(decideAcceptance(nameless, paidPayment, { ...agreed, amount: 5n })).toMatchObject({
      amount: 5n,
      event: { amount: 5n },
    })
    expect(() => decideAcceptance(returned(), paidPayment, { ...agreed, amount: 5n })).toThrow(
      'must be the 70 cents',
    )
    expect(() => decideAcceptance(kept(), paidPayment, { ...agreed, amount: 70n })).toThrow(
      'refund or chargeback',
    )
  })

  test('cannot be debited from a payment that is not paid', () => {
    expect(() => decideAcceptance(returned(), { ...payment, status: 'expired' }, agreed)).toThrow(
      'is expired',
    )
    expect(() => decideAcceptance(returned({ paymentId: null }), undefined, agreed)).toThrow('assign it')
  })

  test('can be dismissed while it is open, unlike other unexpected money', () => {
    expect(decideDismissal(returned())).toEqual({ status: 'dismissed', credited: false })
    expect(() => decideDismissal(kept())).toThrow(
      'only a refund or a chargeback can be dismissed; this is second_payment',
    )
    expect(() => decideDismissal(returned({ status: 'accepted' }))).toThrow('it was accepted')
    expect(() => decideRefund(returned(), paidPayment, alone, wanted)).toThrow('accept or dismiss it')
  })
})

describe('a decision on unexpected money', () => {
  const refundOf = (
    money: UnexpectedMoneyRow,
    of: Payment | undefined,
    facts: Partial<typeof alone>,
    amount?: bigint,
  ) => decideRefund(money, of, { ...alone, ...facts }, { amount, reason: 'why' })
  const atProvider = kept({ kind: 'refund', amount: 30n })

  test.each<[string, () => Decision, string, RegExp]>([
    [
      'accept what is decided',
      () =>
        decideAcceptance(
          kept({ status: 'refunded', decidedAt: new Date('2026-11-21T00:00:00Z') }),
          payment,
          agreed,
        ),
      'CONFLICT',
      /was refunded at 2026-11-21T00:00:00.000Z/,
    ],
    [
      'accept money of no payment',
      () => decideAcceptance(kept(), undefined, agreed),
      'CONFLICT',
      /assign it .*refund it/,
    ],
    [
      'accept a return of no payment',
      () => decideAcceptance(atProvider, undefined, agreed),
      'CONFLICT',
      /dismiss it/,
    ],
    [
      'accept another amount of a return than reported',
      () => decideAcceptance(atProvider, paidPayment, { amount: 31n, reason: 'why' }),
      'BAD_REQUEST',
      /request: amount: .*30 cents/,
    ],
    [
      'accept an amount of other money',
      () => decideAcceptance(kept(), paidPayment, { amount: 70n, reason: 'why' }),
      'BAD_REQUEST',
      /request: amount: .*refund or chargeback only/,
    ],
    [
      'accept money without its amount',
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
    ['refund a return', () => refundOf(atProvider, paidPayment, {}), 'CONFLICT', /was refunded to the payer/],
    ['refund twice', () => refundOf(kept({ status: 'refunded' }), paidPayment, {}), 'CONFLICT', /refunded/],
    [
      'refund more than was received',
      () => refundOf(kept({ credited: true }), paidPayment, {}, 71n),
      'BAD_REQUEST',
      /request: amount: .*at most the 70 cents/,
    ],
    [
      'refund more than was received and not credited',
      () => refundOf(kept(), paidPayment, {}, 71n),
      'BAD_REQUEST',
      /request: amount: .*at most the 70 cents/,
    ],
    [
      'refund a part of what was not credited',
      () => refundOf(kept(), paidPayment, {}, 69n),
      'BAD_REQUEST',
      /request: amount: .*the full 70 cents/,
    ],
  ])('cannot %s', (_, decide, code, message) => {
    if (code === 'INTERNAL') expect(decide).toThrow(message)
    else expect(decide).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }))
  })

  test('debits the reported amount if the Owner accepts a provider’s refund with that amount', () => {
    const debit = {
      status: 'accepted',
      credited: true,
      amount: 30n,
      event: {
        type: 'refunded',
        amount: 30n,
        reason: 'refund r-2 at the provider, agreed',
        unexpectedMoneyId: 'm-1',
      },
    }
    for (const amount of [undefined, 30n])
      expect(decideAcceptance(atProvider, paidPayment, { amount, ...agreed })).toStrictEqual(debit)
  })

  test('creates no ledger entry if the Owner accepts money that is already in the ledger', () => {
    const accepted = { status: 'accepted', credited: true }
    expect(decideAcceptance(kept({ credited: true }), undefined, agreed)).toStrictEqual(accepted)
    expect(decideAcceptance(kept({ credited: true }), payment, agreed)).toStrictEqual(accepted)
  })

  const own = kept({ receipt: 'r-1', amount: AMOUNT })
  test.each<[string, Payment, Partial<UnexpectedMoneyRow>]>([
    ['of another receipt', paidPayment, { receipt: 'r-2' }],
    ['of another reference', paidPayment, { reference: 'other' }],
    ['that came after a reversal', paidPayment, { round: 2 }],
    ['beyond what the payment was credited', paidPayment, { fromAmount: AMOUNT }],
    ['for a paid payment without an amount', { ...paidPayment, amountPaid: null }, {}],
  ])('to accept money %s adds a further credit', (_, of, fields) => {
    expect(decideAcceptance({ ...own, ...fields }, of, agreed)).toStrictEqual({
      status: 'accepted',
      credited: true,
      event: { type: 'paid_again', amount: AMOUNT, unexpectedMoneyId: 'm-1' },
    })
  })

  test('marks an unpaid payment as paid if the Owner accepts its money, even if the reference is known', () => {
    const waiting = { ...paidPayment, status: 'challenged' } as const
    expect(decideAcceptance(own, waiting, agreed).event).toMatchObject({
      type: 'paid',
      receipt: 'r-1',
      acceptedId: 'm-1',
    })
    expect(decideAcceptance({ ...own, receipt: '' }, waiting, agreed).event).not.toHaveProperty('receipt')
  })

  test('to refund money that belongs to no payment closes the entire record', () => {
    const setAside = { status: 'refunded', credited: false }
    expect(refundOf(kept(), undefined, {})).toStrictEqual(setAside)
    expect(refundOf(kept({ kind: 'underpaid' }), undefined, {})).toStrictEqual(setAside)
    expect(refundOf(kept(), undefined, {}, 70n)).toStrictEqual(setAside)
  })

  test('to refund credited money refunds the whole amount, or only the excess of an overpayment', () => {
    const credited = { credited: true, amount: 130n }
    const amountOf = (money: Partial<UnexpectedMoneyRow>, of?: Payment, amount?: bigint) =>
      refundOf(kept({ ...credited, ...money }), of, {}, amount)
    const decision = (amount: bigint) => ({
      status: 'refunded',
      credited: true,
      event: { type: 'refunded', amount, reason: 'why', unexpectedMoneyId: 'm-1' },
    })
    expect(amountOf({ kind: 'overpaid' }, paidPayment)).toStrictEqual(decision(30n))
    expect(amountOf({ kind: 'overpaid', expectedAmount: null }, paidPayment)).toStrictEqual(decision(130n))
    expect(amountOf({ kind: 'late' })).toStrictEqual(decision(130n))
    expect(amountOf({ kind: 'overpaid' }, paidPayment, 130n)).toStrictEqual(decision(130n))
  })

  test('to refund a further credit is possible without a payment', () => {
    const facts = { creditedBesides: true, takenBack: true }
    expect(refundOf(kept({ credited: true }), undefined, facts)).toMatchObject({ status: 'refunded' })
  })
})
