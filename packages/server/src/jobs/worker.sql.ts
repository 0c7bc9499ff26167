import type { Db } from '../db/db.ts'

/** poolIds: the names under which the worker's runners lock jobs. */
export type WorkerRow = { id: string; poolIds: string[] }

export async function beat(db: Db, worker: WorkerRow): Promise<void> {
  await db.raw(
    `insert into workers (id, pool_ids) values (?, ?)
     on conflict (id) do update set seen_at = now(), pool_ids = excluded.pool_ids`,
    [worker.id, worker.poolIds],
  )
}

/** Counts the processes that sent a heartbeat within `beatenWithinMs`. */
export async function countWorkers(db: Db, beatenWithinMs: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*)::integer as count from workers where seen_at > now() - ? * interval '1 millisecond'`,
    [beatenWithinMs],
  )
  return rows[0]?.count ?? 0
}

export async function deleteWorker(db: Db, id: string): Promise<void> {
  await db.raw('delete from workers where id = ?', [id])
}

/**
 * Releases the jobs of workers whose heartbeat stopped, and jobs locked under a name that no worker has: a fetch can
 * reach the database after its runner ended, and a process can be killed before its first heartbeat. Ages use only
 * the database's clock, so the clocks of processes need not agree.
 */
export async function releaseJobsOfTheDead(db: Db, deadAfterMs: number): Promise<void> {
  await db.raw(
    `with dead as (
       delete from workers where seen_at < now() - :deadAfterMs * interval '1 millisecond' returning pool_ids
     )
     update graphile_worker._private_jobs set locked_by = null, locked_at = null
     where locked_by in (select unnest(pool_ids) from dead)
       or locked_at < now() - :deadAfterMs * interval '1 millisecond'
         and not exists (select from workers where locked_by = any(pool_ids))`,
    { deadAfterMs },
  )
}

/** Releases the jobs of a runner that ended. */
export async function releaseJobs(db: Db, poolId: string): Promise<void> {
  await db.raw('select graphile_worker.force_unlock_workers(?::text[])', [[poolId]])
}

/** Releases the jobs that a running runner has locked but does not have. */
export async function releaseUnheldJobs(
  db: Db,
  poolId: string,
  held: ReadonlySet<string>,
  lockedForMs: number,
): Promise<void> {
  await db.raw(
    `update graphile_worker._private_jobs set locked_by = null, locked_at = null
     where locked_by = ? and locked_at < now() - ? * interval '1 millisecond' and id <> all(?::bigint[])`,
    [poolId, lockedForMs, [...held]],
  )
}

/** Call only while no other process works: every locked job then belongs to a process that is gone. */
export async function releaseAllJobs(db: Db): Promise<void> {
  await db.raw('delete from workers')
  await db.raw(
    `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
     from graphile_worker._private_jobs where locked_by is not null having count(*) > 0`,
  )
}
