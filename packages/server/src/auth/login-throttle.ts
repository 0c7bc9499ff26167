// Each failed log-in of an account makes the next attempt wait longer. No account is locked: devices that logged in
// before have a lane of their own, and sources without a failure do not queue behind sources with failures.
// docs/decisions/0033-login-limits.md has the threat model and what the figures amount to.
//
// An attempt is counted before its password is checked, and a correct one is subtracted again. So concurrent guesses
// are counted one by one, and beyond the limit a correct password gets the same response as a wrong one.

/** `free` failures cause no wait. Then `firstWaitMs` applies and doubles with each failure, up to `longestWaitMs`. */
export type Policy = { free: number; firstWaitMs: number; longestWaitMs: number }

const MINUTE_MS = 60_000

export const policies = {
  /** One device that logged in to the account before. */
  known: { free: 10, firstWaitMs: 1_000, longestWaitMs: 15 * MINUTE_MS },
  /** One source at one account. */
  source: { free: 10, firstWaitMs: 1_000, longestWaitMs: 15 * MINUTE_MS },
  /** One source at one account while the source is failing at many accounts. A first attempt still does not wait. */
  sprayingSource: { free: 3, firstWaitMs: 15_000, longestWaitMs: 60 * MINUTE_MS },
  /** All unknown sources together at one account, in each of the two shared lanes. */
  shared: { free: 20, firstWaitMs: 1_000, longestWaitMs: 15 * MINUTE_MS },
} satisfies Record<string, Policy>

/**
 * A source counts as spraying while at least this many of its failures remain; one is forgotten every nine seconds.
 */
export const SPRAYING_FROM = 100
export const SPRAY_FORGOTTEN_PER_SECOND = SPRAYING_FROM / (15 * 60)

/** Longer than the longest wait; otherwise pausing would be better for an attacker than waiting. */
export const FORGOTTEN_AFTER_MS = 24 * 60 * MINUTE_MS

/** Failures of unknown sources at which the account is reported in the log and the audit log. */
export const ATTACKED_FROM = 20

export type Failures = { failures: number; lastAt: Date }

/**
 * own: failures of this device, or of this source at this account. Unknown sources also share `newcomers` until their
 * first failure and `returning` after it. spray: failures of the source at all accounts.
 */
export type Lane = 'own' | 'newcomers' | 'returning' | 'spray'
export type Found = { isKnown: boolean } & { [lane in Lane]?: Failures }

/** counts: the new count of each lane. Spray is counted separately, since other accounts change it concurrently. */
export type Verdict =
  | { isAdmitted: false; waitMs: number }
  | {
      isAdmitted: true
      counts: { lane: Exclude<Lane, 'spray'>; failures: number }[]
      isAttackNoticed: boolean
    }

export function judge(found: Found, at: Date): Verdict {
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
  ] satisfies { lane: Lane; failures: number }[]
  return admitted(counts, countOf(newcomers) + countOf(returning) + 1 === ATTACKED_FROM)
}

const admitted = (
  counts: { lane: Exclude<Lane, 'spray'>; failures: number }[],
  isAttackNoticed = false,
): Verdict => ({ isAdmitted: true, counts, isAttackNoticed })

/** Undefined: no failures, or none in the last day. */
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
