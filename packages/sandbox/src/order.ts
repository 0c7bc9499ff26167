import type { MoneyReturn } from './money-return.ts'

// An order is what a provider remembers of one payment. The rule it holds: once the money has arrived
// the record says so for good. Later reports of expiry, cancellation or challenge are still sent (that
// is what makes them worth simulating) but do not take the money back; only a failure does, because
// providers really do reverse a settlement within minutes.

export const outcomes = ['paid', 'failed', 'expired', 'cancelled', 'challenged'] as const
export type Outcome = (typeof outcomes)[number]
export type Status = 'pending' | Outcome

export type Order = {
  seq: number
  provider: string
  // The provider's own identifier.
  id: string
  // The credential that created it; nobody else can see it through the provider's protocol.
  merchant: string
  // The merchant's reference: Gapura's payment code, with a suffix when it was tried again.
  reference: string
  method: string
  // What the payer types: a virtual account, bill key or store code; empty when there is none.
  number: string
  customer: string
  askedCents: number
  // What the provider's messages carry: the asked amount until a payer pays another one.
  recordedCents: number
  status: Status
  createdAt: number
  expiresAt: number | null
  settledAt: number | null
  notificationUrls: string[]
  // Refunds and chargebacks, oldest first.
  returns: MoneyReturn[]
  // Belongs to the provider's folder alone.
  detail: unknown
}

export type NewOrder = Omit<Order, 'seq' | 'returns'>

/**
 * The order as a notification of this outcome describes it, and the order as the provider records it. The
 * notification mentions no returns: a repeated `paid` is the notification that was sent before them.
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
