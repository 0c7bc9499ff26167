// A `MoneyReturn` is a refund by the merchant or provider, or a chargeback by the payer's bank. A paid order stays paid
// after refunds and chargebacks. The provider then holds the paid amount minus the refunded and charged-back amounts.

// `dispute_won` is a chargeback that the merchant contested successfully, so no money is returned.
export const returnOutcomes = ['refunded', 'partially_refunded', 'chargeback', 'dispute_won'] as const
export type ReturnOutcome = (typeof returnOutcomes)[number]

export type ReturnKind = 'refund' | 'chargeback'

export type MoneyReturn = {
  // The ID that the provider gave to this refund or chargeback.
  id: string
  kind: ReturnKind
  // The reference that the merchant gave to this refund. Null if the merchant gave no reference, for example because
  // the provider initiated the refund.
  key: string | null
  // The amount of this refund or chargeback alone, without earlier refunds and chargebacks.
  amountCents: number
  // The progress of the refund or chargeback. If the status is `failed`, no money was moved.
  status: 'pending' | 'succeeded' | 'failed'
  reason: string
  createdAt: number
  // The time at which the refund or chargeback succeeded or failed.
  finalAt: number | null
}

/** The fields of an order (order.ts) that the functions below read. */
type WithReturns = { returns: MoneyReturn[] }
type Paid = WithReturns & { status: string; recordedCents: number }

/**
 * Returns the sum of all refunds and chargebacks that did not fail. Pending refunds are included, because their money
 * must not be refunded a second time.
 */
export function returnedCents({ returns }: WithReturns, kind?: ReturnKind): number {
  return returns
    .filter(each => each.status !== 'failed' && (kind === undefined || each.kind === kind))
    .reduce((sum, each) => sum + each.amountCents, 0)
}

/**
 * Returns the amount in cents that the provider holds for the merchant: the paid amount minus refunds and chargebacks.
 * The result is negative if the order was later paid again with a smaller amount.
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
 * Returns the newest refund or chargeback that did not fail. Its kind determines the status that the provider reports
 * for the order.
 */
export function latestReturn({ returns }: WithReturns): MoneyReturn | undefined {
  return returns.findLast(({ status }) => status !== 'failed')
}

/** Adds the refund or chargeback to the order, or replaces the entry with the same ID. */
export function withReturn<Order extends WithReturns>(order: Order, returned: MoneyReturn): Order {
  const others = order.returns.filter(({ id }) => id !== returned.id)
  return { ...order, returns: [...others, returned] }
}
