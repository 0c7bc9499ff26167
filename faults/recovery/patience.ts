/**
 * Returns a function to call with the amount of work left. The function returns true if the amount has not reached a
 * new minimum for `stuckAfterMs`. A loaded machine is slow but still makes progress.
 */
export function patience(stuckAfterMs: number): (left: number) => boolean {
  let least = Number.POSITIVE_INFINITY
  let since = performance.now()
  return left => {
    if (left < least) [least, since] = [left, performance.now()]
    return performance.now() - since > stuckAfterMs
  }
}
