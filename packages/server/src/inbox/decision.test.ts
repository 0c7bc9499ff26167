import { describe, expect, test } from 'vitest'
import { makePayment, now } from '../../test/support/make-payment.ts'
import type { Payment } from '../payments/payment.ts'
import { acceptance, type Decision, dismissal, type KeptMoney, refund } from './decision.ts'

const AMOUNT = 100n
const payment = makePayment({ amount: AMOUNT })
const reference = payment.paymentCode

const kept = (overrides: Partial<KeptMoney> = {}): KeptMoney => ({
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

describe('accepting', () => {
  test('never credits what paid the payment already, by whichever record it is told', () => {
    const again = kept({ receipt: 'r-1' })
    expect(acceptance(again, paidPayment, agreed)).toEqual({ status: 'accepted', credited: true })
    const withoutReceipt = { ...paidPayment, receipt: null }
    expect(acceptance(kept({ receipt: '' }), withoutReceipt, agreed)).toEqual({
      status: 'accepted',
      credited: true,
    })
  })

  test('pays with the money as it arrived: its amount, its time, its reference and its receipt', () => {
    expect(acceptance(kept(), payment, agreed).event).toEqual({
      type: 'paid',
      amountPaid: 70n,
      paidAt: now,
      reference,
      receipt: 'r-2',
      acceptedId: 'm-1',
    })
    expect(acceptance(kept({ receipt: '' }), payment, agreed).event).not.toHaveProperty('receipt')
  })
})

describe('giving back', () => {
  test('takes from the ledger what nobody agreed on, unless another sum is named', () => {
    const amountOf = ({ event }: Decision) => event?.type === 'refunded' && event.amount
    const overpaid = kept({ kind: 'overpaid', amount: 130n, credited: true })
    expect(amountOf(refund(overpaid, paidPayment, alone, wanted))).toBe(30n)
    expect(amountOf(refund(overpaid, paidPayment, alone, { ...wanted, amount: 130n }))).toBe(130n)
    const late = kept({ kind: 'late', amount: 130n, credited: true })
    expect(amountOf(refund(late, paidPayment, alone, wanted))).toBe(130n)
  })

  test('fails a payment that is challenged because of it alone', () => {
    const part = kept({ kind: 'underpaid' })
    const challenged: Payment = { ...payment, status: 'challenged' }
    expect(refund(part, challenged, alone, wanted).event).toEqual({ type: 'failed', reason: 'wants it back' })
    expect(refund(part, challenged, { ...alone, otherParts: true }, wanted)).not.toHaveProperty('event')
    expect(refund(part, { ...payment, status: 'expired' }, alone, wanted)).not.toHaveProperty('event')
    expect(refund(kept(), challenged, alone, wanted)).not.toHaveProperty('event')
  })
})

describe('after a reversal', () => {
  const reversed: Payment = { ...paidPayment, reversedAt: now }
  const part = kept({ kind: 'underpaid', status: 'accepted', receipt: '', credited: true })

  test('what paid the payment cannot go back as well, by whichever receipt its record was told', () => {
    expect(() => refund(part, reversed, alone, wanted)).toThrow('the provider has taken back what paid')
  })

  const besides = { ...alone, creditedBesides: true, takenBack: true }

  test('what was credited besides still can', () => {
    expect(refund(part, reversed, besides, wanted).event).toMatchObject({ type: 'refunded', amount: 70n })
  })

  test('further money of the same receipt cannot, unless it came after the reversal', () => {
    const increase = kept({ kind: 'increase', status: 'accepted', receipt: 'r-1', credited: true })
    expect(() => refund(increase, reversed, besides, wanted)).toThrow('the provider has taken back what paid')
    const later = { ...besides, takenBack: false }
    expect(refund(increase, reversed, later, wanted).event).toMatchObject({ type: 'refunded', amount: 70n })
  })
})

describe('a refund at the provider', () => {
  const returned = (overrides: Partial<KeptMoney> = {}) =>
    kept({ kind: 'refund', receipt: 'rf-1', returnStatus: 'succeeded', ...overrides })

  test('is debited once it is accepted', () => {
    expect(acceptance(returned(), paidPayment, agreed)).toEqual({
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

  test('needs its amount from the Owner where the provider did not report it, and only there', () => {
    const nameless = returned({ amount: null })
    expect(() => acceptance(nameless, paidPayment, agreed)).toThrow('amount: is required')
    expect(acceptance(nameless, paidPayment, { ...agreed, amount: 5n })).toMatchObject({
      amount: 5n,
      event: { amount: 5n },
    })
    expect(() => acceptance(returned(), paidPayment, { ...agreed, amount: 5n })).toThrow('reported 70 cents')
    expect(() => acceptance(kept(), paidPayment, { ...agreed, amount: 70n })).toThrow('refund or chargeback')
  })

  test('cannot be debited from a payment that is not paid', () => {
    expect(() => acceptance(returned(), { ...payment, status: 'expired' }, agreed)).toThrow('is expired')
    expect(() => acceptance(returned({ paymentId: null }), undefined, agreed)).toThrow('assign it')
  })

  test('can be dismissed while it is open; nothing else can', () => {
    expect(dismissal(returned())).toEqual({ status: 'dismissed', credited: false })
    expect(() => dismissal(kept())).toThrow('only a refund or a chargeback')
    expect(() => dismissal(returned({ status: 'accepted' }))).toThrow('it was accepted')
    expect(() => refund(returned(), paidPayment, alone, wanted)).toThrow('accept it, or dismiss it')
  })
})
