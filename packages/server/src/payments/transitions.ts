// The one table of how events move a payment, and what follows from a move. Pure.

import type { Cents } from '../money.ts'
import { after } from '../time.ts'
import { nextInquiryOfChallenged, nextInquiryOfPending } from './inquiry-schedule.ts'
import {
  type EventType,
  isKnownPart,
  isSecondPayment,
  type Payment,
  type PaymentEvent,
  type Status,
} from './payment.ts'

/**
 * `unchanged`: it says what is known. `refused`: it contradicts what is known. A status of its own row: the status
 * stays, and yet something happened.
 */
export type Outcome = Status | 'unchanged' | 'refused'

/**
 * Every cell is written. Three rules shape it:
 * - money that arrived is never dropped: `paid` moves every status, and nothing leaves `paid`;
 * - a late partial payment is money too: it reopens a closed payment as `challenged`;
 * - before `pending`, a provider's report counts as much as its answer, since it may come first.
 */
export const transitions: Record<Status, Record<EventType, Outcome>> = {
  charging: {
    charge_started: 'charging',
    accepted: 'pending',
    rejected: 'rejected',
    not_created: 'uncharged',
    outcome_unknown: 'unknown',
    paid: 'paid',
    underpaid: 'challenged',
    paid_again: 'refused',
    reversed: 'refused',
    refunded: 'refused',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    challenged: 'challenged',
  },
  unknown: {
    charge_started: 'refused',
    accepted: 'pending',
    rejected: 'rejected',
    not_created: 'uncharged',
    outcome_unknown: 'unchanged',
    paid: 'paid',
    underpaid: 'challenged',
    paid_again: 'refused',
    reversed: 'refused',
    refunded: 'refused',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    challenged: 'challenged',
  },
  uncharged: {
    charge_started: 'charging',
    accepted: 'pending',
    rejected: 'rejected',
    not_created: 'unchanged',
    outcome_unknown: 'unknown',
    paid: 'paid',
    underpaid: 'challenged',
    paid_again: 'refused',
    reversed: 'refused',
    refunded: 'refused',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    challenged: 'challenged',
  },
  rejected: {
    charge_started: 'refused',
    accepted: 'refused',
    rejected: 'unchanged',
    not_created: 'unchanged',
    outcome_unknown: 'refused',
    paid: 'paid',
    underpaid: 'challenged',
    paid_again: 'refused',
    reversed: 'refused',
    refunded: 'refused',
    failed: 'unchanged',
    expired: 'unchanged',
    cancelled: 'unchanged',
    challenged: 'challenged',
  },
  pending: {
    charge_started: 'refused',
    accepted: 'unchanged',
    rejected: 'refused',
    not_created: 'refused',
    outcome_unknown: 'refused',
    paid: 'paid',
    underpaid: 'challenged',
    paid_again: 'refused',
    reversed: 'refused',
    refunded: 'refused',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    challenged: 'challenged',
  },
  challenged: {
    charge_started: 'refused',
    accepted: 'unchanged',
    rejected: 'refused',
    not_created: 'refused',
    outcome_unknown: 'refused',
    paid: 'paid',
    underpaid: 'unchanged',
    paid_again: 'refused',
    reversed: 'refused',
    refunded: 'refused',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    challenged: 'unchanged',
  },
  paid: {
    charge_started: 'refused',
    accepted: 'unchanged',
    rejected: 'refused',
    not_created: 'refused',
    outcome_unknown: 'refused',
    paid: 'unchanged',
    underpaid: 'refused',
    paid_again: 'paid',
    reversed: 'paid',
    refunded: 'paid',
    failed: 'refused',
    expired: 'refused',
    cancelled: 'refused',
    challenged: 'refused',
  },
  failed: {
    charge_started: 'refused',
    accepted: 'unchanged',
    rejected: 'refused',
    not_created: 'refused',
    outcome_unknown: 'refused',
    paid: 'paid',
    underpaid: 'challenged',
    paid_again: 'refused',
    reversed: 'refused',
    refunded: 'refused',
    failed: 'unchanged',
    expired: 'refused',
    cancelled: 'refused',
    challenged: 'refused',
  },
  expired: {
    charge_started: 'refused',
    accepted: 'unchanged',
    rejected: 'refused',
    not_created: 'refused',
    outcome_unknown: 'refused',
    paid: 'paid',
    underpaid: 'challenged',
    paid_again: 'refused',
    reversed: 'refused',
    refunded: 'refused',
    failed: 'refused',
    expired: 'unchanged',
    cancelled: 'refused',
    challenged: 'refused',
  },
  cancelled: {
    charge_started: 'refused',
    accepted: 'unchanged',
    rejected: 'refused',
    not_created: 'refused',
    outcome_unknown: 'refused',
    paid: 'paid',
    underpaid: 'challenged',
    paid_again: 'refused',
    reversed: 'refused',
    refunded: 'refused',
    failed: 'refused',
    expired: 'refused',
    cancelled: 'unchanged',
    challenged: 'refused',
  },
}

