// The transition table of payments, and the fields that change with each transition. Pure.

import type { Cents } from '../../values/money.ts'
import { after } from '../../values/time.ts'
import { nextInquiryOfChallenged, nextInquiryOfPending } from '../inquiry-schedule.ts'
import {
  type EventType,
  isKnownPartialPayment,
  isSecondPayment,
  type Payment,
  type PaymentEvent,
  type Status,
} from '../payment.ts'

/**
 * The outcome of an event for a payment in a given status. `unchanged` means that the event repeats known facts, and
 * `refused` that it contradicts them. If the outcome equals the current status, the status stays, but a transition is
 * recorded.
 */
export type Outcome = Status | 'unchanged' | 'refused'

/**
 * The outcome of every event in every status. Three rules determine the table:
 *
 * - received money is never dropped: `paid` moves every status, and nothing leaves `paid`;
 * - a late partial payment is money too: it reopens a closed payment as `challenged`;
 * - before `pending`, a callback or inquiry counts as much as the charge response, because the callback or inquiry can
 *   arrive before the charge response.
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
    paid_after_reversal: 'refused',
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
    paid_after_reversal: 'refused',
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
    paid_after_reversal: 'refused',
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
    paid_after_reversal: 'refused',
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
    paid_after_reversal: 'refused',
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
    paid_after_reversal: 'refused',
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
    paid_after_reversal: 'paid',
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
    paid_after_reversal: 'refused',
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
    paid_after_reversal: 'refused',
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
    paid_after_reversal: 'refused',
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
  /** The status stays the same, but other fields may have changed (payment instructions, time of the next check). */
  | { kind: 'unchanged'; payment: Payment }
  | { kind: 'refused'; payment: Payment; reason: string }

/** Returns the payment after the event. Pure: `at` is the time at which the event is recorded. */
export function applyEvent(payment: Payment, event: PaymentEvent, at: Date): Applied {
  const outcome = outcomeOf(payment, event)
  if (outcome === 'refused') {
    return { kind: 'refused', payment, reason: `${event.type} does not follow ${payment.status}` }
  }
  const status = outcome === 'unchanged' ? payment.status : outcome
  const next: Payment = {
    ...payment,
    ...learnedFields(payment, event, at),
    status,
    ...statusFields(payment, status, event, at),
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
    next.unconfirmedSince !== payment.unconfirmedSince ||
    event.type === 'outcome_unknown'
  return { kind: 'unchanged', payment: learnt ? next : payment }
}

function outcomeOf(payment: Payment, event: PaymentEvent): Outcome {
  const outcome = transitions[payment.status][event.type]
  // Callbacks repeat for days. A partial payment on which the Owner has decided must not reopen the payment at each
  // repeat.
  if (event.type === 'underpaid' && outcome === 'challenged' && isKnownPartialPayment(payment, event))
    return 'unchanged'
  return outcome
}

/**
 * Returns the fields other than the status that an event changes. Payment instructions never change once they are set.
 */
function learnedFields(payment: Payment, event: PaymentEvent, at: Date): Partial<Payment> {
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
      // A payment that a status inquiry found to be paid, or that the Owner credited, may have no known receipt id. The
      // first reported receipt then becomes the payment's own receipt; every later receipt is additional money.
      const { receipt, amountPaid: sum } = event
      if (payment.status !== 'paid' || isSecondPayment(payment, { ...event, sum })) return {}
      return {
        ...(receipt !== undefined && { receipt }),
        ...(payment.unconfirmedSince !== null && { unconfirmedSince: null, nextCheckAt: null }),
      }
    }
    case 'paid_after_reversal':
      return { receipt: payment.receipt ?? event.receipt ?? null }
    case 'charge_started':
      return {
        attempt: payment.attempt + 1,
        provider: event.provider,
        providerAccountId: event.providerAccountId,
        providerPaymentId: null,
        expiresAt: event.expiresAt,
      }
    case 'reversed':
      return {
        reversedAt: payment.reversedAt ?? at,
        receipt: payment.receipt ?? event.receipt ?? null,
        unconfirmedSince: null,
        nextCheckAt: null,
      }
    default:
      return {}
  }
}

/**
 * Whether a reported partial amount is larger than the known one. The Owner may accept the largest of several partial
 * amounts, in whatever order they arrive.
 */
const isMore = (reported: Cents, known: Cents | null): boolean => known === null || reported > known

/**
 * How long after its expiry a payment is polled once more. Providers may settle late payments after the expiry
 * (Midtrans: up to 90 s).
 */
const INQUIRY_AFTER_EXPIRY_MS = 5 * 60_000
/** The interval at which a credit that no provider has confirmed is polled (sweep-due-payments.ts). */
export const UNCONFIRMED_CHECK_MS = 60 * 60_000

/** Returns the fields that change when an event changes the status. */
function statusFields(payment: Payment, status: Status, event: PaymentEvent, at: Date): Partial<Payment> {
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
        ...(event.unconfirmed === undefined
          ? { unconfirmedSince: null, nextCheckAt: null }
          : { unconfirmedSince: at, nextCheckAt: after(at, UNCONFIRMED_CHECK_MS) }),
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
      // A challenged payment does not expire automatically, because money may have been received. Only the provider or
      // the Owner decides its outcome.
      return {
        failureReason: 'reason' in event ? event.reason : null,
        nextCheckAt: nextInquiryOfChallenged(payment, at, at),
      }
    default:
      return { failureReason: 'reason' in event ? event.reason : null, nextCheckAt: null }
  }
}
