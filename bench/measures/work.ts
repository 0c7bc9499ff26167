// Measures how long a worker process takes to finish the work that is waiting for it, and how much CPU time
// it uses.

import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf } from '../host/usage.ts'
import type { Figure, Stage } from '../measure.ts'

/**
 * The polling interval in milliseconds. It is short compared with a benchmark round of several seconds, but long
 * enough that polling uses little CPU time.
 */
const LOOK_EVERY_MS = 10
const PATIENCE_MS = 120_000

/**
 * Measures the rate at which a process completes work, and the CPU time per unit of work. The function `work`
 * starts `count` units of work in the process `pid` and waits until they are done.
 */
export async function rateOf(
  { postgres }: Pick<Stage, 'postgres'>,
  pid: number,
  count: number,
  work: () => Promise<unknown>,
): Promise<Figure> {
  const cpu = async () => ({ process: await cpuOf(pid), postgres: await postgres.cpu() })
  const before = await cpu()
  const walBefore = await postgres.walBytes()
  const startedAt = performance.now()
  await work()
  const seconds = (performance.now() - startedAt) / 1_000
  const after = await cpu()
  const microseconds = (spent: number) => (spent * 1e6) / count
  return {
    value: count / seconds,
    detail: {
      cpuUs: microseconds(after.process - before.process),
      postgresCpuUs: microseconds(after.postgres - before.postgres),
      walBytes: Math.round(((await postgres.walBytes()) - walBefore) / count),
    },
  }
}

export async function until(isDone: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS
  while (!(await isDone())) {
    if (performance.now() > giveUpAt)
      throw new Error(`the work was not finished after ${PATIENCE_MS / 1_000} s`)
    await sleep(LOOK_EVERY_MS)
  }
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
