import { setTimeout as pause } from 'node:timers/promises'

/** Background work that repeats until `stop` is called. `stop` resolves when the current run has ended. */
export type Periodic = { stop(): Promise<void> }

/**
 * Calls `run` now, and again `pauseMs` after each run ends, even if the run failed. Errors after `stop` are
 * ignored, because stopping interrupts the run.
 */
export function runPeriodically(
  pauseMs: number,
  run: (stop: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): Periodic {
  const stop = new AbortController()
  async function loop(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        await run(stop.signal)
      } catch (error) {
        if (!stop.signal.aborted) onError(error)
      }
      await pause(pauseMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const ended = loop()
  return {
    async stop() {
      stop.abort()
      await ended
    },
  }
}
