import type { MoneyReturn } from './money-return.ts'

// An order is a provider's record of one payment.
// - A paid order can be paid a second time.
// - A paid order can also fail, because real providers sometimes reverse a settlement within minutes.
// - A challenged order is held for a fraud check.
// - If a test expires, cancels or challenges a paid order, the sandbox sends the notification, but the order stays
//   paid.

export const outcomes = ['paid', 'failed', 'expired', 'cancelled', 'challenged'] as const
export type Outcome = (typeof outcomes)[number]
export type Status = 'pending' | Outcome

export type Order = {
  seq: number
  provider: string
  // The provider's ID for the order.
  id: string
  // The merchant that created the order. The order is hidden from all other merchants.
  merchant: string
  // The merchant's order reference. Gapura uses its payment code as the reference. From the second attempt onward,
  // Gapura adds a suffix to the code.
  reference: string
  method: string
  // The number the payer enters: a virtual account, bill key or store code. Empty if the payment has no number.
  number: string
  customer: string
  askedCents: number
  // The amount reported by the provider: either the requested amount or the amount the payer paid.
  recordedCents: number
  status: Status
  createdAt: number
  expiresAt: number | null
  settledAt: number | null
  notificationUrls: string[]
  // The order's refunds and chargebacks, oldest first.
  returns: MoneyReturn[]
  // Fields specific to one provider. Only that provider's code reads them.
  detail: unknown
}

export type NewOrder = Omit<Order, 'seq' | 'returns'>

/**
 * Applies an outcome to an order. Returns the order as described in the notification (`told`) and as stored by
 * the provider (`recorded`). `told` has no refunds or chargebacks, so that all `paid` notifications of an
 * order have the same content.
 */
export function meetOutcome(
  order: Order,
  outcome: Outcome,
  amountCents: number | undefined,
  now: number,
): { told: Order; recorded: Order } {
  const reversed = order.status === 'paid' && outcome === 'failed'
  const told: Order = {
    ...order,
    status: outcome,
    recordedCents: amountCents ?? (reversed ? order.recordedCents : order.askedCents),
    settledAt: outcome === 'paid' ? now : null,
    returns: [],
  }
  const moneyStays = order.status === 'paid' && outcome !== 'paid' && !reversed
  return { told, recorded: moneyStays ? order : told }
}
