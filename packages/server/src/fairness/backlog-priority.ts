// Assigns priorities to the jobs of different owners, such as provider accounts or tenants. The larger an owner's
// backlog, the higher the priority number of its next jobs. Jobs with lower numbers run first, so the backlog of
// one owner hardly delays the jobs of other owners.

const RECOUNT_AFTER_MS = 500
/**
 * Counting the waiting jobs of one owner, such as a provider account, takes at most this fraction of the
 * time.
 */
const MAX_SHARE_OF_TIME = 1 / 100
/**
 * The maximum number of owners, such as provider accounts, whose estimated backlog (number of waiting jobs)
 * is cached in this process. Above this number, the owner whose backlog was counted least recently is evicted
 * first.
 */
const MAX_OWNERS = 10_000

type Estimate = { waiting: number; countedAgainAtMs: number }

/**
 * Returns a function that returns the priority for a new job of an owner, such as a provider account. The priority is
 * the owner's estimated number of waiting jobs, divided by `step` and rounded down. The estimate is the last count by
 * `count`, usually less than half a second old, plus the jobs that this process has added since then.
 */
export function backlogPriorities(
  count: (owner: string) => Promise<number>,
  { step }: { step: number },
): (owner: string) => number {
  const estimates = new Map<string, Estimate>()

  async function recount(owner: string, estimate: Estimate): Promise<void> {
    const before = estimate.waiting
    const startedAtMs = performance.now()
    estimate.countedAgainAtMs = Number.POSITIVE_INFINITY
    estimates.delete(owner)
    estimates.set(owner, estimate)
    // If the waiting jobs of the owner (such as a tenant) cannot be counted, the last estimate of their
    // number is kept.
    const waiting = await count(owner).catch(() => before)
    estimate.waiting += waiting - before
    const endedAtMs = performance.now()
    const pauseMs = Math.max(RECOUNT_AFTER_MS, (endedAtMs - startedAtMs) / MAX_SHARE_OF_TIME)
    estimate.countedAgainAtMs = endedAtMs + pauseMs
  }

  function estimateOf(owner: string): Estimate {
    const known = estimates.get(owner)
    if (known) return known
    const [first] = estimates.keys()
    if (estimates.size >= MAX_OWNERS && first !== undefined) estimates.delete(first)
    const estimate = { waiting: 0, countedAgainAtMs: 0 }
    estimates.set(owner, estimate)
    return estimate
  }

  return owner => {
    const estimate = estimateOf(owner)
    const priority = Math.floor(estimate.waiting / step)
    estimate.waiting += 1
    // At an estimate of `step` jobs, new jobs get a lower priority. The actual number is counted earlier, at half of
    // `step`, so that an owner whose jobs end as fast as they arrive keeps priority 0.
    if (estimate.waiting >= step / 2 && performance.now() >= estimate.countedAgainAtMs)
      void recount(owner, estimate)
    return priority
  }
}
