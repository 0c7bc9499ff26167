// Checks that the price that a Partner charges its Clients is never below the Partner's cost, which is what
// the operator charges the Partner.

import { type Cents, MAX_AMOUNT } from '../values/money.ts'
import { BASIS_POINTS, type FeeFormula } from './fee-rule.ts'
import { priceOf, totalOf } from './price.ts'

/**
 * Returns an amount, in cents, for which the price is below the cost, or undefined if there is none. Price
 * and cost are linear functions of the amount, except where a minimum or maximum begins to apply. Comparing
 * them there and at the smallest and largest amount is enough. A difference of up to 2 cents, which rounding
 * can cause, is ignored.
 */
export function amountBelowCost(price: FeeFormula, cost: FeeFormula): Cents | undefined {
  const amounts = [1n, MAX_AMOUNT, ...turningPoints(price), ...turningPoints(cost)]
  return amounts
    .filter(amount => amount >= 1n && amount <= MAX_AMOUNT)
    .sort((a, b) => (a < b ? -1 : 1))
    .find(amount => totalOf(priceOf(price, amount)) + ROUNDING < totalOf(priceOf(cost, amount)))
}

const ROUNDING = 2n

/**
 * Returns each amount at which the minimum or maximum of a formula begins to apply, and the next higher
 * amount in cents.
 */
const turningPoints = ({ percentBps, fixed, min, max }: FeeFormula): Cents[] =>
  percentBps === 0
    ? []
    : [min, max].flatMap(bound => {
        if (bound === null || bound < fixed) return []
        const at = ((bound - fixed) * BASIS_POINTS) / BigInt(percentBps)
        return [at, at + 1n]
      })
