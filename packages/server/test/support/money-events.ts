// Creates payments, events, and records of unexpected money for the plan-received-money.ts tests.

import type { MoneyReceivedEvent, Payment, PaymentEvent } from '../../src/payments/payment.ts'
import { planMoney } from '../../src/payments/record/plan-received-money.ts'
import { newRecord, paymentFields, type UnexpectedMoney } from '../../src/payments/record/unexpected-money.ts'
import { later, makePayment, now } from './make-payment.ts'

export const AMOUNT = 1_000n
export const pending = makePayment({ amount: AMOUNT })
export const reference = pending.paymentCode
export const paid: Payment = {
  ...pending,
  status: 'paid',
  paidAt: later(-5_000),
  amountPaid: AMOUNT,
  paidReference: reference,
  receipt: 'r-1',
}
export const nameless: Payment = { ...paid, receipt: null }
export const reversed: Payment = { ...paid, reversedAt: later(-4_000) }

export const full = (amountPaid = AMOUNT, fields: Partial<MoneyReceivedEvent> = {}): MoneyReceivedEvent =>
  ({
    type: 'paid',
    amountPaid,
    paidAt: later(-1_000),
    reference,
    receipt: 'r-1',
    ...fields,
  }) as MoneyReceivedEvent
export const part = (received: bigint, fields: Partial<MoneyReceivedEvent> = {}): MoneyReceivedEvent =>
  ({
    type: 'underpaid',
    received,
    paidAt: later(-1_000),
    reason: 'amount mismatch',
    reference,
    receipt: 'r-1',
    ...fields,
  }) as MoneyReceivedEvent
export const withoutReceipt = ({ receipt: _, ...event }: MoneyReceivedEvent): MoneyReceivedEvent =>
  event as MoneyReceivedEvent
export const reversal = (): Extract<PaymentEvent, { type: 'reversed' }> => ({
  type: 'reversed',
  reason: 'deny',
  unexpectedMoneyId: 'u-9',
})
export const record = (fields: Partial<UnexpectedMoney>): UnexpectedMoney =>
  newRecord(
    {
      ...paymentFields(pending),
      kind: 'underpaid',
      reference,
      receipt: 'r-1',
      amount: 400n,
      credited: false,
      paidAt: later(-3_000),
      ...fields,
    },
    later(-3_000),
  )
export const plan = (payment: Payment, event: PaymentEvent, records: UnexpectedMoney[] = []) =>
  planMoney(payment, event, records, now)
/**
 * Returns the records of unexpected money (money that matches no open payment) that the event creates or changes.
 * Fields with the same value in all test cases are left out.
 */
export const planned = (payment: Payment, event: PaymentEvent, records: UnexpectedMoney[] = []) => {
  const found = plan(payment, event, records)
  if (found.kind !== 'apply') return found.kind
  return found.records.map(({ kind, status, fromAmount, amount, round, credited }) => ({
    kind,
    status,
    fromAmount,
    amount,
    round,
    credited,
  }))
}
