import { setTimeout as sleep } from 'node:timers/promises'

/** The pause after a step of background work, as a multiple of the step's duration. */
const PAUSE_PER_STEP = 4
const LONGEST_PAUSE_MS = 1_000

type Time = { nowMs: () => number; pause: (ms: number, stop: AbortSignal) => Promise<void> }

const realTime: Time = {
  nowMs: () => performance.now(),
  pause: (ms, stop) => sleep(ms, undefined, { signal: stop }).catch(() => {}),
}

/**
 * Runs one step of long work in the background, such as a deletion, and then pauses, so that the work does not slow
 * down payments. If `stop` aborts, the pause ends early.
 */
export async function paced<Result>(
  stop: AbortSignal,
  step: () => Promise<Result>,
  { nowMs, pause }: Time = realTime,
): Promise<Result> {
  const startedMs = nowMs()
  const result = await step()
  await pause(Math.min((nowMs() - startedMs) * PAUSE_PER_STEP, LONGEST_PAUSE_MS), stop)
  return result
}
