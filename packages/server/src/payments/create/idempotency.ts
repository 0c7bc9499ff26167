// Decides how to handle a request with a repeated idempotency key. The decision depends on the payment's status. A
// key stays unique per tenant and mode forever.

import { PROVIDER_TIMEOUT_MS, SEND_WITHIN_MS } from '../../providers/http-client.ts'
import type { Payment } from '../payment.ts'
import type { CreatePaymentInput } from './create-input.ts'
import { fingerprintOf } from './fingerprint.ts'

/**
 * The maximum time from the start of a charge attempt until its charge is sent. The attempt starts at the payment's
 * `updatedAt`, which is set before the attempt is stored. If storing the attempt took longer, the charge is not sent
 * (charge-payment.ts).
 */
export const CHARGE_STARTS_WITHIN_MS = 5_000

/**
 * Every charge of a payment ends within this time after the payment's `updatedAt`. Only afterward may other requests
 * and the sweep (the periodic job for due work) send status inquiries about the payment.
 */
export const CHARGE_ENDS_AFTER_MS = CHARGE_STARTS_WITHIN_MS + SEND_WITHIN_MS + PROVIDER_TIMEOUT_MS

/** If a payment has had more charge attempts than this, its next charge requires a pause. */
const ATTEMPTS_WITHOUT_PAUSE = 100
/**
 * After ATTEMPTS_WITHOUT_PAUSE charge attempts, each further attempt lengthens the pause before the next
 * charge by this many milliseconds.
 */
const PAUSE_PER_ATTEMPT_MS = 10_000

/**
 * Returns how long an uncharged payment must wait after its last charge attempt before it may be charged again. The
 * pause grows with the number of attempts. A client that retries in a tight loop therefore cannot use up the attempt
 * numbers, which are stored as a smallint.
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
  /**
   * The payment has had many charge attempts, so the next attempt must wait. Until then, the repeated request gets the
   * same error as the last attempt.
   */
  | 'postpone'
  /** The provider rejected the payment, so the repeated request gets the same error as the first. */
  | 'refuse'
  /** The repeated request gets the payment in its current state, without another charge or status inquiry. */
  | 'replay'

/** Returns how to handle a request with a repeated idempotency key. `payment` is the payment with this key. */
export function actionForRepeat(payment: Payment, input: CreatePaymentInput, now: Date): RepeatAction {
  if (!payment.fingerprint.equals(fingerprintOf(input, payment.fingerprintVersion))) return 'conflict'
  switch (payment.status) {
    case 'charging':
      // The time since the payment's last update shows whether its charge may still be in flight. `next_check_at` does
      // not, because sweep-due-payments.ts postpones it while the provider does not respond.
      return now.getTime() - payment.updatedAt.getTime() < CHARGE_ENDS_AFTER_MS ? 'wait' : 'inquire'
    case 'unknown':
      return 'inquire'
    case 'uncharged':
      // If this process's clock is behind, the time of the payment's last update may seem to be in the
      // future.
      return Math.max(0, now.getTime() - payment.updatedAt.getTime()) < pauseBeforeChargeMs(payment)
        ? 'postpone'
        : 'charge'
    case 'rejected':
      return 'refuse'
    default:
      return 'replay'
  }
}
