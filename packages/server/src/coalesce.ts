// Puts calls that arrive together into one: those of one turn of the event loop, and, while as many batches are under
// way as may be, those that come in meanwhile. So a batch is as large as the load asks for and a single call never waits
// for company.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { batchMetrics } from './batch-metrics.ts'
import { currentSpan, inBatchSpan } from './tracing/span.ts'

/** What a batch does is done for many: none of it belongs to the request that happened to begin it. */
const forNoRequest = AsyncLocalStorage.snapshot()

type Sizes<In> = {
  /** By which its sizes are told. */
  name: string
  batchSize: number
  /** What an input weighs, and how much a batch may; one that weighs more goes alone. */
  weight?: { of(input: In): number; ofBatch: number }
  atOnce?: number
  patienceMs?: number
}

/**
 * `run` catches its own errors. atOnce: batches under way; one that is not done after `patienceMs` no longer counts, so
 * that what it hangs on, a lock or a connection, does not hold up the others; so many of these at most.
 */
export function inBatches<In>(
  run: (inputs: In[]) => Promise<void>,
  { name, batchSize, weight, atOnce = 1, patienceMs = 1_000 }: Sizes<In>,
): (input: In) => void {
  const queue: In[] = []
  let underWay = 0
  let late = 0

  function pulse(): void {
    // Were all late ones left out, what they wait for would in the end take every connection there is.
    const counted = underWay - Math.min(late, atOnce)
    if (queue.length > 0 && counted < atOnce) void forNoRequest(next)
  }

  async function next(): Promise<void> {
    underWay += 1
    // What several connections brought in one turn of the event loop has all been called for at its end.
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

/** Of a batch that failed. */
const RUN_ALONE_AT_ONCE = 4

/**
 * `run` answers each input in its place. If a batch fails, its inputs are run alone, so that only the one that cannot
 * succeed fails. isShared: an error that each of them would meet, such as a database that is away, is every one's at
 * once.
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

  /** Not by halves: an input that waits for a lock until its time is over would do so again in each half it is in. */
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
