import type { Send } from './send.ts'

/**
 * Starts a closed load: each connection sends its next request as soon as it has a response to the previous one.
 * This load shows the maximum throughput.
 */
export function closed(
  send: Send,
  add: (status: number, ms: number) => void,
  connections: number,
): { stop(): void } {
  let stopped = false
  const sendNext = (): void => {
    const sentAt = performance.now()
    send.next(status => {
      add(status, performance.now() - sentAt)
      if (!stopped) sendNext()
    })
  }
  for (let n = 0; n < connections; n += 1) sendNext()
  return {
    stop() {
      stopped = true
    },
  }
}
