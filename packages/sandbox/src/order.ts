import type { MoneyReturn } from './money-return.ts'

// An order is a provider's record of one payment. Only a failure or a second payment changes a paid order, because
// real providers sometimes reverse a settlement within minutes. If a paid order expires, is cancelled or is
// challenged (held for a fraud check), the sandbox only sends the notification.

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
  // The merchant's order reference. Gapura uses the payment code, and adds a suffix from the second attempt onward.
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
 * Applies an outcome to an order. `told` is the order described in the notification, and `recorded` is the order
 * the provider stores. `told` has no refunds or chargebacks, so all of an order's `paid` notifications have the
 * same content.
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
