// The payment transition table, and the fields each transition changes.

import type { Cents } from '../../values/money.ts'
import { after } from '../../values/time.ts'
import { nextInquiryOfChallenged, nextInquiryOfPending } from '../inquiry-schedule.ts'
import {
  type EventType,
  isKnownPartialPayment,
  isSecondPayment,
  type Payment,
  type PaymentEvent,
  type Receipt,
  referenceOf,
  type Status,
} from '../payment.ts'

/**
 * The effect of an event on a payment in a given status: the new status, `unchanged` if the event repeats known facts,
 * or `refused` if it contradicts them. An event that results in the current status is still recorded.
 */
export type Outcome = Status | 'unchanged' | 'refused'

/**
 * For each payment status, the outcome of each event in this status. The table follows three rules:
 *
 * - Received money is never lost, because the event `paid` applies in every status, and no event changes the status
 *   `paid` to another status.
 * - A partial payment changes even a failed, expired or cancelled payment to `challenged`. The operator can then decide
 *   what to do with the money.
 * - Until a payment is `pending`, a callback or an inquiry result has the same effect as the charge response. Both can
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
    failed: 'refused',
    expired: 'refused',
    cancelled: 'unchanged',
    challenged: 'refused',
  },
}

export type Applied =
  | { kind: 'changed'; from: Status; payment: Payment }
  /** The status stays the same, but other fields, such as the payment instructions, may have changed. */
  | { kind: 'unchanged'; payment: Payment }
  | { kind: 'refused'; payment: Payment; reason: string }

/**
 * Returns the result of the event, with the payment as it is after the event. `at` is the time at which the
 * event is recorded.
 */
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
  // Providers repeat callbacks for days. After the operator's decision on a partial payment, a repeated
  // callback about it must not reopen the payment.
  if (event.type === 'underpaid' && outcome === 'challenged' && isKnownPartialPayment(payment, event))
    return 'unchanged'
  return outcome
}

/**
 * Returns the payment's fields, except the status, that an event sets. Payment instructions (`methodData`)
 * never change once they are set.
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
        providerPaymentId: payment.providerPaymentId ?? idOfLatestAttempt(payment, event),
        ...(isMore(event.received, payment.amountReceived) && {
          amountReceived: event.received,
          // The failure reason contains the amount received, so it is updated together with `amountReceived`.
          failureReason: event.reason,
          paidReference: event.reference,
          receipt: event.receipt ?? null,
        }),
      }
    case 'paid': {
      // A payment has no receipt ID if the operator credited it or if the first report contained no receipt
      // ID. Such a payment gets the first receipt ID that is reported. A later report with a different
      // receipt ID is about additional money.
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
        amountReversed: payment.amountReversed + (event.amount ?? 0n),
        receipt: payment.receipt ?? event.receipt ?? null,
        unconfirmedSince: null,
        nextCheckAt: null,
      }
    default:
      return {}
  }
}

/**
 * Returns the provider's payment ID from a report of money for the latest charge attempt. The ID of an earlier attempt
 * must not be stored, because callbacks that contain only the latest attempt's ID would then not find the payment.
 */
const idOfLatestAttempt = (payment: Payment, { reference, providerPaymentId }: Receipt): string | null =>
  reference === referenceOf(payment) ? (providerPaymentId ?? null) : null

/**
 * A partial amount is stored only if it is larger than the stored one, because reports can arrive in any
 * order.
 */
const isMore = (reported: Cents, known: Cents | null): boolean => known === null || reported > known

/**
 * How long after a payment's expiry the service sends one more status inquiry. Providers may accept money until
 * shortly after the expiry (Midtrans: up to 90 s).
 */
const INQUIRY_AFTER_EXPIRY_MS = 5 * 60_000
/**
 * The interval between inquiries about a credit that the operator made and the provider has not confirmed
 * (inquire/sweep-due-payments.ts).
 */
export const UNCONFIRMED_CHECK_MS = 60 * 60_000

/** Returns the fields that change together with the payment's status. */
function statusFields(payment: Payment, status: Status, event: PaymentEvent, at: Date): Partial<Payment> {
  if (event.type === 'outcome_unknown') return { nextCheckAt: event.nextCheckAt, failureReason: event.reason }
  if (event.type === 'charge_started') return { failureReason: null, nextCheckAt: event.nextCheckAt }
  if (status === payment.status) return {}
  switch (status) {
    case 'paid':
      if (event.type !== 'paid') throw new Error(`${event.type} cannot make a payment paid`)
      return {
        paidAt: event.paidAt,
        amountPaid: event.amountPaid,
        paidReference: event.reference,
        receipt: event.receipt ?? null,
        providerPaymentId: payment.providerPaymentId ?? idOfLatestAttempt(payment, event),
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
      // A challenged payment (in fraud review, or partly paid) may have received money, so it never expires
      // automatically. Its outcome is determined by the provider or the operator.
      return {
        failureReason: 'reason' in event ? event.reason : null,
        nextCheckAt: nextInquiryOfChallenged(payment, at, at),
      }
    default:
      return { failureReason: 'reason' in event ? event.reason : null, nextCheckAt: null }
  }
}
