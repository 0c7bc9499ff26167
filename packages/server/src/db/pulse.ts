// Measures whether and how late the database responds, with an empty query through the pool. The query waits where all
// others wait: for a connection, or for a server that hangs or is overloaded.

import type { Db } from './db.ts'

const TICK_MS = 100
const RESTS_FOR_TICKS = 5
/** The time limit of a query, for a connection that is dead without notice. */
const GIVEN_UP_AFTER_MS = 2_000

export type Pulse = {
  /** How long the query has had no response, in milliseconds; 0 while responses are prompt. */
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
      // Retries immediately, until one query succeeds.
      restedTicks = RESTS_FOR_TICKS
    } finally {
      isAsking = false
    }
  }

  // Counts ticks instead of measuring time: while this process itself is stalled, responses wait to be read.
  const timer = setInterval(() => {
    if (isAsking || silentTicks > 0) silentTicks += 1
    restedTicks += 1
    if (!isAsking && restedTicks > RESTS_FOR_TICKS) void ask()
  }, TICK_MS).unref()

  return { silentMs: () => silentTicks * TICK_MS, stop: () => clearInterval(timer) }
}
