// Money that went back to the payer: a refund, or a chargeback by the payer's bank. An order stays paid; what the
// provider still holds is what was paid less what was returned.

// dispute_won: a chargeback that the merchant contested, and whose money stays.
export const returnOutcomes = ['refunded', 'partially_refunded', 'chargeback', 'dispute_won'] as const
export type ReturnOutcome = (typeof returnOutcomes)[number]

export type ReturnKind = 'refund' | 'chargeback'

export type MoneyReturn = {
  // The provider's own identifier of this return.
  id: string
  kind: ReturnKind
  // The merchant's reference. Null where the provider made the return itself.
  key: string | null
  // Of this return alone, never a running total.
  amountCents: number
  // failed: no money moved after all.
  status: 'pending' | 'succeeded' | 'failed'
  reason: string
  createdAt: number
  // When it succeeded or failed.
  finalAt: number | null
}

/** What an order's returns depend on (order.ts). */
type WithReturns = { returns: MoneyReturn[] }
type Paid = WithReturns & { status: string; recordedCents: number }

/** Pending returns count: the money is promised to the payer. */
export function returnedCents({ returns }: WithReturns, kind?: ReturnKind): number {
  return returns
    .filter(each => each.status !== 'failed' && (kind === undefined || each.kind === kind))
    .reduce((sum, each) => sum + each.amountCents, 0)
}

/** What the provider holds for the merchant: paid less returned, in cents. Negative if a later payment was smaller. */
export function heldCents(order: Paid): number {
  return order.status === 'paid' ? order.recordedCents - returnedCents(order) : 0
}

/** Whether nothing is left of what was paid. */
export function isFullyReturned(order: Paid): boolean {
  return returnedCents(order) > 0 && heldCents(order) <= 0
}

export function refundsOf({ returns }: WithReturns): MoneyReturn[] {
  return returns.filter(({ kind, status }) => kind === 'refund' && status !== 'failed')
}

/** The newest return that counts; a provider's status names its kind. */
export function latestReturn({ returns }: WithReturns): MoneyReturn | undefined {
  return returns.findLast(({ status }) => status !== 'failed')
}

/** The order with this return added or, if it has it already, replaced. */
export function withReturn<Order extends WithReturns>(order: Order, returned: MoneyReturn): Order {
  const others = order.returns.filter(({ id }) => id !== returned.id)
  return { ...order, returns: [...others, returned] }
}
