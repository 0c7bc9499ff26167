import type { Db, Tx } from '../db/db.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { newId } from '../values/id.ts'
import { after } from '../values/time.ts'
import {
  type FoundCondition,
  type Notice,
  noticeKinds,
  noticeRules,
  repeatAfterMs,
  unseenMs,
} from './notice.ts'

const restart = preparedStatement(
  `update notices n set since = found.since, mailed_at = null
   from unnest(:tenantIds::uuid[], :kinds::text[], :subjects::text[], :since::timestamptz[], :heldNotAt::timestamptz[])
     as found (tenant_id, kind, subject, since, held_not_at)
   where (n.tenant_id, n.kind, n.subject) = (found.tenant_id, found.kind, found.subject) and n.ended_at is null
     and n.since < found.held_not_at`,
)
const record = preparedStatement(
  `insert into notices (id, tenant_id, kind, subject, detail, since, seen_at)
   select id, tenant_id, kind, subject, detail, since, :at
   from unnest(:ids::uuid[], :tenantIds::uuid[], :kinds::text[], :subjects::text[], :details::jsonb[],
               :since::timestamptz[]) as found (id, tenant_id, kind, subject, detail, since)
   order by tenant_id, kind, subject
   on conflict (tenant_id, kind, subject) where ended_at is null
   do update set detail = excluded.detail, seen_at = excluded.seen_at`,
)

/**
 * Records the problems ("conditions") that were found at `at`. A condition that was already recorded keeps its start
 * time, unless it ended and began again in the meantime.
 */
export async function recordConditions(db: Db, found: readonly FoundCondition[], at: Date): Promise<void> {
  if (found.length === 0) return
  const columns = {
    tenantIds: found.map(each => each.tenantId),
    kinds: found.map(each => each.kind),
    subjects: found.map(each => each.subject),
    since: found.map(each => each.since),
  }
  await restart(db, { ...columns, heldNotAt: found.map(each => each.heldNotAt ?? null) })
  await record(db, {
    ...columns,
    at,
    ids: found.map(() => newId()),
    details: found.map(each => JSON.stringify(each.detail)),
  })
}

const end = preparedStatement(
  `update notices n set ended_at = :at
   from unnest(:kinds::text[], :seenSince::timestamptz[]) as rule (kind, seen_since)
   where n.ended_at is null and n.kind = rule.kind and n.seen_at < rule.seen_since`,
)

/** Marks recorded problems ("conditions") as ended if they are no longer found at `at`. */
export async function endConditions(db: Db, at: Date): Promise<void> {
  await end(db, { at, kinds: noticeKinds, seenSince: noticeKinds.map(kind => after(at, -unseenMs(kind))) })
}

// The statement locks the rows of due notices and skips rows that another process has locked, so that only one process
// mails each notice.
const take = preparedStatement<Notice & { mailedBefore: Date | null }>(
  `with due as (
     select n.id, n.mailed_at from notices n
     join unnest(:kinds::text[], :sinceAtMost::timestamptz[], :mailedBefore::timestamptz[])
       as rule (kind, since_at_most, mailed_before) using (kind)
     where n.ended_at is null and n.since <= rule.since_at_most
       and (n.mailed_at is null or n.mailed_at < rule.mailed_before)
     order by n.id for update of n skip locked
   )
   update notices set mailed_at = :at from due where notices.id = due.id
   returning notices.id, tenant_id as "tenantId", kind, subject, since, detail, due.mailed_at as "mailedBefore"`,
)

/**
 * Returns the notices about which mails must be sent now, and marks them as mailed, so that no other process sends
 * them.
 */
export async function takeUnmailedNotices(
  db: Db | Tx,
  at: Date,
): Promise<(Notice & { mailedBefore: Date | null })[]> {
  return take(db, {
    at,
    kinds: noticeKinds,
    sinceAtMost: noticeKinds.map(kind => after(at, -noticeRules[kind].afterMs)),
    mailedBefore: noticeKinds.map(kind => {
      const repeatMs = repeatAfterMs(kind)
      return repeatMs === null ? null : after(at, -repeatMs)
    }),
  })
}

/** Undoes `takeUnmailedNotices` for a notice whose mails could not be sent, so that they are sent again. */
export async function unmarkMailedNotice(
  db: Db,
  { id, mailedBefore }: { id: string; mailedBefore: Date | null },
): Promise<void> {
  await db.raw('update notices set mailed_at = ? where id = ?', [mailedBefore, id])
}
