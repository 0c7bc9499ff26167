// Decides what a request with a repeated idempotency key does. The payment's row stores its key, which is unique per
// tenant and mode forever. A repeated request therefore continues from the payment's current status.

import { PROVIDER_TIMEOUT_MS } from '../../providers/http-client.ts'
import type { Payment } from '../payment.ts'
import type { CreatePaymentInput } from './create-input.ts'
import { fingerprintOf } from './fingerprint.ts'

/**
 * A charge that started this long ago must have ended: the time is the provider timeout plus time for the two commits.
 */
export const CHARGE_ENDS_AFTER_MS = PROVIDER_TIMEOUT_MS + 5_000

export type RepeatAction =
  /** The idempotency key was used for a different order. */
  | 'conflict'
  /** Another request is charging the payment now, so this request waits. */
  | 'wait'
  /** The provider must be polled for the payment's status first. */
  | 'inquire'
  /** Nothing exists at the provider, so the payment is charged again. */
  | 'charge'
  /** The stored rejection is returned again. */
  | 'refuse'
  /** The payment is returned as it is. */
  | 'replay'

/** Returns what a request with a repeated idempotency key does, given the payment that was created with that key. */
export function actionForRepeat(payment: Payment, input: CreatePaymentInput, now: Date): RepeatAction {
  if (!payment.fingerprint.equals(fingerprintOf(input, payment.fingerprintVersion))) return 'conflict'
  switch (payment.status) {
    case 'charging':
      // `next_check_at` cannot show whether the charge is still running, because the sweep postpones it while the
      // provider does not respond.
      return now.getTime() - payment.updatedAt.getTime() < CHARGE_ENDS_AFTER_MS ? 'wait' : 'inquire'
    case 'unknown':
      return 'inquire'
    case 'uncharged':
      return 'charge'
    case 'rejected':
      return 'refuse'
    default:
      return 'replay'
  }
}
