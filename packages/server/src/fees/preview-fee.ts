// Computes the fee that a payment with the given amount, method and channel would have if it were created
// now.

import { type Fee, feeOf, pricingTerm } from './fee.ts'
import { formulaText } from './fee-reason.ts'
import type { PaymentChannel } from './fee-rule.ts'
import { feeTermsAt, type TenantFees } from './fee-schedule.ts'

export function previewFee(
  fees: TenantFees,
  channel: PaymentChannel,
  amount: bigint,
  at: Date,
): { fee: Fee; formula: string | null } {
  const terms = feeTermsAt(fees, channel, at) ?? { operator: null, partner: null }
  const term = pricingTerm(terms, amount)
  return { fee: feeOf(terms, amount), formula: term && formulaText(term) }
}
