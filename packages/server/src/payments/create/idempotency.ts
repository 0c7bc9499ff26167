// Decides how to handle a request with a repeated idempotency key. The decision depends on the payment's status. A
// key stays unique per tenant and mode forever.

import { PROVIDER_TIMEOUT_MS } from '../../providers/http-client.ts'
import type { Payment } from '../payment.ts'
import type { CreatePaymentInput } from './create-input.ts'
import { fingerprintOf } from './fingerprint.ts'

/**
 * Every charge ends within this time after its start. The time covers the provider timeout plus 5 s for the
 * two commits.
 */
export const CHARGE_ENDS_AFTER_MS = PROVIDER_TIMEOUT_MS + 5_000

export type RepeatAction =
  /** The request is rejected, because its idempotency key was already used for a different order. */
  | 'conflict'
  /** The request waits, because another request is currently charging the payment. */
  | 'wait'
  /** The outcome of the charge is unknown, so the request first sends a status inquiry to the provider. */
  | 'inquire'
  /** The provider certainly has no order for this payment, so the request charges the payment again. */
  | 'charge'
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
      return 'charge'
    case 'rejected':
      return 'refuse'
    default:
      return 'replay'
  }
}
