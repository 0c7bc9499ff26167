// A `MoneyReturn` is a refund by the merchant or provider, or a chargeback by the payer's bank. The order stays paid,
// but the provider holds less money for the merchant.

// `dispute_won`: the merchant successfully contested a chargeback, so the payer gets no money back.
export const returnOutcomes = ['refunded', 'partially_refunded', 'chargeback', 'dispute_won'] as const
export type ReturnOutcome = (typeof returnOutcomes)[number]

export type ReturnKind = 'refund' | 'chargeback'

export type MoneyReturn = {
  // The provider's ID for this refund or chargeback.
  id: string
  kind: ReturnKind
  // The merchant's reference for this refund. Null if there is none, for example because the provider initiated the
  // refund.
  key: string | null
  // The amount of this refund or chargeback only, excluding earlier ones.
  amountCents: number
  // If the status is `failed`, no money was moved.
  status: 'pending' | 'succeeded' | 'failed'
  reason: string
  createdAt: number
  // When the refund or chargeback succeeded or failed.
  finalAt: number | null
}

/** The order fields (order.ts) read by the functions below. */
type WithReturns = { returns: MoneyReturn[] }
type Paid = WithReturns & { status: string; recordedCents: number }

/**
 * Returns the sum of all refunds and chargebacks, excluding failed ones. Pending refunds are included, so their
 * money cannot be refunded again.
 */
export function returnedCents({ returns }: WithReturns, kind?: ReturnKind): number {
  return returns
    .filter(each => each.status !== 'failed' && (kind === undefined || each.kind === kind))
    .reduce((sum, each) => sum + each.amountCents, 0)
}

/**
 * Returns how many cents the provider holds for the merchant: the paid amount minus refunds and chargebacks. The
 * result is negative if a later payment for the order is smaller than the refunds.
 */
export function heldCents(order: Paid): number {
  return order.status === 'paid' ? order.recordedCents - returnedCents(order) : 0
}

/** Returns true if the whole paid amount has been refunded or charged back. */
export function isFullyReturned(order: Paid): boolean {
  return returnedCents(order) > 0 && heldCents(order) <= 0
}

export function refundsOf({ returns }: WithReturns): MoneyReturn[] {
  return returns.filter(({ kind, status }) => kind === 'refund' && status !== 'failed')
}

/**
 * Returns the order's newest refund or chargeback that has not failed. Whether it is a refund or a chargeback
 * determines the status that the provider reports for the order.
 */
export function latestReturn({ returns }: WithReturns): MoneyReturn | undefined {
  return returns.findLast(({ status }) => status !== 'failed')
}

/** Adds the refund or chargeback to the order, or replaces the entry with the same ID. */
export function withReturn<Order extends WithReturns>(order: Order, returned: MoneyReturn): Order {
  const others = order.returns.filter(({ id }) => id !== returned.id)
  return { ...order, returns: [...others, returned] }
}
