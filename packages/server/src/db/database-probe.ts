// Measures whether and how fast the database responds, by sending an empty query through the pool. Like any query, it
// waits for a free connection and for an overloaded server.

import type { Db } from './db.ts'

const TICK_MS = 100
const PAUSE_TICKS = 5
/** The query's time limit, in case its connection is dead but not closed. */
const TIMEOUT_MS = 2_000

export type DatabaseProbe = {
  /** Returns for how many milliseconds the database has not responded; 0 while it responds promptly. */
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
      // After a failure, queries are sent without a pause until one succeeds.
      pausedTicks = PAUSE_TICKS
    } finally {
      isInFlight = false
    }
  }

  // Counts the ticks of this timer instead of reading the clock. If this process stalls, the ticks stop too, so the
  // database is not blamed for the stall.
  const timer = setInterval(() => {
    if (isInFlight || unresponsiveTicks > 0) unresponsiveTicks += 1
    pausedTicks += 1
    if (!isInFlight && pausedTicks > PAUSE_TICKS) void sendQuery()
  }, TICK_MS).unref()

  return { unresponsiveMs: () => unresponsiveTicks * TICK_MS, stop: () => clearInterval(timer) }
}
