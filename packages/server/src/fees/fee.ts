// A payment's fee has two layers. In the first layer, the operator charges the tenant. If the tenant is a
// Partner's Client, the operator charges the Partner instead. In the second layer, the Partner charges its
// Client at least what the operator charges the Partner. The Partner keeps the difference, which is its margin.

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
 * The fee formulas of a payment, one for each layer: operator and Partner. They never change after the payment
 * has been created. If a layer's formula is null, this layer charges nothing.
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
 * Returns the formula for what the merchant pays. This is the Partner's formula, or the operator's formula if the
 * Partner has none. If the operator has raised the Partner's cost above the Partner's price, the merchant pays this
 * cost.
 */
export function pricingTerm({ operator, partner }: FeeTerms, credit: Cents): FeeTerm | null {
  if (operator === null || partner === null) return partner ?? operator
  return totalOf(priceOf(partner, credit)) >= totalOf(priceOf(operator, credit)) ? partner : operator
}
