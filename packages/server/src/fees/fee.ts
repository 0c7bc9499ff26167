// A payment's fee has two layers. First, the operator charges the tenant or, if the tenant is a Partner's
// Client, the Partner. Second, the Partner charges its Client at least as much and keeps the difference as its
// margin.

import type { Cents } from '../values/money.ts'
import type { FeeFormula } from './fee-rule.ts'
import { atMost, FREE, type Price, priceOf, totalOf } from './price.ts'

/** The fee formula that one version of a fee schedule sets for a payment. */
export type FeeTerm = FeeFormula & {
  version: number
  /** Whether refunding the payment returns the fee in proportion to the refunded amount. */
  refundsFees: boolean
}

/**
 * The fee formulas of a payment, one for each layer: operator and Partner. They never change after the payment
 * has been created. If a layer's formula is null, this layer charges nothing.
 */
export type FeeTerms = { operator: FeeTerm | null; partner: FeeTerm | null }

export type Fee = {
  /** The fee that the merchant pays, including tax. The fee never exceeds the amount credited for the payment. */
  charged: Price
  /** The part of the fee that the operator keeps, including tax. */
  operator: Price
  /** The part of the fee that the Partner receives, including tax: `charged` minus `operator`. */
  margin: Cents
}

export function feeOf(terms: FeeTerms, credit: Cents): Fee {
  const { operator } = terms
  const cost = operator === null ? FREE : priceOf(operator, credit)
  const term = pricingTerm(terms, credit)
  const charged = term === null ? FREE : atMost(priceOf(term, credit), credit)
  const operatorPart = atMost(cost, totalOf(charged))
  return { charged, operator: operatorPart, margin: totalOf(charged) - totalOf(operatorPart) }
}

/**
 * Returns the formula for the merchant's fee: the Partner's formula, or the operator's formula if the Partner has none.
 * If the Partner's formula results in a lower fee than the operator's, the operator's formula applies. The merchant
 * therefore never pays less than the operator charges the Partner.
 */
export function pricingTerm({ operator, partner }: FeeTerms, credit: Cents): FeeTerm | null {
  if (operator === null || partner === null) return partner ?? operator
  return totalOf(priceOf(partner, credit)) >= totalOf(priceOf(operator, credit)) ? partner : operator
}
