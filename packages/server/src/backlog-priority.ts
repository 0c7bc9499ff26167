// In what order jobs run that belong to different owners, such as the callbacks of a provider account or the mails of a
// tenant. A job's priority says how much of its owner waits already, and jobs with a low number run first. So a job waits
// for no more of another owner's jobs than its own owner has, plus one step, however many the other owner has.

const COUNTED_AGAIN_AFTER_MS = 500
/** Counting an owner's work takes no more than this part of the time. */
const SHARE_OF_TIME = 1 / 100
/** Owners whose estimate this process keeps; the one that was counted least recently is dropped first. */
const REMEMBERED = 10_000

type Estimate = { waiting: number; countedAgainAtMs: number }

/**
 * Returns the priority of a piece of work that waits from now on: one more for each `step` of its owner that wait. What
 * waits is estimated: as it was last counted, usually within half a second, and as much as this process has added since. count: how much
 * of the owner's work waits in the database.
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
    // The estimate stays as it is if the count fails.
    const waiting = await count(owner).catch(() => before)
    estimate.waiting += waiting - before
    const endedAtMs = performance.now()
    const pauseMs = Math.max(COUNTED_AGAIN_AFTER_MS, (endedAtMs - startedAtMs) / SHARE_OF_TIME)
    estimate.countedAgainAtMs = endedAtMs + pauseMs
  }

  function estimateOf(owner: string): Estimate {
    const known = estimates.get(owner)
    if (known) return known
    const [first] = estimates.keys()
    if (estimates.size >= REMEMBERED && first !== undefined) estimates.delete(first)
    const estimate = { waiting: 0, countedAgainAtMs: 0 }
    estimates.set(owner, estimate)
    return estimate
  }

  return owner => {
    const estimate = estimateOf(owner)
    const priority = Math.floor(estimate.waiting / step)
    estimate.waiting += 1
    // Before the first step is full, so that an owner whose work is done as it comes stays at the front.
    if (estimate.waiting >= step / 2 && performance.now() >= estimate.countedAgainAtMs)
      void recount(owner, estimate)
    return priority
  }
}
