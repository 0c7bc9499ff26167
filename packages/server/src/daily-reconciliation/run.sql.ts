import { type Count, countRows } from '../db/count-rows.ts'
import type { Db } from '../db/db.ts'
import { type PageStart, sqlOf } from '../db/list-order.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { newId } from '../values/id.ts'
import type { Mode } from '../values/mode.ts'

/**
 * How long a process may hold a reconciliation run without extending its claim. After this time, the process
 * is considered dead, and another process continues the run.
 */
const CLAIM = `interval '5 minutes'`
/** The number of days for which a missed run is still executed and unanswered status inquiries are still retried. */
export const DAYS_BACK = 7
/** The pause before a reconciliation run repeats the status inquiries that got no response. */
const RETRY_AFTER = `interval '1 hour'`

/** A reconciliation run claimed by this process. `day` is the reconciled day as YYYY-MM-DD in Asia/Jakarta. */
export type ClaimedRun = { day: string; mode: Mode; claim: string; isCompared: boolean; startedAt: Date }

// Runs whose first round of status inquiries is incomplete come before runs that only repeat unanswered inquiries. The
// first run of an installation reconciles the latest day that is due.
const claimDue = preparedStatement<ClaimedRun>(
  `insert into reconciliation_runs (day, mode, id, started_at, claim, claimed_until)
   select due.day, due.mode, :id, now(), :claim, now() + ${CLAIM}
   from (
     select :latest::date - back as day, mode from generate_series(0, ${DAYS_BACK} - 1) back, unnest(array['live', 'test']) mode
   ) due
   left join reconciliation_runs r on r.day = due.day and r.mode = due.mode
   where due.day >= coalesce((select min(day) from reconciliation_runs first where first.mode = due.mode), :latest::date)
     and (r.day is null
       or coalesce(r.claimed_until, '-infinity') < now() and r.completed_at is null
         and (r.ended_at is null or r.retry_at < now()))
   order by r.ended_at is not null, due.day, due.mode limit 1
   on conflict (day, mode) do update set claim = excluded.claim, claimed_until = excluded.claimed_until
   where coalesce(reconciliation_runs.claimed_until, '-infinity') < now() and reconciliation_runs.completed_at is null
   returning day::text as day, mode, claim, compared_at is not null as "isCompared", started_at as "startedAt"`,
)

/**
 * Claims a due run for the day `latest` or an earlier day. Returns undefined if no run is due or other
 * processes have claimed all due runs.
 */
export async function claimDueRun(db: Db, latest: string): Promise<ClaimedRun | undefined> {
  const [run] = await claimDue(db, { latest, id: newId(), claim: newId() })
  return run
}

const extend = preparedStatement<{ claim: string }>(
  `update reconciliation_runs set claimed_until = now() + ${CLAIM}
   where day = :day::date and mode = :mode and claim = :claim::uuid returning claim`,
)

/**
 * Extends the time for which this process has claimed the reconciliation run. Returns false if another
 * process has claimed the run.
 */
export async function extendClaim(db: Db, { day, mode, claim }: ClaimedRun): Promise<boolean> {
  return (await extend(db, { day, mode, claim })).length === 1
}

const release = preparedStatement(
  `update reconciliation_runs set claimed_until = now() + :seconds::integer * interval '1 second'
   where day = :day::date and mode = :mode and claim = :claim::uuid`,
)

/**
 * Releases this process's claim to the reconciliation run. For the next `seconds` seconds, no process can
 * claim the run.
 */
export async function releaseClaim(db: Db, { day, mode, claim }: ClaimedRun, seconds: number): Promise<void> {
  await release(db, { day, mode, claim, seconds })
}

export type ComparedCounts = { settlement: number; unknownLines: number }

const noteCompared = preparedStatement(
  `update reconciliation_runs
   set compared_at = now(), settlement = :settlement, unknown_lines = :unknownLines
   where day = :day::date and mode = :mode and claim = :claim::uuid`,
)