export type Applied =
  | { kind: 'changed'; from: Status; payment: Payment }
  /** The status stays; the payment may still have learnt something (its instructions, its next check). */
  | { kind: 'unchanged'; payment: Payment }
  | { kind: 'refused'; payment: Payment; reason: string }

/** The payment after the event. Pure: `at` is the time of recording. */
export function applyEvent(payment: Payment, event: PaymentEvent, at: Date): Applied {
  const outcome = outcomeOf(payment, event)
  if (outcome === 'refused' || (event.type === 'reversed' && payment.reversedAt !== null)) {
    return { kind: 'refused', payment, reason: `${event.type} does not follow ${payment.status}` }
  }
  const status = outcome === 'unchanged' ? payment.status : outcome
  const next: Payment = {
    ...payment,
    ...learn(payment, event, at),
    status,
    ...closing(payment, status, event, at),
    updatedAt: at,
  }
  if (outcome !== 'unchanged')
    return {
      kind: 'changed',
      from: payment.status,
      payment: { ...next, transitionCount: payment.transitionCount + 1 },
    }
  const learnt =
    next.methodData !== payment.methodData ||
    next.providerPaymentId !== payment.providerPaymentId ||
    next.amountReceived !== payment.amountReceived ||
    next.receipt !== payment.receipt ||
    event.type === 'outcome_unknown'
  return { kind: 'unchanged', payment: learnt ? next : payment }
}

function outcomeOf(payment: Payment, event: PaymentEvent): Outcome {
  const outcome = transitions[payment.status][event.type]
  // Callbacks repeat for days. A part that was decided on must not open the payment again each time.
  if (event.type === 'underpaid' && outcome === 'challenged' && isKnownPart(payment, event))
    return 'unchanged'
  return outcome
}

/** What an event tells besides the status. Instructions once given to a payer never change. */
function learn(payment: Payment, event: PaymentEvent, at: Date): Partial<Payment> {
  switch (event.type) {
    case 'accepted':
      return {
        methodData: payment.methodData ?? event.methodData,
        providerPaymentId: payment.providerPaymentId ?? event.providerPaymentId,
      }
    case 'underpaid':
      return {
        providerPaymentId: payment.providerPaymentId ?? event.providerPaymentId ?? null,
        ...(isMore(event.received, payment.amountReceived) && {
          amountReceived: event.received,
          paidReference: event.reference,
          receipt: event.receipt ?? null,
        }),
      }
    case 'paid': {
      // Found by an inquiry, or accepted by the Owner, it may have been paid without a known receipt. Whichever is
      // told first is that one, so that the next is told apart from it.
      const { receipt, amountPaid: sum } = event
      return receipt !== undefined && !isSecondPayment(payment, { ...event, sum }) ? { receipt } : {}
    }
    case 'charge_started':
      return {
        attempt: payment.attempt + 1,
        provider: event.provider,
        providerAccountId: event.providerAccountId,
        providerPaymentId: null,
        expiresAt: event.expiresAt,
      }
    case 'reversed':
      return { reversedAt: at }
    default:
      return {}
  }
}

/** Of several partial sums the largest, in whatever order they are told, is what the Owner may accept. */
const isMore = (told: Cents, known: Cents | null): boolean => known === null || told > known

/** Providers settle late payments after the expiry (Midtrans: up to 90 s), so there is one more inquiry. */
const INQUIRY_AFTER_EXPIRY_MS = 5 * 60_000

/** The fields that go with the status a payment moves to. */
function closing(payment: Payment, status: Status, event: PaymentEvent, at: Date): Partial<Payment> {
  if (event.type === 'outcome_unknown') return { nextCheckAt: event.nextCheckAt, failureReason: event.reason }
  if (event.type === 'charge_started') return { failureReason: null, nextCheckAt: event.nextCheckAt }
  if (status === payment.status) return {}
  switch (status) {
    case 'paid':
      if (event.type !== 'paid') throw new Error(`${event.type} cannot pay a payment`)
      return {
        paidAt: event.paidAt,
        amountPaid: event.amountPaid,
        paidReference: event.reference,
        receipt: event.receipt ?? null,
        providerPaymentId: payment.providerPaymentId ?? event.providerPaymentId ?? null,
        failureReason: null,
        nextCheckAt: null,
      }
    case 'pending':
      return { failureReason: null, nextCheckAt: nextInquiryOfPending(payment, at) }
    case 'expired':
    case 'cancelled':
    case 'failed':
      return {
        failureReason: 'reason' in event ? event.reason : null,
        nextCheckAt: after(payment.expiresAt, INQUIRY_AFTER_EXPIRY_MS),
      }
    case 'challenged':
      // It does not expire by the clock: its money may have arrived. The provider or a person decides.
      return {
        failureReason: 'reason' in event ? event.reason : null,
        nextCheckAt: nextInquiryOfChallenged(payment, at, at),
      }
    default:
      return { failureReason: 'reason' in event ? event.reason : null, nextCheckAt: null }
  }
}
