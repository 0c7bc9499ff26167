import type { MoneyReturn } from './money-return.ts'

// An order is a provider's record of one payment. Only a failure or a second payment changes a paid order:
// real providers sometimes reverse a settlement within minutes. If a paid order expires, is cancelled or is
// challenged (held for a fraud check), the sandbox only sends the notification.

export const outcomes = ['paid', 'failed', 'expired', 'cancelled', 'challenged'] as const
export type Outcome = (typeof outcomes)[number]
export type Status = 'pending' | Outcome

export type Order = {
  seq: number
  provider: string
  // The ID that the provider gave to the order.
  id: string
  // The merchant that created the order. No other merchant can see the order.
  merchant: string
  // The merchant's reference of the order. Gapura uses the payment code, and adds a suffix from the second attempt on.
  reference: string
  method: string
  // The number that the payer enters: a virtual account, bill key or store code. Empty if the payment has no number.
  number: string
  customer: string
  askedCents: number
  // The amount that the provider reports. It is the requested amount, or the amount that the payer paid.
  recordedCents: number
  status: Status
  createdAt: number
  expiresAt: number | null
  settledAt: number | null
  notificationUrls: string[]
  // The refunds and chargebacks of the order, oldest first.
  returns: MoneyReturn[]
  // Fields that are specific to one provider. Only the code of this provider reads them.
  detail: unknown
}

export type NewOrder = Omit<Order, 'seq' | 'returns'>

/**
 * Applies an outcome to an order. The notification describes the order `told`, and the provider stores the order
 * `recorded`. `told` has no refunds or chargebacks, so every `paid` notification of an order has the same content.
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
