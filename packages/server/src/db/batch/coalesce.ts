// Merges concurrent calls into batches. A batch takes the calls of one turn of the event loop. While the maximum
// number of batches is in flight, it also takes the calls that arrive meanwhile. So batches grow with the load, and a
// lone call is never delayed.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { currentSpan, inBatchSpan } from '../../tracing/span.ts'
import { batchMetrics } from './batch-metrics.ts'

/** A batch serves many requests, so it must not run in the async context of the request that happened to start it. */
const forNoRequest = AsyncLocalStorage.snapshot()

type Sizes<In> = {
  /** The label of these batches in the metric of batch sizes. */
  name: string
  batchSize: number
  /** The weight of an input and the maximum weight of a batch. An input above the maximum gets a batch of its own. */
  weight?: { of(input: In): number; ofBatch: number }
  atOnce?: number
  patienceMs?: number
}

/**
 * Returns a function that adds an input to the next batch; `run` processes a batch and must catch its own errors.
 * `atOnce` limits the batches in flight. A batch that takes longer than `patienceMs` no longer counts toward this
 * limit, so that a lock or connection for which it waits does not block other batches. At most `atOnce` such batches
 * are left out of the count.
 */
export function inBatches<In>(
  run: (inputs: In[]) => Promise<void>,
  { name, batchSize, weight, atOnce = 1, patienceMs = 1_000 }: Sizes<In>,
): (input: In) => void {
  const queue: In[] = []
  let underWay = 0
  let late = 0

  function pulse(): void {
    // Only some late batches are left out of the count. If all were, they could eventually take every database
    // connection.
    const counted = underWay - Math.min(late, atOnce)
    if (queue.length > 0 && counted < atOnce) void forNoRequest(next)
  }

  async function next(): Promise<void> {
    underWay += 1
    // The batch starts at the end of the turn. By then, all connections that received data in this turn have made their
    // calls, so these calls share a batch.
    await endOfTurn()
    const batch = queue.splice(0, lengthOfNext())
    if (batch.length > 0) {
      batchMetrics.size.observe({ batch: name }, batch.length)
      await runWithPatience(batch)
    }
    underWay -= 1
    pulse()
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

  async function runWithPatience(batch: In[]): Promise<void> {
    let isLate = false
    const patience = setTimeout(() => {
      isLate = true
      late += 1
      pulse()
    }, patienceMs)
    await run(batch)
    clearTimeout(patience)
    if (isLate) late -= 1
  }

  return input => {
    queue.push(input)
    pulse()
  }
}

type Waiting<In, Out> = {
  input: In
  caller: ReturnType<typeof currentSpan>
  resolve: (output: Out) => void
  reject: (error: unknown) => void
}

/** The number of inputs of a failed batch that are retried at the same time. */
const RUN_ALONE_AT_ONCE = 4

/**
 * Returns a function whose concurrent calls are merged into batches. `run` processes a batch and returns one output per
 * input, in the same order. If a batch fails, each input is retried alone, so that only the calls that cannot succeed
 * fail. If `isShared` returns true for the error, for instance if the database is unavailable, all calls of the batch
 * fail without a retry.
 */
export function coalesce<In, Out>(
  run: (inputs: In[]) => Promise<Out[]>,
  { isShared = () => false, weight, ...sizes }: Sizes<In> & { isShared?: (error: unknown) => boolean },
): (input: In) => Promise<Out> {
  async function runBatch(batch: Waiting<In, Out>[]): Promise<void> {
    try {
      const outputs = await inBatchSpan(
        sizes.name,
        batch.map(each => each.caller),
        () => run(batch.map(each => each.input)),
      )
      batch.forEach((each, index) => {
        each.resolve(outputs[index] as Out)
      })
    } catch (error) {
      if (batch.length === 1 || isShared(error)) for (const each of batch) each.reject(error)
      else await runEachAlone(batch)
    }
  }

  /**
   * Retries each input alone instead of halving the batch: an input that times out while it waits for a lock would time
   * out again in each half that contains it.
   */
  async function runEachAlone(batch: Waiting<In, Out>[]): Promise<void> {
    const rest = batch.values()
    const runTheRest = async () => {
      for (const each of rest) await runBatch([each])
    }
    await Promise.all(Array.from({ length: RUN_ALONE_AT_ONCE }, runTheRest))
  }

  const add = inBatches(runBatch, {
    ...sizes,
    ...(weight && { weight: { ...weight, of: (each: Waiting<In, Out>) => weight.of(each.input) } }),
  })
  return input => new Promise((resolve, reject) => add({ input, caller: currentSpan(), resolve, reject }))
}
