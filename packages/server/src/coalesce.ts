// Puts calls that arrive together into one: those of one turn of the event loop, and, while as many batches are under
// way as may be, those that come in meanwhile. So a batch is as large as the load asks for and a single call never waits
// for company.

import { setImmediate as endOfTurn } from 'node:timers/promises'

type Waiting<In, Out> = { input: In; resolve: (output: Out) => void; reject: (error: unknown) => void }

/**
 * run answers each input in its place. If a batch fails, its inputs are run one by one, so that only the
 * one that cannot succeed fails. isShared: an error that each of them would meet, such as a database that
 * is away, is every one's at once. atOnce: batches under way; one that is not done after `patienceMs` no longer
 * counts, so that what it hangs on, a lock or a connection, does not hold up the others; so many of these at most.
 */
export function coalesce<In, Out>(
  run: (inputs: In[]) => Promise<Out[]>,
  {
    batchSize,
    atOnce = 1,
    patienceMs = 1_000,
    isShared = () => false,
  }: { batchSize: number; atOnce?: number; patienceMs?: number; isShared?: (error: unknown) => boolean },
): (input: In) => Promise<Out> {
  const queue: Waiting<In, Out>[] = []
  let underWay = 0
  let late = 0

  function pulse(): void {
    if (queue.length > 0 && underWay < atOnce) void drain()
  }

  async function drain(): Promise<void> {
    underWay += 1
    let isLate = false
    const giveWay = () => {
      // What all wait for would else take every connection there is.
      if (late >= atOnce) return
      isLate = true
      late += 1
      underWay -= 1
      pulse()
    }
    while (queue.length > 0 && !isLate) {
      // What several connections brought in one turn of the event loop has all been called for at its end.
      await endOfTurn()
      const batch = queue.splice(0, batchSize)
      if (batch.length === 0) continue
      const patience = setTimeout(giveWay, patienceMs)
      await runBatch(batch)
      clearTimeout(patience)
    }
    if (isLate) late -= 1
    else underWay -= 1
  }

  async function runBatch(batch: Waiting<In, Out>[]): Promise<void> {
    try {
      const outputs = await run(batch.map(each => each.input))
      batch.forEach((each, index) => {
        each.resolve(outputs[index] as Out)
      })
    } catch (error) {
      const [only] = batch
      if (batch.length === 1 && only) only.reject(error)
      else if (isShared(error)) for (const each of batch) each.reject(error)
      else for (const each of batch) await runBatch([each])
    }
  }

  return input =>
    new Promise((resolve, reject) => {
      queue.push({ input, resolve, reject })
      pulse()
    })
}
