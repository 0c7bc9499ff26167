import type { Recorded } from './record.ts'
import type { Send } from './send.ts'

/** Later than a timer of a millisecond may be. */
const LATE_MS = 2

/**
 * Sends at a constant rate, and counts a request's time from when it was due: one that waits because those before it
 * hang has waited.
 */
export function open(
  send: Send,
  { add, addLate }: Pick<Recorded, 'add' | 'addLate'>,
  rate: number,
): { stop(): void } {
  const begunAt = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    for (;;) {
      const dueAt = begunAt + (sent * 1_000) / rate
      const now = performance.now()
      if (dueAt > now) return
      if (now - dueAt > LATE_MS) addLate()
      sent += 1
      send.next(status => add(status, performance.now() - dueAt))
    }
  }, 1)
  return { stop: () => clearInterval(timer) }
}
