import type { Recorded } from './record.ts'
import type { Send } from './send.ts'

/** A timer with a resolution of a millisecond may be this late. */
const LATE_MS = 2

/**
 * Sends at a constant rate. A request's time is measured from when it was due, so it includes waiting for earlier
 * requests.
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
