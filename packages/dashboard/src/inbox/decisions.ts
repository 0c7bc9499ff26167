// What may be decided on unexpected money, and what each decision does to the ledger, as the service does it
// (packages/server/src/inbox/decision.ts). The service has the last word; this is for whoever is about to decide.

import { isReturn, type Money } from './inbox-words.ts'

export type Verb = 'accept' | 'assign' | 'refund' | 'dismiss'

/** noted: nobody's balance changes. returned: neither does it, and a payment that waited for the rest has failed. */
export type Effect =
  | 'noted'
  | 'noted_reversal'
  | 'credited'
  | 'credited_besides'
  | 'assigned'
  | 'debited'
  | 'returned'
  | 'returned_part'
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

export function effectOf(verb: Verb, { kind, in_ledger }: Known): Effect {
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
      if (in_ledger) return 'debited'
      return kind === 'underpaid' ? 'returned_part' : 'returned'
  }
}

/** Kinds of money that comes for a payment which is paid already. */
const isForPaid: Known['kind'][] = ['second_payment', 'increase', 'paid_after_reversal']

/** Whether the Owner has to say how much it is, since the provider did not. */
export const isUnreported = ({ kind, amount }: Pick<Known, 'kind' | 'amount'>): boolean =>
  isReturn({ kind }) && amount === 0

/** Cents that a refund gives back unless somebody says otherwise: what nobody agreed on. */
export const usualRefund = ({ kind, amount, expected_amount }: Known): number =>
  kind === 'overpaid' && expected_amount !== null ? amount - expected_amount : amount
