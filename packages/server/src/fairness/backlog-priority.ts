// Assigns priorities to the jobs of different owners, such as provider accounts or tenants. The larger an owner's
// backlog, the higher the priority number of its next jobs. Jobs with lower numbers run first, so the backlog of
// one owner hardly delays the jobs of other owners.

const RECOUNT_AFTER_MS = 500
/** The maximum fraction of time spent counting the backlog of one owner, such as a provider account. */
const MAX_SHARE_OF_TIME = 1 / 100
/**
 * The maximum number of owners whose estimated backlog is cached in this process. If there are more, the
 * owner whose backlog was counted least recently is evicted first.
 */
const MAX_OWNERS = 10_000

type Estimate = { waiting: number; countedAgainAtMs: number }

/**
 * Returns a function that assigns a priority to an owner's new job: the owner's estimated backlog divided by
 * `step`, rounded down. The estimate is the backlog at the last count, plus the jobs that this process has added
 * since then. The last count is usually less than half a second old. `count` reads the backlog from the database.
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
    // If the owner's backlog cannot be counted, the last estimate is kept.
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
    // The backlog is counted when the estimate reaches half of `step`, and therefore before the estimate lowers the
    // priority. If jobs end as fast as they arrive, they keep priority 0, because each count shows a small backlog.
    if (estimate.waiting >= step / 2 && performance.now() >= estimate.countedAgainAtMs)
      void recount(owner, estimate)
    return priority
  }
}
