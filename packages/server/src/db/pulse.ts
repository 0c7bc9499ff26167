// Whether the database answers, and how late: a question that costs nothing, asked by the way that all others take,
// through the pool. It waits where they wait: for a connection, for a server that hangs or has too much to do.

import type { Db } from './db.ts'

const TICK_MS = 100
const RESTS_FOR_TICKS = 5
/** Of a connection that nobody tells is dead. */
const GIVEN_UP_AFTER_MS = 2_000

export type Pulse = {
  /** For how long the question has not been answered; 0 while it is answered at once. */
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
      // The next one follows at once, until one is answered.
      restedTicks = RESTS_FOR_TICKS
    } finally {
      isAsking = false
    }
  }

  // Counted and not measured: while this process itself stands still, answers wait to be read.
  const timer = setInterval(() => {
    if (isAsking || silentTicks > 0) silentTicks += 1
    restedTicks += 1
    if (!isAsking && restedTicks > RESTS_FOR_TICKS) void ask()
  }, TICK_MS).unref()

  return { silentMs: () => silentTicks * TICK_MS, stop: () => clearInterval(timer) }
}
