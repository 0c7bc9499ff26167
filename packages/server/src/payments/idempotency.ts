// The payment's row is the record of its idempotency key (unique for tenant and mode, for ever), so a repeat
// finds the payment itself and goes on where it stands.

import { PROVIDER_TIMEOUT_MS } from '../providers/request.ts'
import type { CreatePaymentInput } from './create-input.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Payment } from './payment.ts'

/** When a charge that is still running must have ended; time for the two commits included. */
export const CHARGE_ENDS_AFTER_MS = PROVIDER_TIMEOUT_MS + 5_000

export type Repeat =
  /** The key was used for another order. */
  | 'conflict'
  /** Somebody is asking the provider right now. */
  | 'wait'
  /** What the provider knows has to be found out first. */
  | 'inquire'
  /** Nothing exists at the provider: charge again. */
  | 'charge'
  /** Answer the refusal again. */
  | 'refuse'
  /** Answer the payment as it is. */
  | 'replay'

/** What a repeat of a key calls for, by the payment that holds it. */
export function repeatOf(payment: Payment, input: CreatePaymentInput, now: Date): Repeat {
  if (!payment.fingerprint.equals(fingerprintOf(input, payment.fingerprintVersion))) return 'conflict'
  switch (payment.status) {
    case 'charging':
      // Not next_check_at: the sweep puts that off for as long as the provider does not answer.
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
