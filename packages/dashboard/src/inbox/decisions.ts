// The possible decisions on unexpected money (money that matches no open payment), and their effects on the ledger.
// These rules must match the service's rules in packages/server/src/inbox/decision.ts.

import { isReturn, type Money } from './inbox-words.ts'

export type Verb = 'accept' | 'assign' | 'refund' | 'dismiss'

/**
 * A decision's effect on the merchant's balance.
 *
 * - The effects `credited`, `credited_besides` and `assigned` credit the balance.
 * - The effects `debited`, `refund_debited`, `chargeback_debited`, `refund_assigned` and `chargeback_assigned` debit
 *   the balance.
 * - The effects `noted` and `noted_reversal` leave the balance unchanged, because the ledger already includes the
 *   money.
 * - All other effects leave the balance unchanged, because the ledger never included the unexpected money.
 *
 * With the effect `returned_part`, a partial payment is refunded, and the underpaid payment becomes `failed`.
 * With the effect `returned_by_you`, the money belongs to no known payment, so the Owner (the service's operator)
 * must return the money.
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
  | 'refund_debited'
  | 'chargeback_debited'
  | 'refund_assigned'
  | 'chargeback_assigned'
  | 'dismissed'
  | 'dismissed_unconfirmed'

type Known = Pick<Money, 'kind' | 'status' | 'in_ledger' | 'payment_id' | 'amount' | 'expected_amount'>

export function verbsFor({ kind, status, payment_id, in_ledger }: Known): Verb[] {
  if (status === 'refunded' || status === 'dismissed') return []
  if (isReturn({ kind }))
    return status === 'open' ? [payment_id === null ? 'assign' : 'accept', 'dismiss'] : []
  if (kind === 'reversal') return status === 'open' ? ['accept'] : []
  if (status === 'accepted') return ['refund']
  if (kind === 'unconfirmed' && !in_ledger) return ['accept', 'dismiss']
  return payment_id === null ? ['assign', 'refund'] : ['accept', 'refund']
}

export function effectOf(verb: Verb, { kind, in_ledger, payment_id }: Known): Effect {
  switch (verb) {
    case 'dismiss':
      return isReturn({ kind }) ? 'dismissed' : 'dismissed_unconfirmed'
    case 'accept':
      if (kind === 'refund') return 'refund_debited'
      if (kind === 'chargeback') return 'chargeback_debited'
      if (kind === 'reversal') return 'noted_reversal'
      if (in_ledger) return 'noted'
      return isForPaid.includes(kind) ? 'credited_besides' : 'credited'
    case 'assign':
      if (kind === 'refund') return 'refund_assigned'
      return kind === 'chargeback' ? 'chargeback_assigned' : 'assigned'
    case 'refund':
      if (payment_id === null) return 'returned_by_you'
      if (in_ledger) return 'debited'
      return kind === 'underpaid' ? 'returned_part' : 'returned'
  }
}

/** The kinds of unexpected money that a provider receives after the payment was already paid. */
const isForPaid: Known['kind'][] = ['second_payment', 'increase', 'paid_after_reversal']

/**
 * Returns whether the provider reported a refund or chargeback without its amount. If so, the Owner (the service's
 * operator) must enter the amount.
 */
export const isUnreported = ({ kind, amount }: Pick<Known, 'kind' | 'amount'>): boolean =>
  isReturn({ kind }) && amount === 0

/**
 * Returns the default refund amount in cents for unexpected money (money that matches no open payment). For an
 * overpayment, this is the excess. For any other money, it is the full amount.
 */
export const usualRefund = ({ kind, amount, expected_amount }: Known): number =>
  kind === 'overpaid' && expected_amount !== null ? amount - expected_amount : amount
