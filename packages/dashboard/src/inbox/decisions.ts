// The possible decisions on unexpected money (money that matches no open payment), and their effects on the ledger.
// These rules must equal those that the service applies, in packages/server/src/inbox/decision.ts.

import { isReturn, type Money } from './inbox-words.ts'

export type Verb = 'accept' | 'assign' | 'refund' | 'dismiss'

/**
 * A decision's effect on the merchant's balance.
 *
 * - `credited`, `credited_besides` and `assigned` credit the balance.
 * - `debited`, `return_debited` and `return_assigned` debit the balance.
 * - `noted` and `noted_reversal` change nothing, because the ledger already includes the money.
 * - All other effects change nothing, because the ledger never included the money.
 *
 * `returned_part` is the refund of a partial payment. The underpaid payment then becomes `failed`.
 * `returned_by_you` means that the Owner (the service's operator) must return the money, because it belongs to no
 * known payment.
 */
export type Effect =
  | 'noted'
  | 'noted_reversal'
  | 'credited'
  | 'credited_besides'
  | 'assigned'
  | 'debited'
  | 'returned'
  | 'returned_part'
  | 'returned_by_you'
  | 'return_debited'
  | 'return_assigned'
  | 'dismissed'

type Known = Pick<Money, 'kind' | 'status' | 'in_ledger' | 'payment_id' | 'amount' | 'expected_amount'>

export function verbsFor({ kind, status, payment_id }: Known): Verb[] {
  if (status === 'refunded' || status === 'dismissed') return []
  if (isReturn({ kind }))
    return status === 'open' ? [payment_id === null ? 'assign' : 'accept', 'dismiss'] : []
  if (kind === 'reversal') return status === 'open' ? ['accept'] : []
  if (status === 'accepted') return ['refund']
  return payment_id === null ? ['assign', 'refund'] : ['accept', 'refund']
}

export function effectOf(verb: Verb, { kind, in_ledger, payment_id }: Known): Effect {
  switch (verb) {
    case 'dismiss':
      return 'dismissed'
    case 'accept':
      if (isReturn({ kind })) return 'return_debited'
      if (kind === 'reversal') return 'noted_reversal'
      if (in_ledger) return 'noted'
      return isForPaid.includes(kind) ? 'credited_besides' : 'credited'
    case 'assign':
      return isReturn({ kind }) ? 'return_assigned' : 'assigned'
    case 'refund':
      if (payment_id === null) return 'returned_by_you'
      if (in_ledger) return 'debited'
      return kind === 'underpaid' ? 'returned_part' : 'returned'
  }
}

/** The kinds of unexpected money received by a provider for a payment that was already paid. */
const isForPaid: Known['kind'][] = ['second_payment', 'increase', 'paid_after_reversal']

/**
 * Returns whether the provider reported a refund or chargeback without its amount. If so, the Owner (the service's
 * operator) must enter the amount.
 */
export const isUnreported = ({ kind, amount }: Pick<Known, 'kind' | 'amount'>): boolean =>
  isReturn({ kind }) && amount === 0

/**
 * Returns the default refund amount for unexpected money (money that matches no open payment), in cents: the excess
 * for an overpayment, or the full amount for any other money.
 */
export const usualRefund = ({ kind, amount, expected_amount }: Known): number =>
  kind === 'overpaid' && expected_amount !== null ? amount - expected_amount : amount
