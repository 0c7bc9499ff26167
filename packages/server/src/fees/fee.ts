// A payment's fee has two layers. In the first, the operator charges the tenant, or the tenant's Partner if the
// tenant is a Partner's Client. In the second, the Partner charges its Client at least what the operator charges
// the Partner. The Partner keeps the difference, its margin.

import type { Cents } from '../values/money.ts'
import type { FeeFormula } from './fee-rule.ts'
import { atMost, FREE, type Price, priceOf, totalOf } from './price.ts'

/** The fee formula that a fee schedule version sets for one payment. */
export type FeeTerm = FeeFormula & {
  version: number
  /** Whether refunding the payment returns the fee in proportion to the refunded amount. */
  refundsFees: boolean
}

/**
 * A payment's fee formulas, one per layer: operator and Partner. They never change after the payment is created.
 * Null means that the layer charges nothing.
 */
export type FeeTerms = { operator: FeeTerm | null; partner: FeeTerm | null }

export type Fee = {
  /** The fee the merchant pays, including tax. It never exceeds the credited amount. */
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
 * Returns the formula for what the merchant pays: the Partner's, or the operator's if the Partner has none. If the
 * operator has raised the cost above the Partner's price, the merchant pays the cost.
 */
export function pricingTerm({ operator, partner }: FeeTerms, credit: Cents): FeeTerm | null {
  if (operator === null || partner === null) return partner ?? operator
  return totalOf(priceOf(partner, credit)) >= totalOf(priceOf(operator, credit)) ? partner : operator
}
