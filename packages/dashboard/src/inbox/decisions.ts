// What may be decided on unexpected money, and what each decision does to the ledger, as the service does it
// (packages/server/src/inbox/decision.ts). The service has the last word; this is for whoever is about to decide.

import type { Money } from './inbox-words.ts'

export type Verb = 'accept' | 'assign' | 'refund'

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

type Known = Pick<Money, 'kind' | 'status' | 'in_ledger' | 'payment_id' | 'amount' | 'expected_amount'>

export function verbsFor({ kind, status, payment_id }: Known): Verb[] {
  if (status === 'refunded') return []
  if (kind === 'reversal') return status === 'open' ? ['accept'] : []
  if (status === 'accepted') return ['refund']
  return payment_id === null ? ['assign', 'refund'] : ['accept', 'refund']
}

export function effectOf(verb: Verb, { kind, in_ledger }: Known): Effect {
  switch (verb) {
    case 'accept':
      if (kind === 'reversal') return 'noted_reversal'
      if (in_ledger) return 'noted'
      return kind === 'second_payment' ? 'credited_besides' : 'credited'
    case 'assign':
      return 'assigned'
    case 'refund':
      if (in_ledger) return 'debited'
      return kind === 'underpaid' ? 'returned_part' : 'returned'
  }
}

/** Cents that a refund gives back unless somebody says otherwise: what nobody agreed on. */
export const usualRefund = ({ kind, amount, expected_amount }: Known): number =>
  kind === 'overpaid' && expected_amount !== null ? amount - expected_amount : amount
