import { describe, expect, test } from 'vitest'
import { later, makePayment, now } from '../../../test/support/make-payment.ts'
import type { Payment, PaymentEvent, Status } from '../payment.ts'
import { planMoney } from './plan-received-money.ts'
import { newRecord, paymentFields, type UnexpectedMoney } from './unexpected-money.ts'

const AMOUNT = 1_000n
const reference = 'GP261120-7Q4M2ZK8XW'
const inStatus = (status: Status, overrides: Partial<Payment> = {}): Payment =>
  makePayment({
    amount: AMOUNT,
    status,
    ...(status === 'paid' && { paidAt: now, amountPaid: AMOUNT, paidReference: reference, receipt: 'r-1' }),
    ...overrides,
  })
const paid = (amountPaid: bigint, receipt = 'r-1'): PaymentEvent => ({
  type: 'paid',
  amountPaid,
  paidAt: later(-1_000),
  reference,
  receipt,
})
const underpaid = (received: bigint, receipt = 'r-1'): PaymentEvent => ({
  type: 'underpaid',
  received,
  paidAt: later(-1_000),
  reason: 'amount mismatch',
  reference,
  receipt,
})
function after(payment: Payment, event: PaymentEvent, records: UnexpectedMoney[] = []) {
  const plan = planMoney(payment, event, records, now)
  return plan.kind === 'apply' ? plan.records[0] : undefined
}

describe('received money creates a record of unexpected money unless it is exactly what the payment awaits', () => {
  test.each([
    ['the full amount for a pending payment', inStatus('pending'), paid(AMOUNT), undefined],
    ['the full amount for a challenged payment', inStatus('challenged'), paid(AMOUNT), undefined],
    ['the full amount for a payment with an unknown outcome', inStatus('unknown'), paid(AMOUNT), undefined],
    ['more than the full amount', inStatus('pending'), paid(AMOUNT + 1n), ['overpaid', true]],
    ['a part of the full amount', inStatus('pending'), underpaid(1n), ['underpaid', false]],
    ['a partial payment for an expired payment', inStatus('expired'), underpaid(1n), ['underpaid', false]],
    ['the money that has already paid the payment', inStatus('paid'), paid(AMOUNT), undefined],
    [
      'the full amount with another receipt id for a paid payment',
      inStatus('paid'),
      paid(AMOUNT, 'r-2'),
      ['second_payment', false],
    ],
    [
      'a partial payment with another receipt id for a paid payment',
      inStatus('paid'),
      underpaid(1n, 'r-2'),
      ['second_payment', false],
    ],
    [
      'the full amount with the first known receipt id of a paid payment',
      inStatus('paid', { receipt: null }),
      paid(AMOUNT, 'r-2'),
      undefined,
    ],
    [
      'another amount with the first known receipt id of a paid payment',
      inStatus('paid', { receipt: null }),
      paid(AMOUNT + 1n, 'r-2'),
      ['second_payment', false],
    ],
    [
      'a smaller amount with the first known receipt id of a paid payment',
      inStatus('paid', { receipt: null }),
      underpaid(1n, 'r-2'),
      ['second_payment', false],
    ],
    ['the full amount for an expired payment', inStatus('expired'), paid(AMOUNT), ['late', true]],
    ['the full amount for a cancelled payment', inStatus('cancelled'), paid(AMOUNT), ['late', true]],
    ['the full amount for a failed payment', inStatus('failed'), paid(AMOUNT), ['late', true]],
    ['the full amount for a rejected payment', inStatus('rejected'), paid(AMOUNT), ['late', true]],
    ['the full amount for an uncharged payment', inStatus('uncharged'), paid(AMOUNT), ['late', true]],
  ] as const)(
    'a report of %s either needs no record, or creates a record of unexpected money with the right kind',
    (_, payment, event, expected) => {
      const money = after(payment, event)
      expect(money && [money.kind, money.credited]).toEqual(expected)
    },
  )

  test("received money is recorded with both the received amount and the payment's amount", () => {
    const payment = inStatus('pending')
    expect(after(payment, paid(AMOUNT + 1n, 'r-9'))).toEqual({
      id: expect.any(String),
      kind: 'overpaid',
      status: 'open',
      fromAmount: 0n,
      round: 1,
      returnStatus: null,
      decidedAt: null,
      reason: null,
      provider: payment.provider,
      providerAccountId: payment.providerAccountId,
      mode: 'live',
      reference,
      receipt: 'r-9',
      tenantId: payment.tenantId,
      paymentId: payment.id,
      amount: AMOUNT + 1n,
      expectedAmount: AMOUNT,
      credited: true,
      paidAt: later(-1_000),
      createdAt: now,
    })
  })

  test('if the operator accepts money for which a record of unexpected money exists, no second record is created', () => {
    const accepted = { ...paid(AMOUNT + 1n), acceptedId: 'm-1' } as PaymentEvent
    for (const status of ['pending', 'expired'] as const)
      expect(after(inStatus(status), accepted)).toBeUndefined()
  })
})

describe('partial payments that have already been recorded are not counted again', () => {
  const closed = (status: Status) =>
    inStatus(status, { amountReceived: 400n, paidReference: reference, receipt: 'r-1' })
  const part = (payment: Payment, overrides: Partial<UnexpectedMoney> = {}) =>
    newRecord(
      {
        ...paymentFields(payment),
        ...{ kind: 'underpaid', reference, receipt: 'r-1', amount: 400n, credited: false, paidAt: now },
        ...overrides,
      },
      now,
    )

  test.each(['failed', 'expired', 'cancelled', 'challenged'] as const)(
    'if a recorded partial payment is reported again for a payment that is %s, no record is changed or created',
    status => {
      const payment = closed(status)
      expect(planMoney(payment, underpaid(400n), [part(payment)], later(1))).toEqual({ kind: 'known' })
    },
  )

  test('a larger partial amount updates the open record, but money with another receipt ID gets a new record', () => {
    const payment = closed('challenged')
    const known = part(payment)
    expect(after(payment, underpaid(401n), [known])).toEqual({ ...known, amount: 401n })
    expect(after(payment, underpaid(300n, 'r-2'), [known])).toMatchObject({
      kind: 'underpaid',
      receipt: 'r-2',
      amount: 300n,
      fromAmount: 0n,
    })
  })

  test('a report of the full amount does not credit a partly refunded payment in full', () => {
    const payment = closed('failed')
    const givenBack = part(payment, { status: 'refunded', decidedAt: now })
    expect(planMoney(payment, paid(AMOUNT), [givenBack], now)).toMatchObject({
      event: { type: 'underpaid', received: AMOUNT },
      records: [{ kind: 'underpaid', fromAmount: 400n, amount: 600n, status: 'open' }],
    })
  })
})

test('a reversal creates a record with the reversed amount, to which the ledger debit refers', () => {
  const reversed: PaymentEvent = { type: 'reversed', reason: 'deny', unexpectedMoneyId: 'm-7' }
  const first = after(inStatus('paid'), reversed) as UnexpectedMoney
  expect(first).toMatchObject({
    id: 'm-7',
    kind: 'reversal',
    amount: AMOUNT,
    receipt: 'r-1',
    reference,
    credited: true,
  })
  expect(after(inStatus('paid', { reversedAt: now }), reversed, [first])).toBeUndefined()
  expect(after(inStatus('pending'), reversed)).toBeUndefined()
})
