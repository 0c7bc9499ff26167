/**
 * Detects a recovery that makes no progress. The returned function is called with the amount of work left. It
 * returns true if the amount has reached no new minimum for `stuckAfterMs`. A busy machine is slow but still
 * makes progress.
 */
export function patience(stuckAfterMs: number): (left: number) => boolean {
  let least = Number.POSITIVE_INFINITY
  let since = performance.now()
  return left => {
    if (left < least) [least, since] = [left, performance.now()]
    return performance.now() - since > stuckAfterMs
  }
}
