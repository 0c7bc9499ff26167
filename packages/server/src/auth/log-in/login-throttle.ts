// Each failed login to an account makes the next attempt wait longer. No account is ever locked.
//
// Separate counters, called lanes, prevent an attacker's failures from delaying the user. Each known device and each IP
// address ("source") has a lane. Two more lanes count the failures of all unknown sources
// (docs/decisions/0033-login-rate-limits.md).
//
// An attempt counts as a failure before its password is checked, so that concurrent guesses are all counted. If the
// password is correct, this failure is subtracted again. The password of an attempt above the limit is not checked, so
// the response does not reveal whether the password was correct.

/**
 * How long logins must wait after failures. The first `free` failures cause no wait. The next failure causes a wait
 * of `firstWaitMs`. Each further failure doubles the wait, up to `longestWaitMs`.
 */
export type Policy = { free: number; firstWaitMs: number; longestWaitMs: number }

const MINUTE_MS = 60_000

export const policies = {
  /**
   * Limits failed logins to an account from a known device, that is, a device that has logged in to this
   * account before.
   */
  known: { free: 10, firstWaitMs: 1_000, longestWaitMs: 15 * MINUTE_MS },
  /** Limits failed logins to each account from one IP address. */
  source: { free: 10, firstWaitMs: 1_000, longestWaitMs: 15 * MINUTE_MS },
  /**
   * Replaces `source` for an IP address that has failed to log in to many accounts. The address must wait
   * longer, after fewer failed logins to the same account. Its first attempt on each account is never delayed.
   */
  sprayingSource: { free: 3, firstWaitMs: 15_000, longestWaitMs: 60 * MINUTE_MS },
  /**
   * The limit for failed logins to one account from all unknown IP addresses together. It applies separately to two
   * counters: `newcomers` (the first failed login of each address) and `returning` (all later ones).
   */
  shared: { free: 20, firstWaitMs: 1_000, longestWaitMs: 15 * MINUTE_MS },
} satisfies Record<string, Policy>

/**
 * If an IP address has at least this many failures in total, it counts as spraying (trying passwords on many
 * accounts). The total decreases by one every nine seconds.
 */
export const SPRAYING_FROM = 100
export const SPRAY_FORGOTTEN_PER_SECOND = SPRAYING_FROM / (15 * 60)

/**
 * If no login fails for this long, the counter of failed logins restarts at zero. This time exceeds the longest delay
 * after failed logins, so that an attacker gains nothing by pausing.
 */
export const FORGOTTEN_AFTER_MS = 24 * 60 * MINUTE_MS

/**
 * The number of failed logins to an account from unknown IP addresses at which an attack is reported in the log and the
 * audit log.
 */
export const ATTACKED_FROM = 20

export type Failures = { failures: number; lastAt: Date }

/**
 * The counters of failed logins, also called lanes. There are four:
 * - `own`: failed logins to this account from one known device or, if the device is unknown, from one IP
 *   address.
 * - `newcomers`: the first failed login to this account from each unknown IP address.
 * - `returning`: all further failed logins to this account from unknown IP addresses.
 * - `spray`: failed logins from this IP address, to all accounts together.
 */
export type FailureLane = 'own' | 'newcomers' | 'returning' | 'spray'
export type RecordedFailures = { isKnown: boolean } & { [lane in FailureLane]?: Failures }

/**
 * The decision whether a login attempt's password may be checked. `counts` contains the new values of the
 * counters of failed logins. It does not contain `spray`: attempts on other accounts also change this counter, so
 * the database increments it.
 */
export type Verdict =
  | { isAdmitted: false; waitMs: number }
  | {
      isAdmitted: true
      counts: { lane: Exclude<FailureLane, 'spray'>; failures: number }[]
      isAttackNoticed: boolean
    }

export function judgeAttempt(found: RecordedFailures, at: Date): Verdict {
  const { own, newcomers, returning } = found
  if (found.isKnown) {
    const waitMs = waitOf(own, policies.known, at)
    return waitMs > 0
      ? { isAdmitted: false, waitMs }
      : admitted([{ lane: 'own', failures: countOf(own) + 1 }])
  }
  const shared = own ? 'returning' : 'newcomers'
  const waitMs = Math.max(
    waitOf(own, isSpraying(found.spray, at) ? policies.sprayingSource : policies.source, at),
    waitOf(found[shared], policies.shared, at),
  )
  if (waitMs > 0) return { isAdmitted: false, waitMs }
  const counts = [
    { lane: 'own' as const, failures: countOf(own) + 1 },
    { lane: shared, failures: countOf(found[shared]) + 1 },
  ] satisfies { lane: FailureLane; failures: number }[]
  return admitted(counts, countOf(newcomers) + countOf(returning) + 1 === ATTACKED_FROM)
}

const admitted = (
  counts: { lane: Exclude<FailureLane, 'spray'>; failures: number }[],
  isAttackNoticed = false,
): Verdict => ({ isAdmitted: true, counts, isAttackNoticed })

/** Returns the number of failed logins in one counter, or 0 if the last failed login was more than a day ago. */
const countOf = (failures: Failures | undefined): number => failures?.failures ?? 0

function waitOf(record: Failures | undefined, policy: Policy, at: Date): number {
  if (!record || record.failures < policy.free) return 0
  const doublings = record.failures - policy.free
  const waitMs = Math.min(policy.firstWaitMs * 2 ** doublings, policy.longestWaitMs)
  return Math.max(0, record.lastAt.getTime() + waitMs - at.getTime())
}

export function isSpraying(spray: Failures | undefined, at: Date): boolean {
  if (!spray) return false
  const seconds = Math.max(0, at.getTime() - spray.lastAt.getTime()) / 1_000
  return spray.failures - seconds * SPRAY_FORGOTTEN_PER_SECOND >= SPRAYING_FROM
}
