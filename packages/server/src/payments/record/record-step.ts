// Applies one event in a batch. Determines the payment's new state, its records of unexpected money, its ledger
// transfer and its webhook.

import { fault } from '../../faults/fault.ts'
import { entryTypeOf, type Transfer } from '../../ledger/transfer.ts'
import { MAX_SUM } from '../../values/money.ts'
import { webhookEvent } from '../../webhooks/event.ts'
import type { PaymentEventType } from '../../webhooks/event-type.ts'
import type { StartedAttempt } from '../attempt.sql.ts'
import type { Transition } from '../payment.sql.ts'
import { isShown, type Payment, type PaymentEvent, referenceOf, shownStatus } from '../payment.ts'
import { viewPayment } from '../payment-view.ts'
import type { Batch, EventToRecord, Recorded } from './event-batch.ts'
import { transferFor } from './payment-transfer.ts'
import { planReport } from './plan-unconfirmed-money.ts'
import { applyEvent } from './transitions.ts'
import { isUndecided, type UnexpectedMoney } from './unexpected-money.ts'

export function recordStep(batch: Batch, input: EventToRecord, reported: PaymentEvent): Recorded {
  const before = batch.paymentOf(input)
  const plan = planReport(before, reported, batch.recordsOf(input), batch.at)
  if (plan.kind === 'known') return { kind: 'unchanged', payment: before }
  if (plan.kind === 'refused') return { kind: 'refused', payment: before, reason: plan.reason }
  if (plan.kind === 'set_aside') {
    batch.putRecords([plan.record])
    return { kind: 'set_aside', payment: before, reason: setAsideReason(plan.record) }
  }
  const { event, records } = plan
  const applied = applyEvent(before, event, batch.at)
  const moved = applied.kind === 'changed' ? transferFor(applied.payment, event) : undefined
  if (moved?.to === 'merchant' && moved.amount > batch.creditableAmount(moved)) {
    const waiting = withoutCredit(event)
    batch.withheld.push(before)
    return recordStep(batch, input, waiting)
  }
  if (applied.payment !== before) batch.setPayment(before, applied.payment)
  if (records.length > 0) batch.putRecords(records)
  if (applied.kind === 'changed') {
    const { from, payment } = applied
    // For events after the payment was paid, the timeline shows the ledger entry's reason instead of the event's
    // detail.
    const movement = isBesidesPayment(event) ? entryOf(moved) : undefined
    batch.transitions.push(
      transitionOf(payment, from, input, movement?.reason ?? timelineDetail(event), batch.at),
    )
    if (event.type === 'charge_started') batch.attempts.push(attemptAfter(before, payment, event.reason))
    if (moved) batch.addTransfer(moved)
    if (event.type === 'paid') batch.chargeFee(payment, event.amountPaid)
    // The provider never confirmed this credit, so the merchant must not pay a fee for it.
    if (event.type === 'reversed' && before.unconfirmedSince !== null) batch.returnFee(payment)
    const type = webhookTypeOf(payment, event, moved)
    if (type)
      batch.events.push(
        webhookEvent(payment, viewPayment(payment), type, shownStatus(from), batch.at, movement),
      )
    return applied
  }
  const waiting = records.find(isUndecided)
  return waiting ? { kind: 'set_aside', payment: applied.payment, reason: setAsideReason(waiting) } : applied
}

/**
 * Returns the event that replaces a credit that would raise the balance above its maximum. The new event records the
 * money like a partial payment, so the money waits for the operator's decision
 * (docs/decisions/0035-maximum-balance.md). Throws CONFLICT if the operator requested the credit.
 */
function withoutCredit(event: PaymentEvent): PaymentEvent {
  if (event.type !== 'paid' || event.acceptedId !== undefined || event.unconfirmed !== undefined)
    throw fault('balance_full', { most: String(MAX_SUM) })
  const { type: _, amountPaid, ...arrival } = event
  const reason = `not credited: the balance would exceed ${MAX_SUM} cents, so the ${amountPaid} cents wait for the Owner's decision`
  return { ...arrival, type: 'underpaid', received: amountPaid, reason }
}

export function setAsideReason({ kind }: UnexpectedMoney): string {
  switch (kind) {
    case 'second_payment':
      return 'the payment is paid already; this money waits for the Owner'
    case 'increase':
      return 'a larger amount was reported for credited money; the difference waits for the Owner'
    case 'paid_after_reversal':
      return 'the provider had reversed this payment; the money waits for the Owner'
    case 'unconfirmed':
      return 'the provider has not confirmed this money; it waits for the Owner'
    case 'refund':
    case 'chargeback':
      return `a ${kind} waits for the Owner`
    default:
      return 'a further part of the amount; this money waits for the Owner'
  }
}

const attemptAfter = (before: Payment, payment: Payment, reason: string): StartedAttempt => ({
  tenantId: payment.tenantId,
  paymentId: payment.id,
  number: payment.attempt,
  provider: payment.provider,
  providerAccountId: payment.providerAccountId,
  reference: referenceOf(payment),
  previousReference: referenceOf(before),
  previousReason: reason,
})

/** Returns a transfer's ledger entry in the format used in webhooks. */
function entryOf(moved: Transfer | undefined) {
  const entryType = moved && entryTypeOf(moved)
  return (
    entryType && { entryType, amount: moved.amount, referenceId: moved.referenceId, reason: moved.reason }
  )
}

type BesidesPaymentEvent = Extract<PaymentEvent, { unexpectedMoneyId: string }>
const isBesidesPayment = (event: PaymentEvent): event is BesidesPaymentEvent => 'unexpectedMoneyId' in event

/** Returns the type of webhook to send for the event, or undefined if nothing visible to the merchant has changed. */
function webhookTypeOf(
  payment: Payment,
  event: PaymentEvent,
  moved: Transfer | undefined,
): PaymentEventType | undefined {
  // While money waits for the operator's decision, no webhook is sent. A webhook is sent when the money is
  // credited. A reversal of uncredited money sends no webhook, because nothing changes for the merchant.
  if (event.type === 'paid_after_reversal' || (isBesidesPayment(event) && !moved)) return undefined
  if (!isShown(payment.status) || payment.status === 'pending') return undefined
  return `payment.${isBesidesPayment(event) ? event.type : payment.status}`
}

/** Returns the timeline's description of an event that changes neither the payment's status nor a balance. */
function timelineDetail(event: PaymentEvent): string | undefined {
  switch (event.type) {
    case 'paid_after_reversal':
      return 'paid again after a reversal; the money waits for the Owner'
    case 'reversed':
      return `reversed by the provider before the money was credited: ${event.reason}`
    default:
      return undefined
  }
}

const transitionOf = (
  payment: Payment,
  from: Transition['from'],
  { cause, detail }: EventToRecord,
  words: string | undefined,
  at: Date,
): Transition => ({
  tenantId: payment.tenantId,
  paymentId: payment.id,
  number: payment.transitionCount,
  at,
  from,
  to: payment.status,
  cause,
  detail: detail ?? words ?? payment.failureReason,
})
