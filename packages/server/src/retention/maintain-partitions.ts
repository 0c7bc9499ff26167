import type { Db, Tx } from '../db/db.ts'
import { readEarlierClock } from '../db/read-clock.ts'
import type { Logger } from '../logging/log.ts'
import type { Clock } from '../values/time.ts'
import {
  cancelOnAbort,
  createPartition,
  dropPartition,
  hasOpenRows,
  listPartitions,
  tryLockPartitions,
} from './partition.sql.ts'
import { expiredPartitions, isPartitionMissing, type Log, logs } from './partition.ts'
import type { Retention } from './retention.ts'

type Deps = { db: Db; clock: Clock; log: Logger; retention: Retention }

/**
 * Creates partitions for the coming months. Drops partitions past their retention period, unless unfinished work
 * (such as a pending webhook event) still needs their rows. A failure in one table does not affect the other tables.
 * If the signal `stop` aborts, the current change is rolled back, and no other change is started. Returns false if
 * anything failed.
 */
export async function maintainPartitions(app: Deps, stop: AbortSignal): Promise<boolean> {
  let isComplete = true
  for (const table of Object.keys(logs) as Log[]) {
    await maintainLog(app, table, stop).catch(error => {
      isComplete = false
      if (!stop.aborted)
        app.log.error({ err: error, table }, 'partition maintenance failed; next attempt in an hour')
    })
  }
  return isComplete
}

async function maintainLog(app: Deps, log: Log, stop: AbortSignal): Promise<void> {
  while (await inOwnTransaction(app, stop, tx => createNext(app, tx, log)));
  while (await inOwnTransaction(app, stop, tx => dropOldest(app, tx, log)));
}

/**
 * Makes one change to the partitions in its own transaction, so that its locks are released right after the change.
 * Returns whether more changes may be necessary.
 */
async function inOwnTransaction(
  app: Deps,
  stop: AbortSignal,
  change: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  if (stop.aborted) return false
  return app.db.transaction(
    async tx => (await tryLockPartitions(tx)) && cancelOnAbort(stop, app.db, tx, () => change(tx)),
  )
}

async function createNext(app: Deps, tx: Tx, log: Log): Promise<boolean> {
  const last = (await listPartitions(tx, log)).at(-1)
  if (!last) throw new Error(`${log} has no partition`)
  const isMissing = isPartitionMissing(last, await readEarlierClock(app, tx))
  if (isMissing) await createPartition(tx, log)
  return isMissing
}

async function dropOldest(app: Deps, tx: Tx, log: Log): Promise<boolean> {
  const [oldest] = expiredPartitions(
    await listPartitions(tx, log),
    app.retention[logs[log].retention] ?? null,
    await readEarlierClock(app, tx),
  )
  if (!oldest) return false
  if (await hasOpenRows(tx, log, oldest.before)) {
    app.log.warn(
      { partition: oldest.name },
      'a partition was kept past its retention period because unfinished work still needs its rows',
    )
    return false
  }
  await dropPartition(tx, log, oldest)
  app.log.info({ partition: oldest.name }, 'partition dropped: its retention period has ended')
  return true
}
