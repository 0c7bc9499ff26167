// Parses the kind of a ledger movement from the reason that the service recorded (payments/record/payment-posting.ts in
// the server).

export type Movement =
  | { kind: 'received' | 'further' }
  /** A ledger movement. `why` is a text from the provider or the Owner. */
  | { kind: 'reversed' | 'given_back' | 'unconfirmed' | 'undone'; why: string }
  | { kind: 'other'; reason: string }

export function movementOf(reason: string): Movement {
  if (/^payment \S+ received$/.test(reason)) return { kind: 'received' }
  if (/^further money for payment \S+ accepted$/.test(reason)) return { kind: 'further' }
  const [, reversed] = /^payment \S+ reversed by the provider: (.+)$/s.exec(reason) ?? []
  if (reversed !== undefined) return { kind: 'reversed', why: reversed }
  const [, givenBack] = /^money of payment \S+ given back: (.+)$/s.exec(reason) ?? []
  if (givenBack !== undefined) return { kind: 'given_back', why: givenBack }
  const [, unconfirmed] =
    /^payment \S+ credited without the provider's confirmation: (.+)$/s.exec(reason) ?? []
  if (unconfirmed !== undefined) return { kind: 'unconfirmed', why: unconfirmed }
  const [, undone] = /^the (?:refund|chargeback) .+? did not happen: (.+)$/s.exec(reason) ?? []
  if (undone !== undefined) return { kind: 'undone', why: undone }
  return { kind: 'other', reason }
}
