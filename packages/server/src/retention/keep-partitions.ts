import type { App } from '../app.ts'
import type { Tx } from '../db/db.ts'
import {
  dropPartition,
  isUnsettled,
  listPartitions,
  makePartition,
  readClock,
  takeTurn,
} from './partition.sql.ts'
import { type Log, logs, partitionsOver, partitionsToMake } from './partition.ts'

type Deps = Pick<App, 'db' | 'clock' | 'log' | 'logRetentionDays'>

/**
 * Makes the partitions of the coming months, and drops those whose time is over and of which nothing is open. What
 * fails for one log is told and stops nothing of the other.
 */
export async function keepPartitions(app: Deps): Promise<void> {
  for (const table of Object.keys(logs) as Log[]) {
    await keepLog(app, table).catch(error =>
      app.log.error({ err: error, table }, 'partitions could not be seen to; in an hour again'),
    )
  }
}

async function keepLog(app: Deps, log: Log): Promise<void> {
  while (await inTurn(app, tx => makeNext(app, tx, log)));
  while (await inTurn(app, tx => dropOldest(app, tx, log)));
}

/** One change to a transaction, since what it changes is locked until its end. Says whether there may be more. */
const inTurn = (app: Deps, change: (tx: Tx) => Promise<boolean>): Promise<boolean> =>
  app.db.transaction(async tx => (await takeTurn(tx)) && change(tx))

async function makeNext(app: Deps, tx: Tx, log: Log): Promise<boolean> {
  const last = (await listPartitions(tx, log)).at(-1)
  if (!last) throw new Error(`${log} has no partition`)
  const [next] = partitionsToMake(log, last, await readNow(app, tx))
  if (next) await makePartition(tx, log, next)
  return next !== undefined
}

async function dropOldest(app: Deps, tx: Tx, log: Log): Promise<boolean> {
  const [oldest] = partitionsOver(
    await listPartitions(tx, log),
    app.logRetentionDays ?? null,
    await readNow(app, tx),
  )
  if (!oldest) return false
  if (await isUnsettled(tx, log, oldest.before)) {
    app.log.warn({ partition: oldest.name }, 'kept beyond its time: something of it is not settled')
    return false
  }
  await dropPartition(tx, log, oldest)
  app.log.info({ partition: oldest.name }, 'dropped: its time is over')
  return true
}

/** The earlier of PostgreSQL's clock and our own: one that is a year ahead must not end a year of proofs. */
async function readNow(app: Deps, tx: Tx): Promise<Date> {
  return new Date(Math.min((await readClock(tx)).getTime(), app.clock().getTime()))
}
