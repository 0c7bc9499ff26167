// Checks that a user has recently confirmed the second factor if a refund exceeds the tenant's limit.

import { fault } from '../../faults/fault.ts'
import type { Cents } from '../../values/money.ts'
import type { PaymentRefund } from '../record/refund.ts'

export type RefundRequester = {
  /** True for a user, false for an API key. */
  byUser: boolean
  /**
   * Up to this sum, users can refund the payment without confirming the second factor again. Null if no
   * confirmation is required.
   */
  unprovenUpTo: Cents | null
}

/**
 * Throws OTP_REQUIRED if the user must confirm the second factor before the new refund. The refunds by users
 * are summed, so that the limit cannot be bypassed with several small refunds. `others` are the existing
 * refunds of the payment.
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
