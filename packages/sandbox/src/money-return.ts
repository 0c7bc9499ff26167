// Returns of money: refunds by the merchant or provider, and chargebacks by the payer's bank. An order with returns
// stays paid. The provider then holds the paid amount minus the returned amount.

// `dispute_won` is a chargeback that the merchant contested successfully, so no money is returned.
export const returnOutcomes = ['refunded', 'partially_refunded', 'chargeback', 'dispute_won'] as const
export type ReturnOutcome = (typeof returnOutcomes)[number]

export type ReturnKind = 'refund' | 'chargeback'

export type MoneyReturn = {
  // The provider's identifier of this return.
  id: string
  kind: ReturnKind
  // The merchant's reference of this return; null if the provider initiated the return.
  key: string | null
  // The amount of this return only, not a running total.
  amountCents: number
  // With status `failed`, no money was returned.
  status: 'pending' | 'succeeded' | 'failed'
  reason: string
  createdAt: number
  // The time at which the return succeeded or failed.
  finalAt: number | null
}

/** The parts of an order (order.ts) that these functions need. */
type WithReturns = { returns: MoneyReturn[] }
type Paid = WithReturns & { status: string; recordedCents: number }

/**
 * Returns the sum of all returns that did not fail. Pending returns count, because their money is already promised to
 * the payer.
 */
export function returnedCents({ returns }: WithReturns, kind?: ReturnKind): number {
  return returns
    .filter(each => each.status !== 'failed' && (kind === undefined || each.kind === kind))
    .reduce((sum, each) => sum + each.amountCents, 0)
}

/**
 * Returns the amount in cents that the provider holds for the merchant: the paid amount minus the returned amount. The
 * result is negative if the order was later paid again with a smaller amount.
 */
export function heldCents(order: Paid): number {
  return order.status === 'paid' ? order.recordedCents - returnedCents(order) : 0
}

/** True if the whole paid amount has been returned. */
export function isFullyReturned(order: Paid): boolean {
  return returnedCents(order) > 0 && heldCents(order) <= 0
}

export function refundsOf({ returns }: WithReturns): MoneyReturn[] {
  return returns.filter(({ kind, status }) => kind === 'refund' && status !== 'failed')
}

/** Returns the newest return that did not fail. The provider's status of the order depends on its kind. */
export function latestReturn({ returns }: WithReturns): MoneyReturn | undefined {
  return returns.findLast(({ status }) => status !== 'failed')
}

/** Adds the return to the order, or replaces the return with the same ID. */
export function withReturn<Order extends WithReturns>(order: Order, returned: MoneyReturn): Order {
  const others = order.returns.filter(({ id }) => id !== returned.id)
  return { ...order, returns: [...others, returned] }
}
