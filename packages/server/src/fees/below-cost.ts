// Checks that a Partner never charges its Clients less than its own cost, which is what the operator charges the
// Partner.

import { type Cents, MAX_AMOUNT } from '../values/money.ts'
import { BASIS_POINTS, type FeeFormula } from './fee-rule.ts'
import { priceOf, totalOf } from './price.ts'

/**
 * Returns an amount, in cents, at which the price is below the cost, or undefined if there is none. Price and cost
 * are linear in the amount except where a minimum or maximum starts to apply, so only those points and the smallest
 * and largest amounts are compared. Differences of up to 2 cents are ignored, because rounding can cause them.
 */
export function amountBelowCost(price: FeeFormula, cost: FeeFormula): Cents | undefined {
  const amounts = [1n, MAX_AMOUNT, ...turningPoints(price), ...turningPoints(cost)]
  return amounts
    .filter(amount => amount >= 1n && amount <= MAX_AMOUNT)
    .sort((a, b) => (a < b ? -1 : 1))
    .find(amount => totalOf(priceOf(price, amount)) + ROUNDING < totalOf(priceOf(cost, amount)))
}

const ROUNDING = 2n

/** Returns each amount at which a formula's minimum or maximum starts to apply, and the amount one cent higher. */
const turningPoints = ({ percentBps, fixed, min, max }: FeeFormula): Cents[] =>
  percentBps === 0
    ? []
    : [min, max].flatMap(bound => {
        if (bound === null || bound < fixed) return []
        const at = ((bound - fixed) * BASIS_POINTS) / BigInt(percentBps)
        return [at, at + 1n]
      })
