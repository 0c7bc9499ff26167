// One statement for the writes that come together. A round trip and a commit cost the same for one row as for a hundred,
// so under load they are shared; a call that comes alone goes out at once. (Reads: joined-read.ts.)

import { coalesceInScope, type WhoseRows } from './coalesce-in-scope.ts'
import { type Db, isDatabaseAway } from './db.ts'

/** More make a statement slow for the first of them. */
export const AT_ONE_TIME = 100
/** On a pool. A connection that hangs holds up its own statement, not the others'. */
export const STATEMENTS_AT_ONCE = 4

/**
 * run answers each input in its place. Joined are the calls on one pool; a transaction is joined with nothing else.
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
      // After an error a transaction takes no further statement: to try again would only hide the error.
      isShared: db.isTransaction ? () => true : isDatabaseAway,
    })
    calls.set(db, call)
    return call(input)
  }
}
