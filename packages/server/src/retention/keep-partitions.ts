import type { Db, Tx } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import type { Clock } from '../values/time.ts'
import { readNow } from './now.ts'
import {
  cancelledBy,
  dropPartition,
  isUnsettled,
  listPartitions,
  makePartition,
  takeTurn,
} from './partition.sql.ts'
import { isPartitionMissing, type Log, logs, partitionsOver } from './partition.ts'
import type { Retention } from './retention.ts'

type Deps = { db: Db; clock: Clock; log: Logger; retention: Retention }

/**
 * Creates the partitions of the coming months, and drops partitions that are past their retention period and have no
 * open rows. A failure in one of the partitioned tables is logged and does not affect the other table. When `stop`
 * aborts, the current change is rolled back and no other change starts. Returns false if anything failed.
 */
export async function keepPartitions(app: Deps, stop: AbortSignal): Promise<boolean> {
  let isKept = true
  for (const table of Object.keys(logs) as Log[]) {
    await keepLog(app, table, stop).catch(error => {
      isKept = false
      if (!stop.aborted)
        app.log.error({ err: error, table }, 'partition maintenance failed; next attempt in an hour')
    })
  }
  return isKept
}

async function keepLog(app: Deps, log: Log, stop: AbortSignal): Promise<void> {
  while (await inTurn(app, stop, tx => makeNext(app, tx, log)));
  while (await inTurn(app, stop, tx => dropOldest(app, tx, log)));
}

/**
 * Runs one change in a transaction of its own, because locks last until the end of a transaction. Returns whether there
 * may be more to do.
 */
async function inTurn(app: Deps, stop: AbortSignal, change: (tx: Tx) => Promise<boolean>): Promise<boolean> {
  if (stop.aborted) return false
  return app.db.transaction(
    async tx => (await takeTurn(tx)) && cancelledBy(stop, app.db, tx, () => change(tx)),
  )
}

async function makeNext(app: Deps, tx: Tx, log: Log): Promise<boolean> {
  const last = (await listPartitions(tx, log)).at(-1)
  if (!last) throw new Error(`${log} has no partition`)
  const isMissing = isPartitionMissing(last, await readNow(app, tx))
  if (isMissing) await makePartition(tx, log)
  return isMissing
}

async function dropOldest(app: Deps, tx: Tx, log: Log): Promise<boolean> {
  const [oldest] = partitionsOver(
    await listPartitions(tx, log),
    app.retention[logs[log].kept] ?? null,
    await readNow(app, tx),
  )
  if (!oldest) return false
  if (await isUnsettled(tx, log, oldest.before)) {
    app.log.warn(
      { partition: oldest.name },
      'partition kept past its retention period: it contains unsettled rows',
    )
    return false
  }
  await dropPartition(tx, log, oldest)
  app.log.info({ partition: oldest.name }, 'partition dropped: its retention period is over')
  return true
}
