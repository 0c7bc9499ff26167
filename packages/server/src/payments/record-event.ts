// The only writer of a payment's status, and with it of its ledger entry and its webhook event. Everything
// that happens to a payment enters here, one event or hundreds, in one transaction with the same number of
// statements: lock, update, post, emit. All or nothing.

import type { Tx } from '../db/db.ts'
import { post } from '../ledger/ledger.sql.ts'
import type { Posting } from '../ledger/posting.ts'
import { emitEvents } from '../webhooks/emit-event.ts'
import { type WebhookEvent, webhookEvent } from '../webhooks/event.ts'
import { lockPayments, type Transition, updatePayments } from './payment.sql.ts'
import { type Applied, applyEvent, isShown, type Payment, type PaymentEvent, shownStatus } from './payment.ts'
import { postingFor } from './payment-posting.ts'
import { viewPayment } from './payment-view.ts'

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

/** ignored: no event came of the report. */
export type Recorded = Applied | { kind: 'ignored'; payment: Payment }

/** The results are in the order of the reports; reports of one payment are applied in that order. */
export async function recordEvents(tx: Tx, reports: Report[], at: Date): Promise<Recorded[]> {
  const payments = new Map(
    (await lockPayments(tx, reports)).map(payment => [keyOf(payment.tenantId, payment.id), payment]),
  )
  const touched = new Map<string, Payment>()
  const transitions: Transition[] = []
  const postings: Posting[] = []
  const events: WebhookEvent[] = []

  const results = reports.map((report): Recorded => {
    const key = keyOf(report.tenantId, report.paymentId)
    const before = payments.get(key)
    if (!before) throw new Error(`there is no payment ${report.paymentId}`)
    const event = typeof report.event === 'function' ? report.event(before) : report.event
    if (!event) return { kind: 'ignored', payment: before }
    const applied = applyEvent(before, event, at)
    if (applied.payment !== before) {
      payments.set(key, applied.payment)
      touched.set(key, applied.payment)
    }
    if (applied.kind === 'changed') {
      const { from, payment } = applied
      transitions.push(transitionOf(payment, from, report, at))
      const posting = postingFor(payment, from)
      if (posting) postings.push(posting)
      if (isShown(payment.status) && payment.status !== 'pending') {
        events.push(webhookEvent(payment, viewPayment(payment), payment.status, shownStatus(from), at))
      }
    }
    return applied
  })

  if (touched.size > 0) await updatePayments(tx, [...touched.values()], transitions)
  if (postings.length > 0) await post(tx, postings, at)
  if (events.length > 0) await emitEvents(tx, events)
  return results
}

const keyOf = (tenantId: string, paymentId: string): string => `${tenantId}/${paymentId}`

const transitionOf = (
  payment: Payment,
  from: Transition['from'],
  { cause, detail }: Report,
  at: Date,
): Transition => ({
  tenantId: payment.tenantId,
  paymentId: payment.id,
  number: payment.transitionCount,
  at,
  from,
  to: payment.status,
  cause,
  detail: detail ?? payment.failureReason,
})
