// Computes the price of one payment from a fee formula. The net amount and the tax are each rounded only
// once, to whole cents, with halves rounded up.

import type { Cents } from '../values/money.ts'
import { BASIS_POINTS, type FeeFormula } from './fee-rule.ts'

/** A fee in cents: the amount before tax (DPP), and the tax on it (PPN). */
export type Price = { net: Cents; tax: Cents }

export const FREE: Price = { net: 0n, tax: 0n }

export const totalOf = ({ net, tax }: Price): Cents => net + tax

export function priceOf({ percentBps, fixed, min, max, taxBps }: FeeFormula, amount: Cents): Price {
  const computed = share(amount, BigInt(percentBps), BASIS_POINTS) + fixed
  const atLeast = min !== null && computed < min ? min : computed
  const net = max !== null && atLeast > max ? max : atLeast
  return { net, tax: share(net, BigInt(taxBps), BASIS_POINTS) }
}

/**
 * Limits a price to `most` cents, including tax. If the price is reduced, the tax is reduced in the same
 * proportion, rounded to whole cents.
 */
export function atMost(price: Price, most: Cents): Price {
  const total = totalOf(price)
  if (total <= most) return price
  const tax = share(most, price.tax, total)
  return { net: most - tax, tax }
}

/**
 * Returns `amount × numerator / denominator`, rounded to whole cents with halves rounded up. No argument may
 * be negative.
 */
export const share = (amount: Cents, numerator: bigint, denominator: bigint): Cents =>
  (2n * amount * numerator + denominator) / (2n * denominator)
