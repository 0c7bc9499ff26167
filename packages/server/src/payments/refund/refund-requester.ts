// A refund by a user that exceeds the tenant's limit needs a second factor that the user confirmed recently.

import { fault } from '../../faults/fault.ts'
import type { Cents } from '../../values/money.ts'
import type { PaymentRefund } from '../record/refund.ts'

export type RefundRequester = {
  /** True for a user, false for an API key. */
  byUser: boolean
  /**
   * The sum up to which users can refund the payment without confirming the second factor again. Null if the requester
   * needs no confirmation.
   */
  unprovenUpTo: Cents | null
}

/**
 * Throws OTP_REQUIRED if the user must confirm the second factor before the new refund. The refunds of users are summed,
 * so that several small refunds of a payment cannot avoid the limit. `others` are the existing refunds of the payment.
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
