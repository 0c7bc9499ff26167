import { describe, expect, test } from 'vitest'
import { later, makePayment, now } from '../../test/support/make.ts'
import type { Payment, PaymentEvent, Status } from './payment.ts'
import { applyEvent } from './transitions.ts'
import { unexpectedMoneyOf } from './unexpected-money.ts'

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
const after = (payment: Payment, event: PaymentEvent) =>
  unexpectedMoneyOf(payment, event, applyEvent(payment, event, now), now)

describe('money', () => {
  test.each([
    ['the amount of what is pending', inStatus('pending'), paid(AMOUNT), undefined],
    ['the amount of what is held', inStatus('challenged'), paid(AMOUNT), undefined],
    ['the amount of what is not answered yet', inStatus('unknown'), paid(AMOUNT), undefined],
    ['more', inStatus('pending'), paid(AMOUNT + 1n), ['overpaid', true]],
    ['less', inStatus('pending'), underpaid(1n), ['underpaid', false]],
    ['less of what is over', inStatus('expired'), underpaid(1n), ['underpaid', false]],
    ['the same receipt again', inStatus('paid'), paid(AMOUNT), undefined],
    ['another receipt', inStatus('paid'), paid(AMOUNT, 'r-2'), ['second_payment', false]],
    ['another receipt of less', inStatus('paid'), underpaid(1n, 'r-2'), ['second_payment', false]],
    [
      'the amount by a receipt that was not known',
      inStatus('paid', { receipt: null }),
      paid(AMOUNT, 'r-2'),
      undefined,
    ],
    [
      'another sum by a receipt that was not known',
      inStatus('paid', { receipt: null }),
      paid(AMOUNT + 1n, 'r-2'),
      ['second_payment', false],
    ],
    [
      'less by a receipt that was not known',
      inStatus('paid', { receipt: null }),
      underpaid(1n, 'r-2'),
      ['second_payment', false],
    ],
    ['the amount of what expired', inStatus('expired'), paid(AMOUNT), ['late', true]],
    ['the amount of what was cancelled', inStatus('cancelled'), paid(AMOUNT), ['late', true]],
    ['the amount of what failed', inStatus('failed'), paid(AMOUNT), ['late', true]],
    ['the amount of what was refused', inStatus('rejected'), paid(AMOUNT), ['late', true]],
    ['the amount of what was not created', inStatus('uncharged'), paid(AMOUNT), ['late', true]],
  ] as const)('%s: %#', (_, payment, event, expected) => {
    const money = after(payment, event)
    expect(money && [money.kind, money.credited]).toEqual(expected)
  })

  test('is recorded as it arrived, with what was agreed', () => {
    const payment = inStatus('pending')
    expect(after(payment, paid(AMOUNT + 1n, 'r-9'))).toEqual({
      id: expect.any(String),
      kind: 'overpaid',
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

  test('that the Owner accepted has its record already', () => {
    const accepted = { ...paid(AMOUNT + 1n), acceptedId: 'm-1' } as PaymentEvent
    for (const status of ['pending', 'expired'] as const)
      expect(after(inStatus(status), accepted)).toBeUndefined()
  })
})

describe('a part that is known', () => {
  const closed = (status: Status) =>
    inStatus(status, { amountReceived: 400n, paidReference: reference, receipt: 'r-1' })

  test.each(['failed', 'expired', 'cancelled', 'challenged'] as const)(
    'leaves what is %s as it is when it is told again, and makes no second record',
    status => {
      const payment = closed(status)
      expect(applyEvent(payment, underpaid(400n), later(1))).toEqual({ kind: 'unchanged', payment })
      expect(after(payment, underpaid(400n))).toBeUndefined()
    },
  )

  test('does not hide more of it, nor another one', () => {
    for (const event of [underpaid(401n), underpaid(300n, 'r-2')]) {
      expect(applyEvent(closed('failed'), event, now)).toMatchObject({
        kind: 'changed',
        payment: { status: 'challenged' },
      })
      expect(after(closed('failed'), event)).toMatchObject({ kind: 'underpaid' })
    }
  })
})

test('a reversal is a record of what was taken back, with the id that its debit names', () => {
  const reversed: PaymentEvent = { type: 'reversed', reason: 'deny', unexpectedMoneyId: 'm-7' }
  expect(after(inStatus('paid'), reversed)).toMatchObject({
    id: 'm-7',
    kind: 'reversal',
    amount: AMOUNT,
    receipt: 'r-1',
    reference,
    credited: true,
  })
  expect(after(inStatus('paid', { reversedAt: now }), reversed)).toBeUndefined()
  expect(after(inStatus('pending'), reversed)).toBeUndefined()
})
