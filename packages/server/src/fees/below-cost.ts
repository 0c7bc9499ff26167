// Checks that a Partner (a reseller) never charges its Clients (merchants) less than its own cost. This cost is what
// the operator charges the Partner.

import { type Cents, MAX_AMOUNT } from '../values/money.ts'
import { BASIS_POINTS, type FeeFormula } from './fee-rule.ts'
import { priceOf, totalOf } from './price.ts'

/**
 * Returns an amount, in cents, at which the price is lower than the cost, or undefined if there is none. The price and
 * the cost are linear except where a minimum or maximum starts to apply. It is therefore enough to compare the price
 * and the cost at these points, and at the smallest and largest amount.
 */
export function amountBelowCost(price: FeeFormula, cost: FeeFormula): Cents | undefined {
  const tolerance = price.taxBps === cost.taxBps ? 0n : ROUNDING
  const amounts = [1n, MAX_AMOUNT, ...turningPoints(price), ...turningPoints(cost)]
  return amounts
    .filter(amount => amount >= 1n && amount <= MAX_AMOUNT)
    .sort((a, b) => (a < b ? -1 : 1))
    .find(amount => totalOf(priceOf(price, amount)) + tolerance < totalOf(priceOf(cost, amount)))
}

/**
 * The difference, in cents, that rounding can cause if the tax rates differ. If the tax rates are equal, rounding never
 * makes a price lower than its cost.
 */
const ROUNDING = 2n

/**
 * Returns the amounts at which the minimum or maximum of a fee formula starts to apply. Because the division
 * rounds down, the exact amount may be up to one cent higher, so the next cent is returned too.
 */
const turningPoints = ({ percentBps, fixed, min, max }: FeeFormula): Cents[] =>
  percentBps === 0
    ? []
    : [min, max].flatMap(bound => {
        if (bound === null || bound < fixed) return []
        const at = ((bound - fixed) * BASIS_POINTS) / BigInt(percentBps)
        return [at, at + 1n]
      })
