// Failed log-ins of an account make the next one wait, longer each time. Nobody is locked out: those who logged in
// before on the same device have a lane of their own, and sources that have not failed yet do not queue behind those that
// have. docs/decisions/0033-login-limits.md has the threat model and what the figures amount to.
//
// An attempt is counted before its password is checked, and a right one is taken back. So guesses that arrive together
// are counted one by one, and beyond the limit a right password is answered like a wrong one.

/** Failures without a wait, then the first wait, doubled by each further failure up to the longest. */
export type Policy = { free: number; firstWaitMs: number; longestWaitMs: number }

const MINUTE_MS = 60_000

export const policies = {
  /** One device that logged in to the account before. */
  known: { free: 10, firstWaitMs: 1_000, longestWaitMs: 15 * MINUTE_MS },
  /** One source at one account. */
  source: { free: 10, firstWaitMs: 1_000, longestWaitMs: 15 * MINUTE_MS },
  /** The same, while the source fails at one account after the other. A right first password still pays nothing. */
  sprayingSource: { free: 3, firstWaitMs: 15_000, longestWaitMs: 60 * MINUTE_MS },
  /** All unknown sources together at one account, in each of the two lanes. */
  shared: { free: 20, firstWaitMs: 1_000, longestWaitMs: 15 * MINUTE_MS },
} satisfies Record<string, Policy>

/** A source sprays while more failures than this are left, of which one is forgotten every nine seconds. */
export const SPRAYING_FROM = 100
export const SPRAY_FORGOTTEN_PER_SECOND = SPRAYING_FROM / (15 * 60)

/** Longer than the longest wait, or pausing would be worth more than waiting. */
export const FORGOTTEN_AFTER_MS = 24 * 60 * MINUTE_MS

/** The audit log and the log mention an account once it has so many failures of unknown sources. */
export const ATTACKED_FROM = 20

export type Failures = { failures: number; lastAt: Date }

/**
 * own: of this device, or of this source at this account. Unknown sources also share newcomers until their first failure
 * and returning after it. spray: failures of the source at all accounts.
 */
export type Lane = 'own' | 'newcomers' | 'returning' | 'spray'
export type Found = { isKnown: boolean } & { [lane in Lane]?: Failures }

/** counts: what each lane has with this attempt; spray is counted apart, since other accounts count in it meanwhile. */
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

/** Undefined: none, or none for a day. */
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
