// The only writer of a payment's status, and with it of its ledger entry and its webhook event. Everything
// that happens to a payment enters here, one event or hundreds, in one transaction with the same number of
// statements: lock, update, post, emit. All or nothing.

import { afterCommit } from '../db/after-commit.ts'
import type { Tx } from '../db/db.ts'
import { post } from '../ledger/ledger.sql.ts'
import type { Posting } from '../ledger/posting.ts'
import { type WebhookEvent, webhookEvent } from '../webhooks/event.ts'
import { insertEvents } from '../webhooks/webhook.sql.ts'
import { insertAttempts, type StartedAttempt } from './attempt.sql.ts'
import { type Change, lockPayments, type Transition, updatePayments } from './payment.sql.ts'
import { isShown, type Payment, type PaymentEvent, referenceOf, shownStatus } from './payment.ts'
import { paymentMetrics } from './payment-metrics.ts'
import { postingFor } from './payment-posting.ts'
import { viewPayment } from './payment-view.ts'
import { traceChanges } from './trace-changes.ts'
import { type Applied, applyEvent } from './transitions.ts'
import {
  insertUnexpectedMoney,
  listParts,
  type PaidReceipt,
  type Part,
  settleUnderpaid,
} from './unexpected-money.sql.ts'
import { type UnexpectedMoney, unexpectedMoneyOf } from './unexpected-money.ts'

export type Report = {
  tenantId: string
  paymentId: string
  /** Built from the payment as it is under the lock, where the event depends on it (the amount). */
  event: PaymentEvent | ((payment: Payment) => PaymentEvent | undefined)
  /** Who said so, for the timeline: `callback`, `inquiry`, `merchant`, … */
  cause: string
  /** In words, for the timeline; without it the payment's failure_reason, if it has one. */
  detail?: string
}

/** ignored: no event came of the report. set_aside: money that the Owner has to decide on, and nothing else. */
export type Recorded = Applied | { kind: 'ignored' | 'set_aside'; payment: Payment }

/** The results are in the order of the reports; reports of one payment are applied in that order. */
export async function recordEvents(tx: Tx, reports: Report[], at: Date): Promise<Recorded[]> {
  const startedMs = Date.now()
  const payments = new Map(
    (await lockPayments(tx, reports)).map(payment => [keyOf(payment.tenantId, payment.id), payment]),
  )
  const underpaid = [...payments.values()].filter(isUnderpaid)
  const parts = underpaid.length > 0 ? await listParts(tx, underpaid) : []
  const touched = new Map<string, Change>()
  const transitions: Transition[] = []
  const attempts: StartedAttempt[] = []
  const unexpected: UnexpectedMoney[] = []
  const postings: Posting[] = []
  const events: WebhookEvent[] = []
  const completed: PaidReceipt[] = []

  const results = reports.map((report): Recorded => {
    const key = keyOf(report.tenantId, report.paymentId)
    const before = payments.get(key)
    if (!before) throw new Error(`there is no payment ${report.paymentId}`)
    const event = typeof report.event === 'function' ? report.event(before) : report.event
    if (!event) return { kind: 'ignored', payment: before }
    // Callbacks repeat for days. A part that is on record must not open a payment again which was closed since.
    if (event.type === 'underpaid' && isOnRecord(parts, event)) return { kind: 'unchanged', payment: before }
    const applied = applyEvent(before, event, at)
    if (applied.payment !== before) {
      payments.set(key, applied.payment)
      touched.set(key, { before: touched.get(key)?.before ?? before, payment: applied.payment })
    }
    const money = unexpectedMoneyOf(before, event, applied, at)
    if (money) unexpected.push(money)
    if (money?.kind === 'underpaid') parts.push(money)
    // Where it changed nothing but was heard, it named the receipt of what had paid.
    if (event.type === 'paid' && applied.payment !== before) completed.push(...receiptOfWhole(before, event))
    if (applied.kind === 'changed') {
      const { from, payment } = applied
      const posting = postingFor(payment, event)
      // What a payment that stays paid cannot show by itself.
      const movement = isAside(event) ? posting : undefined
      transitions.push(transitionOf(payment, from, report, movement, at))
      if (event.type === 'charge_started') attempts.push(attemptAfter(before, payment, event.reason))
      if (posting) postings.push(posting)
      if (isShown(payment.status) && payment.status !== 'pending') {
        const type = `payment.${isAside(event) ? event.type : payment.status}` as const
        events.push(webhookEvent(payment, viewPayment(payment), type, shownStatus(from), at, movement))
      }
    }
    return money && applied.kind !== 'changed' ? { kind: 'set_aside', payment: applied.payment } : applied
  })

  if (touched.size > 0) await updatePayments(tx, [...touched.values()], transitions)
  if (attempts.length > 0) await insertAttempts(tx, attempts, at)
  if (unexpected.length > 0) await insertUnexpectedMoney(tx, unexpected)
  if (completed.length > 0) await settleUnderpaid(tx, completed, at)
  const postedMs = Date.now()
  if (postings.length > 0) await post(tx, postings, at)
  traceChanges(reports, results, postings, { startedMs, postedMs })
  if (events.length > 0) await insertEvents(tx, events)
  afterCommit(tx, () => {
    for (const each of results)
      if (each.kind === 'changed')
        paymentMetrics.transitions.inc({ to: each.payment.status, mode: each.payment.mode })
  })
  return results
}

/** Of the ordinary payment nothing is looked up. */
const isUnderpaid = ({ amountReceived, status }: Payment): boolean =>
  amountReceived !== null && status !== 'paid'

/** A reference is of one payment. */
const isOnRecord = (
  parts: Part[],
  { reference, receipt = '', received }: Extract<PaymentEvent, { type: 'underpaid' }>,
): boolean =>
  parts.some(part => part.reference === reference && part.receipt === receipt && part.amount >= received)

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

/** A receipt that paid after a part of it had come. Of what the Owner accepted the record is settled by that. */
function receiptOfWhole(before: Payment, event: Extract<PaymentEvent, { type: 'paid' }>): PaidReceipt[] {
  if (before.amountReceived === null || event.acceptedId !== undefined) return []
  const { tenantId, id: paymentId } = before
  return [{ tenantId, paymentId, reference: event.reference, receipt: event.receipt ?? null }]
}

type AsideEvent = Extract<PaymentEvent, { unexpectedMoneyId: string }>
const isAside = (event: PaymentEvent): event is AsideEvent => 'unexpectedMoneyId' in event

const keyOf = (tenantId: string, paymentId: string): string => `${tenantId}/${paymentId}`

const transitionOf = (
  payment: Payment,
  from: Transition['from'],
  { cause, detail }: Report,
  movement: Posting | undefined,
  at: Date,
): Transition => ({
  tenantId: payment.tenantId,
  paymentId: payment.id,
  number: payment.transitionCount,
  at,
  from,
  to: payment.status,
  cause,
  detail: detail ?? movement?.reason ?? payment.failureReason,
})
