import type { GatewayError } from '../../faults/errors.ts'
import { fault } from '../../faults/fault.ts'
import type { BrokenRefundRule } from '../../providers/refund-terms.ts'
import { toJsonNumber } from '../../values/money.ts'

/**
 * Converts a violation of a provider's refund rule to an API error that explains the rule. The rule `other_order` is
 * broken if the money was received under an order that does not belong to the payment.
 */
export function refundRuleFault(
  broken: BrokenRefundRule | { rule: 'other_order' },
  of: { provider: string; channel: string },
): GatewayError {
  const amount = { field: 'amount' }
  switch (broken.rule) {
    case 'no_refunds':
      return fault('bank_account_needed', of, { field: 'bank_account' })
    case 'other_order':
      return fault('bank_account_for_assigned_money', { provider: of.provider }, { field: 'bank_account' })
    case 'full_only':
      return fault('refund_full_only', { ...of, amount: toJsonNumber(broken.amount) }, amount)
    case 'max_refunds':
      return fault('refunds_too_many', { ...of, max: broken.max })
    case 'window':
      return fault('refund_too_late', { ...of, days: broken.days, endedAt: broken.endedAt.toISOString() })
    case 'hours':
      return fault('refund_outside_hours', {
        ...of,
        from: broken.from,
        to: broken.to,
        opensAt: broken.opensAt.toISOString(),
      })
    case 'min_amount':
      return fault('refund_too_small', { ...of, min: toJsonNumber(broken.min) }, amount)
    case 'whole_rupiah':
      return fault('whole_rupiah_only', of, amount)
  }
}
