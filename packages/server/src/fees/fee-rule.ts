// A fee schedule is a list of rules by method and channel. The fee of a payment is set by the most specific rule that
// matches the payment.

import type { MethodType } from '../payments/method.ts'
import type { Cents } from '../values/money.ts'

/** One basis point is a hundredth of a percent. */
export const BASIS_POINTS = 10_000n

/**
 * How a rule computes a fee. Rates are in basis points. The fixed amount, the minimum and the maximum are in
 * cents.
 */
export type FeeFormula = {
  percentBps: number
  fixed: Cents
  /** The minimum and maximum fee before tax. Null means no limit. */
  min: Cents | null
  max: Cents | null
  /** The tax rate on the fee (PPN). */
  taxBps: number
}

export type FeeRule = FeeFormula & {
  /**
   * A rule's conditions. A rule matches a payment if all its conditions match. A null condition matches every
   * payment.
   */
  methodType: MethodType | null
  channel: string | null
}

export type PaymentChannel = { methodType: MethodType; channel: string }

/**
 * Returns the most specific rule that matches the payment. The order is: a rule for a method and channel, a rule for a
 * channel, a rule for a method, a rule for all payments.
 */
export function feeRuleFor(
  rules: readonly FeeRule[],
  { methodType, channel }: PaymentChannel,
): FeeRule | undefined {
  return rules
    .filter(rule => rule.methodType === null || rule.methodType === methodType)
    .filter(rule => rule.channel === null || rule.channel === channel)
    .reduce<FeeRule | undefined>(
      (best, rule) => (best === undefined || specificity(rule) > specificity(best) ? rule : best),
      undefined,
    )
}

const specificity = (rule: FeeRule): number =>
  (rule.channel === null ? 0 : 2) + (rule.methodType === null ? 0 : 1)

/** Returns a key that identifies the rule's conditions. A fee schedule has at most one rule for each key. */
export const conditionsOf = ({ methodType, channel }: FeeRule): string =>
  `${methodType ?? '*'}/${channel ?? '*'}`
