// Shares the event loop fairly between owners, such as tenants. In each turn of the loop, at most `perTurn` pieces of
// an owner's work start. If one tenant sends hundreds of requests at once, other tenants' requests therefore wait for
// only a few of these requests.

import { setImmediate } from 'node:timers'

export type EventLoopLimit = {
  /**
   * Returns undefined if the owner (such as a tenant) may start its work now. Otherwise, returns a promise that
   * resolves when the work may start. The promises of one owner resolve in the order of the calls.
   */
  next(owner: string): Promise<void> | undefined
}

export function eventLoopLimit(perTurn: number): EventLoopLimit {
  const started = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(runTurn)
  }

  function runTurn(): void {
    isScheduled = false
    started.clear()
    for (const [owner, queue] of waiting) {
      const starting = queue.splice(0, perTurn)
      started.set(owner, starting.length)
      if (queue.length === 0) waiting.delete(owner)
      for (const start of starting) start()
    }
    if (started.size > 0) schedule()
  }

  return {
    next(owner) {
      const count = started.get(owner) ?? 0
      schedule()
      if (count < perTurn && !waiting.has(owner)) {
        started.set(owner, count + 1)
        return undefined
      }
      return new Promise(resolve => {
        const queue = waiting.get(owner) ?? []
        queue.push(resolve)
        waiting.set(owner, queue)
      })
    },
  }
}
