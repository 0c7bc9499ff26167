// Checks a refund against the provider's terms for the channel before the refund is requested. Uses the same rules
// as the server.

import { type BrokenRefundRule, brokenRefundRule } from '@gapura/server/refund-terms'
import type { RefundOffer } from './refund-words.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Returns the rule that prevents the provider from refunding the amount, or undefined if the provider can refund
 * it.
 */
export function ruleAgainst(offer: RefundOffer, cents: number, at: Date): BrokenRefundRule | undefined {
  const { terms } = offer
  return brokenRefundRule(
    terms
      ? {
          amounts: terms.amounts,
          ...(terms.max_refunds !== null && { maxRefunds: terms.max_refunds }),
          ...(terms.window_days !== null && { windowDays: terms.window_days }),
          ...(terms.hours !== null && { hours: terms.hours as { from: `0:0`; to: `0:0` } }),
          ...(terms.min_amount !== null && { minAmount: BigInt(terms.min_amount) }),
        }
      : undefined,
    {
      amount: BigInt(cents),
      amountPaid: BigInt(offer.amount_paid),
      refunded: BigInt(offer.refunded),
      refunds: offer.refunds,
      paidAt: new Date(offer.paid_at),
      at,
    },
  )
}

/**
 * Returns the deadline that the provider sets for refunding the payment, or undefined if there is no
 * deadline.
 */
export const refundableUntil = ({ paid_at, terms }: RefundOffer): string | undefined =>
  terms?.window_days == null
    ? undefined
    : new Date(Date.parse(paid_at) + terms.window_days * DAY_MS).toISOString()
