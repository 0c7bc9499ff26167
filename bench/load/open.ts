import type { Recorded } from './record.ts'
import type { Send } from './send.ts'

/**
 * A request is late if it is sent more than this many milliseconds after it was due. Timers have a resolution of
 * one millisecond.
 */
const LATE_MS = 2

/**
 * Sends requests at a constant rate. A request's latency is counted from the time the request was due. The
 * latency therefore includes the wait for earlier requests.
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
