// Groups calls into batches. A batch contains the calls of one turn of Node's event loop. If the maximum number of
// batches is in flight, further calls wait and form the next batches. Batches therefore grow with the load, but a lone
// call is not delayed.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { batchMetrics } from './batch-metrics.ts'

/**
 * A batch serves many requests, so it must not run in the AsyncLocalStorage context of the request that
 * started it.
 */
const outsideRequests = AsyncLocalStorage.snapshot()

export type BatchLimits<In> = {
  /** The queue's name, which labels its batches in the batch size metric. */
  name: string
  /** The maximum number of calls in a batch. */
  batchSize: number
  /**
   * Limits the weight of a batch. `of` returns the weight of an input, and `ofBatch` is the maximum weight of
   * a batch. A heavier input gets a batch of its own.
   */
  weight?: { of(input: In): number; ofBatch: number }
  /** The maximum number of batches that run at the same time. Slow batches do not count toward this limit. */
  maxInFlight?: number
  /**
   * How long a batch may run before it counts as slow, for example because it waits for a lock. A slow batch
   * does not count toward the limit `maxInFlight`, but at most `maxInFlight` batches are exempt like this.
   */
  slowAfterMs?: number
}

/**
 * Returns a function that adds its input to the next batch. A batch contains the inputs in the order of the
 * calls. The parameter `run` processes a batch and must catch its own errors. If callers need a result, use
 * `batched` instead.
 */
export function batchQueue<In>(
  run: (inputs: In[]) => Promise<void>,
  { name, batchSize, weight, maxInFlight = 1, slowAfterMs = 1_000 }: BatchLimits<In>,
): (input: In) => void {
  const queue: In[] = []
  let inFlight = 0
  let slow = 0

  function startNext(): void {
    // At most `maxInFlight` slow batches are exempt from the limit, so that slow batches cannot use up all database
    // connections.
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
