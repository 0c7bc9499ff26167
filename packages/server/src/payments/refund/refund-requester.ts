// Requires a user to have recently confirmed the second factor if a refund exceeds the tenant's limit.

import { fault } from '../../faults/fault.ts'
import type { Cents } from '../../values/money.ts'
import type { PaymentRefund } from '../record/refund.ts'

export type RefundRequester = {
  /** True if a user requests the refund, false if it is requested with an API key. */
  byUser: boolean
  /**
   * The total up to which users can refund a payment without confirming the second factor again. Null if no
   * confirmation is required.
   */
  unprovenUpTo: Cents | null
}

/**
 * Throws OTP_REQUIRED if the user must confirm the second factor before this refund. No confirmation is needed up to
 * `unprovenUpTo`. This limit applies to the total of all refunds of the payment by users, so several small refunds
 * cannot bypass it. `others` are the payment's existing refunds.
 */
export function requireProofOfRefund(
  { unprovenUpTo }: RefundRequester,
  others: readonly PaymentRefund[],
  { amount }: Pick<PaymentRefund, 'amount'>,
): void {
  if (unprovenUpTo === null) return
  const earlier = others.filter(({ byUser, status }) => byUser && status !== 'failed')
  const sum = earlier.reduce((total, each) => total + each.amount, amount)
  if (sum > unprovenUpTo) throw fault('second_factor_stale')
}
