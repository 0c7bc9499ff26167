/**
 * Returns a function that detects whether a recovery is stuck. Call the returned function regularly with the
 * amount of remaining work. It returns true if the smallest amount so far was reached more than
 * `stuckAfterMs` milliseconds ago.
 */
export function patience(stuckAfterMs: number): (left: number) => boolean {
  let least = Number.POSITIVE_INFINITY
  let since = performance.now()
  return left => {
    if (left < least) [least, since] = [left, performance.now()]
    return performance.now() - since > stuckAfterMs
  }
}
