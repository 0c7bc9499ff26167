import type { MoneyReturn } from './money-return.ts'

// An order is a provider's record of one payment. Invariant: once an order is paid, it stays paid. Expiry,
// cancellation or challenge are still notified afterwards, because merchants must handle that, but the record does not
// change. The exception is a failure, because real providers reverse a settlement within minutes.

export const outcomes = ['paid', 'failed', 'expired', 'cancelled', 'challenged'] as const
export type Outcome = (typeof outcomes)[number]
export type Status = 'pending' | Outcome

export type Order = {
  seq: number
  provider: string
  // The provider's own identifier.
  id: string
  // The merchant whose credential created the order. Other merchants cannot see it through the provider's protocol.
  merchant: string
  // The merchant's reference: Gapura's payment code, with a suffix for later attempts.
  reference: string
  method: string
  // The number that the payer types: a virtual account, bill key or store code. Empty if there is none.
  number: string
  customer: string
  askedCents: number
  // The amount in the provider's messages: the requested amount until the payer pays a different one.
  recordedCents: number
  status: Status
  createdAt: number
  expiresAt: number | null
  settledAt: number | null
  notificationUrls: string[]
  // Refunds and chargebacks, oldest first.
  returns: MoneyReturn[]
  // Used only by the code of the provider.
  detail: unknown
}

export type NewOrder = Omit<Order, 'seq' | 'returns'>

/**
 * Returns the order as a notification of this outcome describes it (`told`) and as the provider stores it
 * (`recorded`). The notification contains no returns: a repeated `paid` is the notification that was sent before them.
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
