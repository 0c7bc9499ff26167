import { setTimeout as pause } from 'node:timers/promises'
import type { Db, Tx } from '../db/db.ts'
import { firstIdAt } from '../values/id.ts'
import { type Log, type Partition, partitionBefore } from './partition.ts'

/** Lists the partitions of a log table, oldest first, without the default partition. */
export async function listPartitions(db: Db, log: Log): Promise<Partition[]> {
  const { rows } = await db.raw<{ rows: { name: string; beforeId: string }[] }>(
    `select name, "beforeId" from (
       select c.relname as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO [(]''([0-9a-f-]+)''') as "beforeId"
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ?::regclass
     ) partition
     where "beforeId" is not null order by "beforeId"`,
    [log],
  )
  return rows.map(partitionBefore)
}

// The statement timeout for partition changes. It is longer than the timeout for ordinary statements, because moving
// rows and scanning tables may take long.
const STATEMENT_MS = 600_000
/**
 * The client-side timeout for partition changes. It is slightly longer than the server-side timeout, which
 * `tryLockPartitions` sets.
 */
const long = { query_timeout: STATEMENT_MS + 5_000 }

/**
 * Tries to get the lock under which only one process changes partitions. Also limits each wait for a table
 * lock to 500 ms, because other queries have to wait behind a waiting change.
 */
export async function tryLockPartitions(tx: Tx): Promise<boolean> {
  await tx.raw(`set local lock_timeout = '500ms'; set local statement_timeout = ${STATEMENT_MS}`)
  const { rows } = await tx.raw<{ rows: { mine: boolean }[] }>(
    `select pg_try_advisory_xact_lock(hashtext('gapura_log_partitions')) as mine`,
  )
  return rows[0]?.mine === true
}

const CANCELLED_EVERY_MS = 100

/**
 * Calls `run`. If `stop` aborts before `run` ends, cancels the transaction's SQL statements repeatedly until
 * `run` ends. The connection returns to the pool only after the last cancellation, so that no other
 * transaction is cancelled by mistake.
 */
export async function cancelOnAbort<T>(stop: AbortSignal, db: Db, tx: Tx, run: () => Promise<T>): Promise<T> {
  const { rows } = await tx.raw<{ rows: [{ pid: number }] }>('select pg_backend_pid() as pid')
  let isOver = false
  let cancelling: Promise<void> | undefined
  async function cancel(): Promise<void> {
    while (!isOver) {
      await db.raw('select pg_cancel_backend(?)', [rows[0].pid]).catch(() => {})
      await pause(CANCELLED_EVERY_MS)
    }
  }
  const begin = () => {
    cancelling = cancel()
  }
  stop.addEventListener('abort', begin)
  try {
    stop.throwIfAborted()
    return await run()
  } finally {
    isOver = true
    stop.removeEventListener('abort', begin)
    await cancelling
  }
}

/**
 * Creates the partition for the month after the last partition. The SQL function that creates it runs as the
 * tables' owner (migrations/0033_log_partitions_by_the_owner.sql).
 */
export async function createPartition(tx: Tx, log: Log): Promise<void> {
  await tx.raw('select make_log_partition(?)', [log]).options(long)
}

/**
 * Drops the oldest partition. It may also contain older rows that arrived after their own partition had been dropped.
 * The SQL function runs as the tables' owner.
 */
export async function dropPartition(tx: Tx, log: Log, { name }: Partition): Promise<void> {
  await tx.raw('select drop_log_partition(?, ?)', [log, name]).options(long)
}

/**
 * Returns true if unfinished work, such as a callback that is not yet processed, still needs rows older than
 * `before`.
 */
export async function hasOpenRows(tx: Tx, log: Log, before: Date): Promise<boolean> {
  const { rows } = await tx
    .raw<{ rows: { yes: boolean }[] }>(`select ${openRows[log]} as yes`, { beforeId: firstIdAt(before) })
    .options(long)
  return rows[0]?.yes === true
}

const openRows: Record<Log, string> = {
  // The Owner needs callbacks to decide what to do with unexpected money, so callbacks are kept until the
  // decision. If the money's payment is known, all callbacks about this payment are kept. If it is not known, all
  // callbacks for the provider account that were processed since the money was recorded are kept.
  provider_callbacks: `
    exists (select from provider_callbacks where status = 'received' and id < :beforeId)
    or exists (select from unreadable_callbacks where callback_id < :beforeId)
    or exists (select from unexpected_money where status = 'open' and id < :beforeId)
    or exists (
      select from unexpected_money m join provider_callbacks c on c.payment_id = m.payment_id
      where m.status = 'open' and c.id < :beforeId)
    or exists (
      select from unexpected_money m join provider_callbacks c on c.provider_account_id = m.provider_account_id
      where m.status = 'open' and m.payment_id is null and c.id < :beforeId and c.processed_at >= m.created_at)`,
  webhook_attempts: `exists (select from webhook_queue where status = 'pending' and event_id < :beforeId)`,
  // Old rows of the request log can always be dropped, because no unfinished work depends on them.
  api_requests: 'false and :beforeId::uuid is null',
}
