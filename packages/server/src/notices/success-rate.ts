// Decides whether a provider account's success rate has fallen (docs/decisions/0077-falling-success-rate.md). The
// functions in this file have no side effects.

/** The number of payments that ended at a provider account, and how many of them were paid. */
export type Outcomes = { ended: number; paid: number }

/**
 * The minimum numbers of ended payments in the recent hours and on the earlier days. With fewer payments, a lower
 * success rate could be chance, so no user is emailed.
 */
const MIN_RECENT = 50
const MIN_EARLIER = 200
/**
 * The smallest fall in the success rate that users are emailed about. A smaller fall is never reported, even if it
 * cannot be due to chance.
 */
const MIN_FALL = 0.1
/**
 * The number of standard errors that the success rate must have fallen by. A smaller fall may be due to
 * chance.
 */
const STANDARD_ERRORS = 4

export const shareOf = ({ ended, paid }: Outcomes): number => paid / ended

/**
 * Returns whether the share of paid payments has clearly fallen, according to a one-sided two-proportion
 * z-test.
 */
export function hasFallen(recent: Outcomes, earlier: Outcomes): boolean {
  if (recent.ended < MIN_RECENT || earlier.ended < MIN_EARLIER) return false
  const fall = shareOf(earlier) - shareOf(recent)
  const pooled = (recent.paid + earlier.paid) / (recent.ended + earlier.ended)
  const standardError = Math.sqrt(pooled * (1 - pooled) * (1 / recent.ended + 1 / earlier.ended))
  return fall >= MIN_FALL && fall >= STANDARD_ERRORS * standardError
}
