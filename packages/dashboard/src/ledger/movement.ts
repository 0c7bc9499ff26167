// Determines the kind of a ledger movement from the reason that the service recorded (see
// payments/record/payment-transfer.ts, payments/record/record-refund.ts, fees/fee-reason.ts and fees/returned-fee.ts in
// the server).

/** Who made a refund: the merchant in this service, someone at the provider, or the payer's bank (a chargeback). */
type RefundMaker = 'merchant' | 'provider' | 'chargeback'
type RefundState = 'requested' | 'succeeded' | 'failed'

export type Movement =
  | { kind: 'received' | 'further' | 'fee_returned' | 'fee_again' | 'fee_unconfirmed' }
  /**
   * A balance change caused by a provider's reversal or by a decision of the Owner (the service's operator). `why` is
   * the reason that the provider or the Owner wrote.
   */
  | { kind: 'reversed' | 'given_back' | 'unconfirmed' | 'undone'; why: string }
  /**
   * A balance change caused by a refund. `name` is the reference that the service gave the refund. If the refund was
   * made at the provider, `name` is the provider's ID instead.
   */
  | { kind: 'refund'; by: RefundMaker; state: RefundState; name: string; why: string | undefined }
  /** A fee. `of` is the method and channel of the payment, and `formula` is the calculation of the fee. */
  | { kind: 'fee'; of: string; formula: string }
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
  // A refund can return the payment's fee to the merchant. If the refund fails later, the fee is charged
  // again.
  const [, change] = /^fee (returned|charged again): refund \S+ (?:succeeded|failed)$/.exec(reason) ?? []
  if (change !== undefined) return { kind: change === 'returned' ? 'fee_returned' : 'fee_again' }
  // If the provider never confirmed a credit, its reversal returns the fee.
  if (
    /^fee returned: payment \S+ was credited without the provider's confirmation and reversed$/.test(reason)
  )
    return { kind: 'fee_unconfirmed' }
  return refundIn(reason) ?? feeIn(reason) ?? { kind: 'other', reason }
}

function refundIn(reason: string): Movement | undefined {
  const [, what, name = '', atProvider, state, why] =
    /^(refund|chargeback) (.+?)( at the provider)? (requested|succeeded|failed)(?:: (.+))?$/s.exec(reason) ??
    []
  if (what === undefined) return undefined
  const by = what === 'chargeback' ? 'chargeback' : atProvider ? 'provider' : 'merchant'
  return { kind: 'refund', by, state: state as RefundState, name, why }
}

function feeIn(reason: string): Movement | undefined {
  // A fee's text contains the payment method and the channel, and then the formula. The method and the channel contain
  // no spaces, and the formula starts with a percentage or an amount.
  const [, of, formula] = /^fee: (\S+(?: \S+)??) ((?:\d|Rp ).*)$/.exec(reason) ?? []
  return of === undefined || formula === undefined ? undefined : { kind: 'fee', of, formula }
}
