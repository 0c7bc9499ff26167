type KeyState = { running: number; waiting: (() => void)[] }

/**
 * Returns a function that runs at most `most` concurrent calls per key. Further calls for the key wait in a
 * queue.
 */
export function queueingLimit(most: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const keys = new Map<string, KeyState>()
  return async (key, work) => {
    const state = keys.get(key) ?? { running: 0, waiting: [] }
    keys.set(key, state)
    if (state.running >= most) await new Promise<void>(resolve => state.waiting.push(resolve))
    else state.running += 1
    try {
      return await work()
    } finally {
      const next = state.waiting.shift()
      if (next) next()
      else if (--state.running === 0) keys.delete(key)
    }
  }
}
