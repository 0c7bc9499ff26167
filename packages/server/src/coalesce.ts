// Puts calls that arrive together into one: those of one turn of the event loop, and, while as many batches are under
// way as may be, those that come in meanwhile. So a batch is as large as the load asks for and a single call never waits
// for company.

import { setImmediate as endOfTurn } from 'node:timers/promises'

type Waiting<In, Out> = { input: In; resolve: (output: Out) => void; reject: (error: unknown) => void }

/**
 * run answers each input in its place. If a batch fails, its inputs are run one by one, so that only the
 * one that cannot succeed fails. isShared: an error that each of them would meet, such as a database that
 * is away, is every one's at once. atOnce: batches under way, so that one that hangs does not hold up all.
 */
export function coalesce<In, Out>(
  run: (inputs: In[]) => Promise<Out[]>,
  {
    batchSize,
    atOnce = 1,
    isShared = () => false,
  }: { batchSize: number; atOnce?: number; isShared?: (error: unknown) => boolean },
): (input: In) => Promise<Out> {
  const queue: Waiting<In, Out>[] = []
  let underWay = 0

  async function drain(): Promise<void> {
    underWay += 1
    while (queue.length > 0) {
      // What several connections brought in one turn of the event loop has all been called for at its end.
      await endOfTurn()
      const batch = queue.splice(0, batchSize)
      if (batch.length > 0) await runBatch(batch)
    }
    underWay -= 1
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
      if (underWay < atOnce) void drain()
    })
}
