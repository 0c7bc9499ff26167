// Decides how to handle a request with a repeated idempotency key. The decision depends on the payment's status. A
// key stays unique per tenant and mode forever.

import { PROVIDER_TIMEOUT_MS, SEND_WITHIN_MS } from '../../providers/http-client.ts'
import type { Payment } from '../payment.ts'
import type { CreatePaymentInput } from './create-input.ts'
import { fingerprintOf } from './fingerprint.ts'

/**
 * The maximum age of a charge attempt when its charge is sent. The age is measured from the payment's `updatedAt`, which
 * is set before the attempt is stored. If storing it took longer, the charge is not sent (charge-payment.ts).
 */
export const CHARGE_STARTS_WITHIN_MS = 5_000

/**
 * Every charge ends within this time after the payment's `updatedAt`. Afterwards, no charge is in flight, so other
 * requests and the sweep may send inquiries about the payment.
 */
export const CHARGE_ENDS_AFTER_MS = CHARGE_STARTS_WITHIN_MS + SEND_WITHIN_MS + PROVIDER_TIMEOUT_MS

/** The number of charge attempts of a payment that may start without a pause between them. */
const ATTEMPTS_WITHOUT_PAUSE = 100
/** Each further attempt makes the pause this much longer. */
const PAUSE_PER_ATTEMPT_MS = 10_000

/**
 * Returns how long after its last attempt an uncharged payment may be charged again. The growing pause limits the number
 * of attempts if a client retries in a tight loop, because the attempt's number is stored as a smallint.
 */
export const pauseBeforeChargeMs = ({ status, attempt }: Pick<Payment, 'status' | 'attempt'>): number =>
  status === 'uncharged' ? Math.max(0, attempt - ATTEMPTS_WITHOUT_PAUSE) * PAUSE_PER_ATTEMPT_MS : 0

export type RepeatAction =
  /** The request is rejected, because its idempotency key was already used for a different order. */
  | 'conflict'
  /** The request waits, because another request is currently charging the payment. */
  | 'wait'
  /** The outcome of the charge is unknown, so the request first sends a status inquiry to the provider. */
  | 'inquire'
  /** The provider certainly has no order for this payment, so the request charges the payment again. */
  | 'charge'
  /** The payment had many charge attempts, so the request gets the last attempt's error until a pause has passed. */
  | 'postpone'
  /** The provider rejected the payment, so the repeated request gets the same error as the first. */
  | 'refuse'
  /** The request returns the payment as it is, without another charge or inquiry. */
  | 'replay'

/** Returns how to handle a request with a repeated idempotency key. `payment` is the payment with this key. */
export function actionForRepeat(payment: Payment, input: CreatePaymentInput, now: Date): RepeatAction {
  if (!payment.fingerprint.equals(fingerprintOf(input, payment.fingerprintVersion))) return 'conflict'
  switch (payment.status) {
    case 'charging':
      // The time since the last update shows whether the charge may still be in flight. `next_check_at` does not show
      // this, because sweep-due-payments.ts postpones the check while the provider does not respond.
      return now.getTime() - payment.updatedAt.getTime() < CHARGE_ENDS_AFTER_MS ? 'wait' : 'inquire'
    case 'unknown':
      return 'inquire'
    case 'uncharged':
      // With a clock that is behind, the payment may seem to have been updated in the future.
      return Math.max(0, now.getTime() - payment.updatedAt.getTime()) < pauseBeforeChargeMs(payment)
        ? 'postpone'
        : 'charge'
    case 'rejected':
      return 'refuse'
    default:
      return 'replay'
  }
}
