// Computes how much of a payment's fee is returned when the payment is refunded. If the fee schedule sets
// `refund_fees`, a successful refund returns a share of the fee in proportion to the refunded amount. If the refund
// fails later, this share is charged again.

import { type Transfer, transfer } from '../ledger/transfer.ts'
import type { Cents } from '../values/money.ts'
import { type FeeTerms, pricingTerm } from './fee.ts'
import type { FeeCharge } from './fee-charge.ts'
import { share } from './price.ts'
import { feeTermsOf, type StoredFeeTerms } from './stored-fee-rule.ts'

/** Returns whether refunds of a payment with these fee formulas return a share of the fee. */
export const returnsFees = (terms: StoredFeeTerms | null): boolean =>
  terms?.operator?.refund_fees === true || terms?.partner?.refund_fees === true

/** The total amount of a payment's refunds, in cents, before and after one refund's status changes. */
export type RefundedAmounts = { before: Cents; after: Cents }

type FeeParts = Pick<FeeCharge, 'net' | 'tax' | 'operatorNet' | 'operatorTax'>

/**
 * Returns the change in the fee, which is negative if a share of the fee is returned. The Partner's schedule determines
 * whether the merchant gets its fee back. The operator's schedule determines whether the Partner gets its cost back.
 *
 * The returned share of the fee is computed and rounded twice: for the previous refunded amount and for the new one.
 * The fee changes by the difference between the two shares. Refunds therefore never return more than the fee. Partial
 * refunds that add up to the full amount return exactly the fee.
 */
export function feeChange(
  charge: FeeParts,
  terms: FeeTerms,
  credit: Cents,
  refunded: RefundedAmounts,
): FeeParts {
  const before = refunded.before < credit ? refunded.before : credit
  const after = refunded.after < credit ? refunded.after : credit
  const changeOf = (part: Cents, isReturned = false): Cents =>
    isReturned ? share(part, before, credit) - share(part, after, credit) : 0n
  const merchant = pricingTerm(terms, credit)?.refundsFees
  const operator = terms.operator?.refundsFees
  return {
    net: changeOf(charge.net, merchant),
    tax: changeOf(charge.tax, merchant),
    operatorNet: changeOf(charge.operatorNet, operator),
    operatorTax: changeOf(charge.operatorTax, operator),
  }
}

type OfRefund = {
  feeTerms: StoredFeeTerms | null
  credit: Cents
  refunded: RefundedAmounts
  reference: string
  /**
   * The number of the payment's status change that records the refund. It is never 0, because 0 is the number of the
   * fee originally charged.
   */
  number: number
}

/** Returns how the payment's fee changes after a refund changes its status, or undefined if the fee stays the same. */
export function feeChangeFor(
  charge: FeeCharge,
  { feeTerms, credit, refunded, reference, number }: OfRefund,
): { charge: FeeCharge; transfers: Transfer[] } | undefined {
  if (feeTerms === null) return undefined
  const parts = feeChange(charge, feeTermsOf(feeTerms), credit, refunded)
  const total = parts.net + parts.tax
  const margin = total - parts.operatorNet - parts.operatorTax
  const { tenantId, mode, paymentId } = charge
  const isReturn = refunded.after > refunded.before
  const reason = `fee ${isReturn ? 'returned' : 'charged again'}: refund ${reference} ${isReturn ? 'succeeded' : 'failed'}`
  const of = { tenantId, mode, paymentId, unexpectedMoneyId: null, referenceId: reference }
  const transfers = [
    ...(total === 0n ? [] : [{ ...moved('merchant', 'fee:operator', total), ...of, reason }]),
    ...(margin === 0n
      ? []
      : [
          {
            ...moved('fee:operator', 'fee:partner', margin),
            ...of,
            reason: `margin of the partner: ${reason}`,
          },
        ]),
  ]
  const isChanged = transfers.length > 0 || parts.operatorNet + parts.operatorTax !== 0n
  return isChanged ? { charge: { ...charge, ...parts, number }, transfers } : undefined
}

/**
 * Returns a transfer of the amount from one account to the other. If the amount is negative, the direction of
 * the transfer is reversed.
 */
const moved = (from: Transfer['from'], to: Transfer['to'], amount: Cents) =>
  amount > 0n ? transfer(from, to, amount) : transfer(to, from, -amount)
