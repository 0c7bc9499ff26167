// Counts the running handlers of requests. A stopping server waits for them, even if their clients have disconnected.
// Otherwise, the charge or refund of such a request could be interrupted before its result is stored.

export type RunningHandlers = {
  /** Counts the handler as running until the promise settles. Returns the handler's result. */
  track<T>(handler: Promise<T>): Promise<T>
  /** Waits until no handler is running, but at most `limitMs` milliseconds. */
  allEnded(limitMs: number): Promise<void>
}

export function runningHandlers(): RunningHandlers {
  let count = 0
  let whenNone: (() => void) | undefined
  return {
    async track(handler) {
      count++
      try {
        return await handler
      } finally {
        count--
        if (count === 0) whenNone?.()
      }
    },
    async allEnded(limitMs) {
      if (count === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      whenNone = resolve
      const timer = setTimeout(resolve, limitMs)
      await promise
      clearTimeout(timer)
    },
  }
}
