import { createHistogram } from 'node:perf_hooks'
import type { Outcome } from './load.ts'

export type Recorded = ReturnType<typeof record>

/** Returns a recorder for the responses received between the calls to its functions `begin` and `end`. */
export function record() {
  const histogram = createHistogram({ lowest: 1, highest: 120_000_000, figures: 3 })
  let statuses: Record<string, number> = {}
  let late = 0
  let succeeded = 0
  let begunAt = 0
  const atMs = (percentile: number): number => histogram.percentile(percentile) / 1_000
  return {
    add(status: number, ms: number): void {
      histogram.record(Math.max(1, Math.round(ms * 1_000)))
      if (status === 200) succeeded += 1
      statuses[status] = (statuses[status] ?? 0) + 1
    },
    addLate(): void {
      late += 1
    },
    begin(): void {
      histogram.reset()
      statuses = {}
      late = 0
      begunAt = performance.now()
    },
    /** Returns the number of successful responses since the start of the load, including the warm-up. */
    succeeded: (): number => succeeded,
    end(): Omit<Outcome, 'succeeded'> {
      const seconds = (performance.now() - begunAt) / 1_000
      return {
        perSecond: histogram.count / seconds,
        count: histogram.count,
        statuses: { ...statuses },
        latency: {
          p50: atMs(50),
          p90: atMs(90),
          p99: atMs(99),
          p999: atMs(99.9),
          max: histogram.max / 1_000,
        },
        late,
      }
    },
  }
}
