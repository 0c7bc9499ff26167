import type { MoneyReturn } from './money-return.ts'

// An order is a provider's record of one payment. Invariant: once an order is paid, it stays paid. If the provider
// later reports the order as expired, cancelled or challenged (held for a fraud check), only a notification is sent.
// Merchants must handle such notifications. Only a failure changes a paid order, because real providers sometimes
// reverse a settlement within minutes.

export const outcomes = ['paid', 'failed', 'expired', 'cancelled', 'challenged'] as const
export type Outcome = (typeof outcomes)[number]
export type Status = 'pending' | Outcome

export type Order = {
  seq: number
  provider: string
  // The ID that the provider gave to the order.
  id: string
  // The merchant whose credential created the order. The provider's protocol shows the order to no other merchant.
  merchant: string
  // The merchant's reference of the order. For Gapura, the reference is the payment code, with a suffix for the
  // second and later attempts.
  reference: string
  method: string
  // The number that the payer enters: a virtual account, bill key or store code. Empty if the payment has no number.
  number: string
  customer: string
  askedCents: number
  // The amount that the provider reports: the requested amount, unless the payer paid a different amount.
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
 * Applies an outcome to an order. `told` is the order as the notification describes it, and `recorded` is the order as
 * the provider stores it. `told` has no refunds or chargebacks, so a repeated `paid` notification equals the first
 * `paid` notification.
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
