// Computes how much of a payment's fee is returned when the payment is refunded or reversed.
// - If the fee schedule sets `refund_fees`, a successful refund returns the fee in proportion to the refunded amount.
//   If the refund fails later, this share is charged again.
// - A reversal returns the fee only if the provider never confirmed the credit.

import { type Transfer, transfer } from '../ledger/transfer.ts'
import type { Cents } from '../values/money.ts'
import { type FeeTerms, pricingTerm } from './fee.ts'
import type { FeeCharge, PostedFee } from './fee-charge.ts'
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
 */
export function feeChange(
  charge: FeeParts,
  terms: FeeTerms,
  credit: Cents,
  refunded: RefundedAmounts,
): FeeParts {
  const before = refunded.before < credit ? refunded.before : credit
  const after = refunded.after < credit ? refunded.after : credit
  // The returned share of the fee is computed and rounded for the previous and for the new refunded amount. The fee
  // changes by the difference between the two shares. Partial refunds that add up to the full amount therefore return
  // exactly the fee, and refunds never return more than the fee.
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
  /** Whether the provider has reversed the payment. */
  isReversed: boolean
  reference: string
  /**
   * The number of the payment's status change that records the refund. It is never 0, because 0 is the number of the
   * fee originally charged.
   */
  number: number
}

/**
 * Returns how the payment's fee changes after a refund changes its status, or undefined if the fee stays the same.
 * `fees` are the charged fee and its earlier changes.
 */
export function feeChangeFor(
  fees: FeeCharge[],
  { feeTerms, credit, refunded, isReversed, reference, number }: OfRefund,
): PostedFee | undefined {
  const charge = fees.find(each => each.number === 0)
  if (!charge || feeTerms === null) return undefined
  // The reversal of an unconfirmed credit returns the whole fee. A refund must then neither return the fee again nor
  // charge it again.
  if (isReversed && isZero(feeLeft(fees))) return undefined
  const parts = feeChange(charge, feeTermsOf(feeTerms), credit, refunded)
  const isReturn = refunded.after > refunded.before
  const reason = `fee ${isReturn ? 'returned' : 'charged again'}: refund ${reference} ${isReturn ? 'succeeded' : 'failed'}`
  return changeBy({ ...charge, ...parts, number }, reference, reason)
}

/**
 * Returns the fee change after the provider reversed a payment that the operator had credited without confirmation. The
 * change returns everything that is still charged of the fee. Returns undefined if nothing is charged. `fees` are the
 * charged fee and its earlier changes. `number` is the number of the status change that records the reversal.
 */
export function feeReturnFor(
  fees: FeeCharge[],
  { paymentCode, number }: { paymentCode: string; number: number },
): PostedFee | undefined {
  const [charge] = fees
  if (!charge) return undefined
  const { net, tax, operatorNet, operatorTax } = feeLeft(fees)
  const parts = { net: -net, tax: -tax, operatorNet: -operatorNet, operatorTax: -operatorTax }
  const reason = `fee returned: payment ${paymentCode} was credited without the provider's confirmation and reversed`
  return changeBy({ ...charge, ...parts, number }, paymentCode, reason)
}

/** Returns how much of each part of a fee is still charged after all its changes. */
function feeLeft(fees: FeeCharge[]): FeeParts {
  const sumOf = (part: keyof FeeParts) => fees.reduce((sum, fee) => sum + fee[part], 0n)
  return {
    net: sumOf('net'),
    tax: sumOf('tax'),
    operatorNet: sumOf('operatorNet'),
    operatorTax: sumOf('operatorTax'),
  }
}

const isZero = ({ net, tax, operatorNet, operatorTax }: FeeParts): boolean =>
  net === 0n && tax === 0n && operatorNet === 0n && operatorTax === 0n

/** Returns the change with its transfers, or undefined if it changes no part of the fee. */
function changeBy(charge: FeeCharge, referenceId: string, reason: string): PostedFee | undefined {
  if (isZero(charge)) return undefined
  const { tenantId, mode, paymentId } = charge
  const total = charge.net + charge.tax
  const margin = total - charge.operatorNet - charge.operatorTax
  const of = { tenantId, mode, paymentId, unexpectedMoneyId: null, referenceId }
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
  return { charge, transfers }
}

/**
 * Returns a transfer of the amount from one account to the other. If the amount is negative, the direction of
 * the transfer is reversed.
 */
const moved = (from: Transfer['from'], to: Transfer['to'], amount: Cents) =>
  amount > 0n ? transfer(from, to, amount) : transfer(to, from, -amount)