export async function storeComparison(
  db: Db,
  { day, mode, claim }: ClaimedRun,
  compared: ComparedCounts,
): Promise<void> {
  await noteCompared(db, { day, mode, claim, ...compared })
}

const end = preparedStatement<{ left: bigint; differences: bigint }>(
  `with unchecked as (
     select provider_account_id, count(*) as payments, count(*) filter (where outcome is null) as left
     from reconciliation_checks
     where day = :day::date and mode = :mode and outcome is distinct from 'answered' group by provider_account_id
   )
   update reconciliation_runs r
   set claim = null, claimed_until = null, ended_at = now(), retry_at = now() + ${RETRY_AFTER},
       completed_at = case when not exists (select from unchecked where unchecked.left > 0) then now() end,
       inquiry = (
         select count(*) from reconciliation_checks where day = :day::date and mode = :mode and outcome = 'answered'),
       not_checked = coalesce((
         select jsonb_agg(jsonb_build_object('provider', a.provider_code, 'provider_account_id', u.provider_account_id,
           'payments', u.payments, 'retried', u.left > 0) order by u.provider_account_id)
         from unchecked u left join provider_accounts a on a.id = u.provider_account_id), '[]'),
       differences = (
         select count(*) from reconciliation_differences d where d.day = :day::date and d.mode = :mode)
   where r.day = :day::date and r.mode = :mode and r.claim = :claim::uuid
   returning (select coalesce(sum(unchecked.left), 0) from unchecked)::bigint as left, differences`,
)

/**
 * Records the end of a pass, one round of status inquiries in a reconciliation run. If all inquiries were
 * answered, also records the end of the run. Returns undefined if another process has taken over the run.
 */
export async function endPass(
  db: Db,
  { day, mode, claim }: ClaimedRun,
): Promise<{ left: bigint; differences: bigint } | undefined> {
  const [ended] = await end(db, { day, mode, claim })
  return ended
}

export type ReconciliationRun = {
  id: string
  day: string
  mode: Mode
  startedAt: Date
  endedAt: Date | null
  completedAt: Date | null
  retryAt: Date | null
  settlement: bigint
  unknownLines: bigint
  inquiry: bigint
  notChecked: { provider: string | null; provider_account_id: string; payments: number; retried: boolean }[]
  differences: bigint
}

/**
 * Lists the reconciliation runs in the order that `start` sets, beginning after the run with the ID in
 * `start`.
 */
export async function listRuns(
  db: Db,
  mode: Mode | null,
  { order, afterId }: PageStart,
  limit: number,
): Promise<ReconciliationRun[]> {
  const { sort, later } = sqlOf[order]
  const { rows } = await db.raw<{ rows: ReconciliationRun[] }>(
    `select id, day::text as day, mode, started_at as "startedAt", ended_at as "endedAt", completed_at as "completedAt",
            case when completed_at is null and day > (now() at time zone 'Asia/Jakarta')::date - ${DAYS_BACK} - 1
              then retry_at end as "retryAt",
            settlement, unknown_lines as "unknownLines", inquiry, not_checked as "notChecked", differences
     from reconciliation_runs
     where (:mode::text is null or mode = :mode) and (:afterId::uuid is null or id ${later} :afterId)
     order by id ${sort} limit :limit`,
    { mode, afterId: afterId ?? null, limit },
  )
  return rows
}

export const countRuns = (db: Db, mode: Mode | null): Promise<Count> =>
  countRows(db, 'select from reconciliation_runs where :mode::text is null or mode = :mode', { mode })

/**
 * An SQL expression for the seconds since the last complete reconciliation of live payments. If no reconciliation is
 * complete, the seconds are counted from the start of the first run. Before the first run, the result is null.
 */
export const reconciledAge = `
  (select extract(epoch from now() - coalesce(max(completed_at), min(started_at)))::float8
   from reconciliation_runs where mode = 'live')`
