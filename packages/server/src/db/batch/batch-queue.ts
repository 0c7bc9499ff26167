// Groups calls into batches. A batch contains the calls made in one turn of Node's event loop. If the maximum
// number of batches is already in flight, further calls wait. Batches therefore grow with the load, but a single
// call is not delayed.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { batchMetrics } from './batch-metrics.ts'

/**
 * Because a batch serves many requests, it runs outside the AsyncLocalStorage context of the request that
 * started it.
 */
const outsideRequests = AsyncLocalStorage.snapshot()

export type BatchLimits<In> = {
  /** The queue's name, which labels its batches in the batch size metric. */
  name: string
  /** The maximum number of calls in a batch. */
  batchSize: number
  /**
   * `of` returns the weight of an input, and `ofBatch` is the maximum weight of a batch. An input above the
   * maximum gets its own batch.
   */
  weight?: { of(input: In): number; ofBatch: number }
  /** The maximum number of batches in flight. Slow batches are not counted. */
  maxInFlight?: number
  /**
   * The time after which a batch counts as slow. Slow batches, such as those waiting for a lock, do not count
   * toward `maxInFlight`. At most `maxInFlight` slow batches are excluded from this limit.
   */
  slowAfterMs?: number
}

/**
 * Returns a function that adds an input to the next batch, in call order. `run` processes a batch and must catch
 * its own errors. Use `batched` for calls that need a result.
 */
export function batchQueue<In>(
  run: (inputs: In[]) => Promise<void>,
  { name, batchSize, weight, maxInFlight = 1, slowAfterMs = 1_000 }: BatchLimits<In>,
): (input: In) => void {
  const queue: In[] = []
  let inFlight = 0
  let slow = 0

  function startNext(): void {
    // At most `maxInFlight` slow batches are excluded from the limit. Otherwise, slow batches could use up all
    // database connections.
    const counted = inFlight - Math.min(slow, maxInFlight)
    if (queue.length > 0 && counted < maxInFlight) void outsideRequests(runNext)
  }

  async function runNext(): Promise<void> {
    inFlight += 1
    // The batch starts at the end of this turn of the event loop, so that requests that arrived together share a
    // batch.
    await endOfTurn()
    const batch = queue.splice(0, lengthOfNext())
    if (batch.length > 0) {
      batchMetrics.size.observe({ batch: name }, batch.length)
      await runAndNoteIfSlow(batch)
    }
    inFlight -= 1
    startNext()
  }

  function lengthOfNext(): number {
    if (!weight) return batchSize
    let length = 0
    let sum = 0
    for (const input of queue) {
      sum += weight.of(input)
      if (length === batchSize || (sum > weight.ofBatch && length > 0)) break
      length += 1
    }
    return length
  }

  async function runAndNoteIfSlow(batch: In[]): Promise<void> {
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      slow += 1
      startNext()
    }, slowAfterMs)
    await run(batch)
    clearTimeout(timer)
    if (isSlow) slow -= 1
  }

  return input => {
    queue.push(input)
    startNext()
  }
}
