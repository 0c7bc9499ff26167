import { fault } from '../faults/fault.ts'

/**
 * Limits for the queue of each key: the maximum number of waiting calls, and the maximum waiting time. `what` is a
 * plural noun for the calls, used in the error message.
 */
type QueueBounds = { maxWaiting: number; maxWaitMs: number; what: string }
type KeyState = { running: number; waiting: Set<() => void> }

/**
 * Runs `work` when the queue for `key` has reached this call. If `signal` is aborted, a waiting call leaves the queue
 * and throws an error.
 */
export type QueueingLimit = <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/**
 * Returns a function that runs at most `most` concurrent calls per key. Further calls for the key wait in a
 * queue. With `bounds`, a call throws RATE_LIMITED if the queue is full or the call has waited too long.
 */
export function queueingLimit(most: number, bounds?: QueueBounds): QueueingLimit {
  const keys = new Map<string, KeyState>()
  return async (key, work, signal) => {
    const state = keys.get(key) ?? { running: 0, waiting: new Set() }
    keys.set(key, state)
    if (state.running >= most) await waitForTurn(state.waiting, bounds, signal)
    else state.running += 1
    try {
      return await work()
    } finally {
      const [next] = state.waiting
      if (next) next()
      else if (--state.running === 0) keys.delete(key)
    }
  }
}

/**
 * Waits until a call that has ended passes its slot to this call. When the waiting ends for any reason, the call leaves
 * the queue immediately. A call that stayed in the queue could get a slot, which nothing would release.
 */
function waitForTurn(
  waiting: Set<() => void>,
  bounds: QueueBounds | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal?.aborted) throw fault('connection_closed')
  if (bounds && waiting.size >= bounds.maxWaiting) throw atCapacity(bounds)
  const turn = Promise.withResolvers<void>()
  const leave = () => {
    waiting.delete(start)
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
  const start = () => {
    leave()
    turn.resolve()
  }
  const giveUp = (error: Error) => {
    leave()
    turn.reject(error)
  }
  const onAbort = () => giveUp(fault('connection_closed'))
  const timer = bounds && setTimeout(() => giveUp(atCapacity(bounds)), bounds.maxWaitMs)
  signal?.addEventListener('abort', onAbort)
  waiting.add(start)
  return turn.promise
}

const atCapacity = ({ what }: QueueBounds) =>
  fault('own_queue_at_capacity', { what }, { retryAfterSeconds: 1 })
