// In what order callbacks are applied. The priority of a callback's job is the number of hundreds of callbacks of the same
// provider account that wait already, and jobs with a low number run first. So a callback waits for no more of any other
// account's callbacks than of its own, plus a hundred, however many the other account has.

/** Callbacks of an account that share a priority: the most that one statement stores, and one job has. */
const CALLBACKS_OF_PRIORITY = 100
/** An account that is estimated to have fewer is not counted. */
const COUNTED_FROM = CALLBACKS_OF_PRIORITY / 2
const COUNTED_AGAIN_AFTER_MS = 500
/** Accounts whose estimate this process keeps; the one that was counted least recently is dropped first. */
const REMEMBERED = 10_000

type Estimate = { waiting: number; countedAtMs: number }

/**
 * Returns the priority of a callback that waits from now on. Estimates what waits: as counted at most half a second ago,
 * and as many as this process has added since. count: how many callbacks of the account wait in the database.
 */
export function callbackPriorities(
  count: (accountId: string) => Promise<number>,
): (accountId: string) => number {
  const estimates = new Map<string, Estimate>()

  function recount(accountId: string, estimate: Estimate): void {
    const before = estimate.waiting
    estimate.countedAtMs = performance.now()
    estimates.delete(accountId)
    estimates.set(accountId, estimate)
    count(accountId).then(
      waiting => {
        estimate.waiting += waiting - before
      },
      // The estimate stays as it is until the next count.
      () => {},
    )
  }

  function estimateOf(accountId: string): Estimate {
    const known = estimates.get(accountId)
    if (known) return known
    const [first] = estimates.keys()
    if (estimates.size >= REMEMBERED && first !== undefined) estimates.delete(first)
    const estimate = { waiting: 0, countedAtMs: Number.NEGATIVE_INFINITY }
    estimates.set(accountId, estimate)
    return estimate
  }

  return accountId => {
    const estimate = estimateOf(accountId)
    const priority = Math.floor(estimate.waiting / CALLBACKS_OF_PRIORITY)
    estimate.waiting += 1
    const isOld = performance.now() - estimate.countedAtMs >= COUNTED_AGAIN_AFTER_MS
    if (isOld && estimate.waiting >= COUNTED_FROM) recount(accountId, estimate)
    return priority
  }
}
