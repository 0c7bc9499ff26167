import type { Db, Tx } from '../db/db.ts'
import { firstIdAt } from '../id.ts'
import { type Log, logs, type NewPartition, type Partition, partitionBefore } from './partition.ts'

/** Oldest first; without the one that takes what has no partition. */
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

/**
 * Whether it is this process's turn for the length of the transaction; it waits for no other. What it then changes is
 * locked for a moment, and if that cannot be had soon it is given up, so that nobody queues up behind it.
 */
export async function takeTurn(tx: Tx): Promise<boolean> {
  await tx.raw(`set local lock_timeout = '500ms'`)
  const { rows } = await tx.raw<{ rows: { mine: boolean }[] }>(
    `select pg_try_advisory_xact_lock(hashtext('gapura_log_partitions')) as mine`,
  )
  return rows[0]?.mine === true
}

/**
 * With what came for it while it was missing. Attached, and not created in its place: for that, all partitions would
 * be locked.
 */
export async function makePartition(
  tx: Tx,
  log: Log,
  { name, fromId, beforeId }: NewPartition,
): Promise<void> {
  const { key } = logs[log]
  await tx.raw('create table ?? (like ?? including all)', [name, log])
  await tx.raw(
    `with waiting as (delete from ?? where ?? >= ? and ?? < ? returning *) insert into ?? select * from waiting`,
    [`${log}_default`, key, fromId, key, beforeId, name],
  )
  // A bound is part of the text; it is ours and hexadecimal.
  await tx.raw(`alter table ?? attach partition ?? for values from ('${fromId}') to ('${beforeId}')`, [
    log,
    name,
  ])
}

/** With what came late for those dropped before it. */
export async function dropPartition(tx: Tx, log: Log, { name, before }: Partition): Promise<void> {
  await tx.raw('drop table ??', [name])
  await tx.raw('delete from ?? where ?? < ?', [`${log}_default`, logs[log].key, firstIdAt(before)])
}

/** Whether anything from before a moment still needs its rows. */
export async function isUnsettled(tx: Tx, log: Log, before: Date): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: { yes: boolean }[] }>(`select ${unsettled[log]} as yes`, {
    beforeId: firstIdAt(before),
  })
  return rows[0]?.yes === true
}

const unsettled: Record<Log, string> = {
  // The Owner decides on money by what the provider sent.
  provider_callbacks: `
    exists (select from provider_callbacks where status = 'received' and id < :beforeId)
    or exists (select from unexpected_money where status = 'open' and id < :beforeId)`,
  webhook_attempts: `exists (select from webhook_queue where status = 'pending' and event_id < :beforeId)`,
}
