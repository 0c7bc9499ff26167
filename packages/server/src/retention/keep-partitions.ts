import type { App } from '../app.ts'
import type { Tx } from '../db/db.ts'
import { dropPartition, isUnsettled, listPartitions, makePartition, takeTurn } from './partition.sql.ts'
import { type Log, logs, partitionsOver, partitionsToMake } from './partition.ts'

type Deps = Pick<App, 'db' | 'clock' | 'log' | 'logRetentionDays'>

/** Makes the partitions of the coming months, and drops those whose time is over and of which nothing is open. */
export async function keepPartitions(app: Deps): Promise<void> {
  for (const log of Object.keys(logs) as Log[]) {
    while (await inTurn(app, tx => makeNext(app, tx, log)));
    while (await inTurn(app, tx => dropOldest(app, tx, log)));
  }
}

/** One change to a transaction, since what it changes is locked until its end. Says whether there may be more. */
const inTurn = (app: Deps, change: (tx: Tx) => Promise<boolean>): Promise<boolean> =>
  app.db.transaction(async tx => (await takeTurn(tx)) && change(tx))

async function makeNext(app: Deps, tx: Tx, log: Log): Promise<boolean> {
  const last = (await listPartitions(tx, log)).at(-1)
  if (!last) throw new Error(`${log} has no partition`)
  const [next] = partitionsToMake(log, last, app.clock())
  if (next) await makePartition(tx, log, next)
  return next !== undefined
}

async function dropOldest(app: Deps, tx: Tx, log: Log): Promise<boolean> {
  const [oldest] = partitionsOver(await listPartitions(tx, log), app.logRetentionDays ?? null, app.clock())
  if (!oldest) return false
  if (await isUnsettled(tx, log, oldest.before)) {
    app.log.warn({ partition: oldest.name }, 'kept beyond its time: something of it is not settled')
    return false
  }
  await dropPartition(tx, log, oldest)
  app.log.info({ partition: oldest.name }, 'dropped: its time is over')
  return true
}
