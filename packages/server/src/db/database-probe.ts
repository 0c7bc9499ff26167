// Measures whether and how fast the database responds, with an empty query through the pool. Like every other query, it
// waits for a connection and for a server that hangs or is overloaded.

import type { Db } from './db.ts'

const TICK_MS = 100
const PAUSE_TICKS = 5
/** The time limit of the query, in case its connection is dead but not closed. */
const TIMEOUT_MS = 2_000

export type DatabaseProbe = {
  /** Returns how long the database has not responded, in milliseconds; 0 while it responds promptly. */
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
      // After a failure the next query is sent immediately, until one succeeds.
      pausedTicks = PAUSE_TICKS
    } finally {
      isInFlight = false
    }
  }

  // The time is counted in ticks of this timer and not measured by the clock: while this process itself is stalled,
  // responses may have arrived that it has not read yet.
  const timer = setInterval(() => {
    if (isInFlight || unresponsiveTicks > 0) unresponsiveTicks += 1
    pausedTicks += 1
    if (!isInFlight && pausedTicks > PAUSE_TICKS) void sendQuery()
  }, TICK_MS).unref()

  return { unresponsiveMs: () => unresponsiveTicks * TICK_MS, stop: () => clearInterval(timer) }
}
