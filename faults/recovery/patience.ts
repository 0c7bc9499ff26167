/**
 * Returns a function that detects a recovery without progress. Call it with the amount of remaining work. It
 * returns true if this amount has reached no new minimum for `stuckAfterMs`.
 */
export function patience(stuckAfterMs: number): (left: number) => boolean {
  let least = Number.POSITIVE_INFINITY
  let since = performance.now()
  return left => {
    if (left < least) [least, since] = [left, performance.now()]
    return performance.now() - since > stuckAfterMs
  }
}
