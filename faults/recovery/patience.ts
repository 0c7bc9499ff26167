/** Given what is left, whether it has not become less for so long. A loaded machine is slow, but it gets on. */
export function patience(stuckAfterMs: number): (left: number) => boolean {
  let least = Number.POSITIVE_INFINITY
  let since = performance.now()
  return left => {
    if (left < least) [least, since] = [left, performance.now()]
    return performance.now() - since > stuckAfterMs
  }
}
