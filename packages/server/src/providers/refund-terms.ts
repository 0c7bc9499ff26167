// The terms under which a provider refunds a channel's payments, and the function that checks a refund against
// these terms.

import { type Cents, isWholeRupiah } from '../values/money.ts'
import { after, wibClock } from '../values/time.ts'

/**
 * A channel's refund terms. If the provider's documents contradict each other, the stricter term applies, so that
 * the provider accepts every refund this service allows. An absent term means that the provider publishes no such
 * limit.
 */
export type RefundTerms = {
  /**
   * `full`: only the whole amount paid can be refunded, in one refund. `partial`: any part of the amount can be
   * refunded.
   */
  amounts: 'full' | 'partial'
  /** The maximum number of refunds per payment. */
  maxRefunds?: number
  /** The number of days after the payment during which a refund is possible. */
  windowDays?: number
  /**
   * The hours during which the acquirer accepts refunds, in Western Indonesia Time. `from` is inclusive, `to` is
   * exclusive.
   */
  hours?: { from: WibTime; to: WibTime }
  minAmount?: Cents
}

/** A time of day in Western Indonesia Time, for example `06:00`. */
export type WibTime = `${number}:${number}`

/**
 * A refund to check against a channel's refund terms. `refunds` is the number of the payment's refunds that
 * have not failed, and `refunded` is their total amount.
 */
export type RefundAttempt = {
  amount: Cents
  amountPaid: Cents
  refunded: Cents
  refunds: number
  paidAt: Date
  at: Date
}

/** The rule that forbids a refund, with the values for the error message. */
export type BrokenRefundRule =
  /**
   * The provider cannot refund payments made through this channel. The operator must return the money by bank
   * transfer.
   */
  | { rule: 'no_refunds' }
  | { rule: 'full_only'; amount: Cents }
  | { rule: 'max_refunds'; max: number }
  /** The refund window has ended. */
  | { rule: 'window'; days: number; endedAt: Date }
  /** The acquirer makes no refunds at this time of day. `opensAt` is when refunds become possible. */
  | { rule: 'hours'; from: WibTime; to: WibTime; opensAt: Date }
  | { rule: 'min_amount'; min: Cents }
  /** Providers refund only whole rupiah amounts. */
  | { rule: 'whole_rupiah' }

const DAY_MS = 24 * 3_600_000

/**
 * Returns the rule that forbids the refund, or undefined if the channel's refund terms allow it. The rule `hours` (the
 * time of day) only delays a refund, so it is returned only if no other rule is broken. The caller must check that the
 * amount is positive and at most the remaining amount.
 */
export function brokenRefundRule(
  terms: RefundTerms | undefined,
  { amount, amountPaid, refunded, refunds, paidAt, at }: RefundAttempt,
): BrokenRefundRule | undefined {
  if (!terms) return { rule: 'no_refunds' }
  const { amounts, maxRefunds, windowDays, hours, minAmount } = terms
  if (amounts === 'full' && (refunded > 0n || amount !== amountPaid))
    return { rule: 'full_only', amount: amountPaid }
  if (maxRefunds !== undefined && refunds >= maxRefunds) return { rule: 'max_refunds', max: maxRefunds }
  if (windowDays !== undefined) {
    const endedAt = after(paidAt, windowDays * DAY_MS)
    if (at >= endedAt) return { rule: 'window', days: windowDays, endedAt }
  }
  if (!isWholeRupiah(amount)) return { rule: 'whole_rupiah' }
  if (minAmount !== undefined && amount < minAmount) return { rule: 'min_amount', min: minAmount }
  if (hours && !isWithin(hours, at)) return { rule: 'hours', ...hours, opensAt: nextTime(hours.from, at) }
  return undefined
}

const isWithin = ({ from, to }: { from: WibTime; to: WibTime }, at: Date): boolean => {
  const time = wibClock(at).slice(11, 16)
  return time >= from && time < to
}

/** Returns the next moment after `at` when it is `time` in Western Indonesia. */
function nextTime(time: WibTime, at: Date): Date {
  const today = new Date(`${wibClock(at).slice(0, 10)}T${time}:00+07:00`)
  return today > at ? today : after(today, DAY_MS)
}
