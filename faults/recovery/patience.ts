/**
 * Returns a function that takes the amount of work left and reports whether it has not reached a new minimum for
 * this time. A loaded machine is slow but still makes progress.
 */
export function patience(stuckAfterMs: number): (left: number) => boolean {
  let least = Number.POSITIVE_INFINITY
  let since = performance.now()
  return left => {
    if (left < least) [least, since] = [left, performance.now()]
    return performance.now() - since > stuckAfterMs
  }
}
