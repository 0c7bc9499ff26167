import type { Db } from '../db/db.ts'

/** poolIds: the names under which its runners lock jobs. */
export type WorkerRow = { id: string; poolIds: string[] }

export async function beat(db: Db, worker: WorkerRow): Promise<void> {
  await db.raw(
    `insert into workers (id, pool_ids) values (?, ?)
     on conflict (id) do update set seen_at = now(), pool_ids = excluded.pool_ids`,
    [worker.id, worker.poolIds],
  )
}

/** Processes that have beaten within `beatenWithinMs`. */
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
 * Jobs of workers that stopped beating, and jobs that are locked under a name which no worker has: a fetch can reach the
 * database after its runner ended, and a process can be killed before it first beats. Ages by the database's clock alone,
 * so that the clocks of processes need not agree.
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

/** Of a runner that ended. */
export async function releaseJobs(db: Db, poolId: string): Promise<void> {
  await db.raw('select graphile_worker.force_unlock_workers(?::text[])', [[poolId]])
}

/** Of a runner that works, but for those that it has. */
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

/** Where nobody else works: whatever is locked was locked by a process that is gone. */
export async function releaseAllJobs(db: Db): Promise<void> {
  await db.raw('delete from workers')
  await db.raw(
    `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
     from graphile_worker._private_jobs where locked_by is not null having count(*) > 0`,
  )
}
