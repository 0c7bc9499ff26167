type Turns = { running: number; waiting: (() => void)[] }

/** Returns a function that runs at most `most` calls per key at a time. Further calls wait in a queue. */
export function turnsOfEach(most: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const keys = new Map<string, Turns>()
  return async (key, work) => {
    const turns = keys.get(key) ?? { running: 0, waiting: [] }
    keys.set(key, turns)
    if (turns.running >= most) await new Promise<void>(resolve => turns.waiting.push(resolve))
    else turns.running += 1
    try {
      return await work()
    } finally {
      const next = turns.waiting.shift()
      if (next) next()
      else if (--turns.running === 0) keys.delete(key)
    }
  }
}
