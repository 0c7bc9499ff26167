// Measures how fast the database responds by sending an empty query through the pool. Like any query's duration,
// the result includes the wait for a free connection.

import type { Db } from './db.ts'

const TICK_MS = 100
const PAUSE_TICKS = 5
/** The timeout for the probe's empty query. Without it, a dead connection that is not closed would block the probe. */
const TIMEOUT_MS = 2_000

export type DatabaseProbe = {
  /** Returns how long the database has not responded, in milliseconds, or 0 if it currently responds promptly. */
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
      // After a query to the database fails, the probe sends empty queries without a pause until a query
      // succeeds.
      pausedTicks = PAUSE_TICKS
    } finally {
      isInFlight = false
    }
  }

  // The probe counts the ticks of a timer instead of measuring time, because the timer does not tick while
  // this process is stalled. A stalled process therefore does not report the database as unresponsive.
  const timer = setInterval(() => {
    if (isInFlight || unresponsiveTicks > 0) unresponsiveTicks += 1
    pausedTicks += 1
    if (!isInFlight && pausedTicks > PAUSE_TICKS) void sendQuery()
  }, TICK_MS).unref()

  return { unresponsiveMs: () => unresponsiveTicks * TICK_MS, stop: () => clearInterval(timer) }
}
