// The fee of a payment has two layers. In the first layer, the operator charges a tenant, or the Partner if
// the tenant is its Client. In the second layer, the Partner charges its Client at least what the operator
// charges the Partner. The Partner keeps the difference, its margin.

import type { Cents } from '../values/money.ts'
import type { FeeFormula } from './fee-rule.ts'
import { atMost, FREE, type Price, priceOf, totalOf } from './price.ts'

/** The fee formula that a version of a fee schedule sets for one payment. */
export type FeeTerm = FeeFormula & {
  version: number
  /** Whether a refund of the payment returns the fee in proportion to the refunded amount. */
  refundsFees: boolean
}

/**
 * The fee formulas of a payment, one per layer: operator and Partner. They never change after the payment
 * is created. Null means that the layer charges nothing.
 */
export type FeeTerms = { operator: FeeTerm | null; partner: FeeTerm | null }

export type Fee = {
  /** The amount that the merchant pays as fee, including tax. It never exceeds the credited amount. */
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
 * Returns the formula that sets what the merchant pays: the Partner's, or the operator's if the Partner has
 * none. If the operator raised the cost above the Partner's price, the merchant pays the cost.
 */
export function pricingTerm({ operator, partner }: FeeTerms, credit: Cents): FeeTerm | null {
  if (operator === null || partner === null) return partner ?? operator
  return totalOf(priceOf(partner, credit)) >= totalOf(priceOf(operator, credit)) ? partner : operator
}
