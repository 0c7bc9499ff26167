import type { Db } from '../db/db.ts'

/** A worker process and the names (`poolIds`) under which its job runners lock jobs. */
export type WorkerRow = { id: string; poolIds: string[] }

export async function sendHeartbeat(db: Db, worker: WorkerRow): Promise<void> {
  await db.raw(
    `insert into workers (id, pool_ids) values (?, ?)
     on conflict (id) do update set seen_at = now(), pool_ids = excluded.pool_ids`,
    [worker.id, worker.poolIds],
  )
}

/** Counts the processes that sent a heartbeat within the last `seenWithinMs` milliseconds. */
export async function countWorkers(db: Db, seenWithinMs: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*)::integer as count from workers where seen_at > now() - ? * interval '1 millisecond'`,
    [seenWithinMs],
  )
  return rows[0]?.count ?? 0
}

export async function deleteWorker(db: Db, id: string): Promise<void> {
  await db.raw('delete from workers where id = ?', [id])
}

/**
 * Releases the jobs that were still locked by a job runner when the runner ended, so that other runners can
 * run these jobs.
 */
export async function releaseJobs(db: Db, poolId: string): Promise<void> {
  await db.raw('select graphile_worker.force_unlock_workers(?::text[])', [[poolId]])
}
