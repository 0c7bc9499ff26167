// Assigns priorities to different owners' jobs. Owners are, for example, provider accounts or tenants. The larger
// an owner's backlog, the higher the priority number. Lower numbers run first, so one owner's backlog hardly delays
// others.

const RECOUNT_AFTER_MS = 500
/** The maximum fraction of time spent counting the backlog of one owner, such as a provider account. */
const MAX_SHARE_OF_TIME = 1 / 100
/**
 * This process caches the estimated backlogs of at most this many owners. The least recently counted owner is
 * evicted first.
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
    // If counting the owner's backlog fails, the estimate does not change.
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
    // The backlog is counted when the estimate reaches half of `step`, before it lowers the priority. Jobs that end
    // as fast as they arrive therefore keep priority 0.
    if (estimate.waiting >= step / 2 && performance.now() >= estimate.countedAgainAtMs)
      void recount(owner, estimate)
    return priority
  }
}
