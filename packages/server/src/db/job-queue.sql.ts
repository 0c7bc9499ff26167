// SQL that uses the private tables of Graphile Worker. Any release of Graphile Worker may change these tables. The SQL
// was written for graphile-worker 0.18.0, based on sql/000001.sql to sql/000020.sql and dist/sql/. Before an upgrade,
// read these files again and change the version in this comment. To add jobs, use the function `enqueue`, which calls
// only public functions of Graphile Worker.

import type { Db } from './db.ts'

const JOBS = 'graphile_worker._private_jobs'
const TASKS = 'graphile_worker._private_tasks'

const release = `update ${JOBS} set locked_by = null, locked_at = null`

/**
 * Releases jobs whose worker no longer sends heartbeats, and jobs that are locked under an unknown worker name. Such
 * a lock remains if a process was killed before its first heartbeat, or fetched a job after its job runner had ended.
 */
export async function releaseJobsOfDeadWorkers(db: Db, deadAfterMs: number): Promise<void> {
  await db.raw(
    `with dead as (
       delete from workers where seen_at < now() - :deadAfterMs * interval '1 millisecond' returning pool_ids
     )
     ${release}
     where locked_by in (select unnest(pool_ids) from dead)
       or locked_at < now() - :deadAfterMs * interval '1 millisecond'
         and not exists (select from workers where locked_by = any(pool_ids))`,
    { deadAfterMs },
  )
}

/**
 * Releases jobs that the database reserved for a running job runner, but that the runner never received
 * because the response was lost. `unfinished` contains the jobs that the runner did receive and has not
 * finished.
 */
export async function releaseUnreceivedJobs(
  db: Db,
  poolId: string,
  unfinished: ReadonlySet<string>,
  lockedForMs: number,
): Promise<void> {
  await db.raw(
    `${release}
     where locked_by = ? and locked_at < now() - ? * interval '1 millisecond' and id <> all(?::bigint[])`,
    [poolId, lockedForMs, [...unfinished]],
  )
}

/**
 * Releases all locked jobs. Call this only if no other process runs jobs, because each lock then belongs to a
 * process that has ended.
 */
export async function releaseAllJobs(db: Db): Promise<void> {
  await db.raw('delete from workers')
  await db.raw(
    `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
     from ${JOBS} where locked_by is not null having count(*) > 0`,
  )
}

/**
 * Counts the queued jobs of one task whose payload contains the network source. Stops counting when the count
 * reaches `atMost`.
 */
export async function countJobsOfSource(
  db: Db,
  task: string,
  source: string,
  atMost: number,
): Promise<number> {
  const { rows } = await db.raw<{ rows: [{ count: number }] }>(
    `select count(*)::integer as count from (
       select from ${JOBS}
       where task_id = (select id from ${TASKS} where identifier = ?) and payload ->> 'source' = ? limit ?
     ) j`,
    [task, source, atMost],
  )
  return rows[0].count
}

/**
 * Returns an SQL query for the jobs that a worker could fetch now, in the order in which workers fetch them.
 * The query selects the time from which each job may run.
 */
export const dueJobs = (limit: string): string =>
  `select run_at from ${JOBS} where is_available and run_at <= now() order by priority, run_at limit ${limit}`

/**
 * Returns an SQL condition that is true if a job with this key is running, or is waiting and meets the SQL condition
 * `orWaits`. A job that was locked more than two minutes ago does not count as running, because the worker may never
 * have received the job.
 */
const jobExists = (key: string, orWaits: string): string =>
  `exists (select from ${JOBS} j
     where j.key = ${key} and coalesce(j.locked_at > now() - interval '2 minutes', ${orWaits}))`

/**
 * Returns an SQL condition that is true if a job with this key is running, was postponed on purpose, or runs within a
 * minute. The pauses between a job's failed attempts grow to hours, so a job with such a long pause counts as lost.
 */
export const jobRunsAsPlanned = (key: string): string =>
  jobExists(key, `j.attempts = 0 or j.run_at < now() + interval '1 minute'`)
export const jobHasAttempts = (key: string): string => jobExists(key, 'j.attempts < j.max_attempts')

/** Returns an SQL expression for the priority of the job with this key, or for the default priority if there is none. */
export const jobPriority = (key: string): string =>
  `coalesce((select j.priority from ${JOBS} j where j.key = ${key}), 0)`

/** The parts of an SQL query for jobs whose last allowed attempt failed, ordered by the time of this attempt. */
export const exhaustedJobs = {
  table: JOBS,
  key: 'id',
  isOver: 'attempts >= max_attempts and locked_at is null and updated_at < :before',
}
