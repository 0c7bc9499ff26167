// Measures how fast the database responds by sending an empty query through the pool. Like any query's duration,
// the result includes the wait for a free connection.

import type { Db } from './db.ts'

const TICK_MS = 100
const PAUSE_TICKS = 5
/**
 * The timeout for the probe's empty query. Without it, a dead connection that is not closed would block the probe.
 */
const TIMEOUT_MS = 2_000

export type DatabaseProbe = {
  /** Returns for how many milliseconds the database has not responded, or 0 while it responds promptly. */
  unresponsiveMs(): number
  stop(): void
}

export function probeDatabase(db: Db): DatabaseProbe {
  let isInFlight = false
  let pausedTicks = 0
  let unresponsiveTicks = 0

  async function sendQuery(): Promise<void> {
    isInFlight = true
    try {
      await db.raw('select').timeout(TIMEOUT_MS)
      unresponsiveTicks = 0
      pausedTicks = 0
    } catch {
      // After a failure, empty queries are sent without a pause until one succeeds.
      pausedTicks = PAUSE_TICKS
    } finally {
      isInFlight = false
    }
  }

  // Time is measured by counting the timer's ticks. The timer does not tick while this process is stalled, so
  // a stall does not count as an unresponsive database.
  const timer = setInterval(() => {
    if (isInFlight || unresponsiveTicks > 0) unresponsiveTicks += 1
    pausedTicks += 1
    if (!isInFlight && pausedTicks > PAUSE_TICKS) void sendQuery()
  }, TICK_MS).unref()

  return { unresponsiveMs: () => unresponsiveTicks * TICK_MS, stop: () => clearInterval(timer) }
}
