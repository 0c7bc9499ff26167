// Checks that a Partner (a reseller) never charges its Clients (merchants) less than its own cost. This cost is what
// the operator charges the Partner.

import { type Cents, MAX_AMOUNT } from '../values/money.ts'
import { BASIS_POINTS, type FeeFormula } from './fee-rule.ts'
import { priceOf, totalOf } from './price.ts'

/**
 * Returns an amount, in cents, for which the price is below the cost, or undefined if there is no such amount. Price
 * and cost are linear in the amount, except where a minimum or maximum starts to apply. Therefore, only these points,
 * the smallest amount and the largest amount are compared. Differences of up to 2 cents are ignored, because rounding
 * can cause them.
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
 * Returns each amount at which the minimum or maximum of a fee formula starts to apply, and also the amount that
 * is one cent higher.
 */
const turningPoints = ({ percentBps, fixed, min, max }: FeeFormula): Cents[] =>
  percentBps === 0
    ? []
    : [min, max].flatMap(bound => {
        if (bound === null || bound < fixed) return []
        const at = ((bound - fixed) * BASIS_POINTS) / BigInt(percentBps)
        return [at, at + 1n]
      })
