// Measures whether and how fast the database responds, with an empty query through the pool. Like every other query, it
// waits for a connection and for a server that hangs or is overloaded.

import type { Db } from './db.ts'

const TICK_MS = 100
const RESTS_FOR_TICKS = 5
/** The time limit of the query, in case its connection is dead but not closed. */
const GIVEN_UP_AFTER_MS = 2_000

export type Pulse = {
  /** Returns how long the database has not responded, in milliseconds; 0 while it responds promptly. */
  silentMs(): number
  stop(): void
}

export function takePulse(db: Db): Pulse {
  let isAsking = false
  let restedTicks = 0
  let silentTicks = 0

  async function ask(): Promise<void> {
    isAsking = true
    try {
      await db.raw('select').timeout(GIVEN_UP_AFTER_MS)
      silentTicks = 0
      restedTicks = 0
    } catch {
      // After a failure the next query is sent immediately, until one succeeds.
      restedTicks = RESTS_FOR_TICKS
    } finally {
      isAsking = false
    }
  }

  // The silence is counted in ticks of this timer and not measured by the clock: while this process itself is stalled,
  // responses may have arrived that it has not read yet.
  const timer = setInterval(() => {
    if (isAsking || silentTicks > 0) silentTicks += 1
    restedTicks += 1
    if (!isAsking && restedTicks > RESTS_FOR_TICKS) void ask()
  }, TICK_MS).unref()

  return { silentMs: () => silentTicks * TICK_MS, stop: () => clearInterval(timer) }
}
