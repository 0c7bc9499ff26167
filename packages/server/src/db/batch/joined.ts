// Batches concurrent writes into one statement. A round trip and a commit cost the same for one row as for a hundred,
// so concurrent calls share them. A lone call is never delayed. joined-read.ts does the same for reads.

import { type Db, isDatabaseAway } from '../db.ts'
import { coalesceInScope, type WhoseRows } from './coalesce-in-scope.ts'

/** The maximum number of calls in a batch. A larger batch would delay its first caller. */
export const AT_ONE_TIME = 100
/**
 * The maximum number of statements in flight per pool. Because it is more than one, a connection that hangs delays only
 * its own batch.
 */
export const STATEMENTS_AT_ONCE = 4

/**
 * Returns a function that batches its concurrent calls. `run` gets the inputs of a batch and returns one output for
 * each, in the same order. Calls on the same pool share batches; calls in a transaction are batched only with each
 * other.
 */
export function joined<In, Out>(
  name: string,
  { run, ...whose }: { run: (db: Db, inputs: In[]) => Promise<Out[]> } & WhoseRows<In, Out>,
): (db: Db, input: In) => Promise<Out> {
  const calls = new WeakMap<Db, (input: In) => Promise<Out>>()
  return (db, input) => {
    const known = calls.get(db)
    if (known) return known(input)
    const call = coalesceInScope((inputs: In[]) => run(db, inputs), {
      ...whose,
      name,
      batchSize: AT_ONE_TIME,
      atOnce: STATEMENTS_AT_ONCE,
      // A transaction accepts no statement after an error, so a retry would only hide the error.
      isShared: db.isTransaction ? () => true : isDatabaseAway,
    })
    calls.set(db, call)
    return call(input)
  }
}
