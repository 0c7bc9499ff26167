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
  `update notices n set since = found.since, mailed_at = null, posted_at = null
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
   do update set detail = excluded.detail, seen_at = greatest(notices.seen_at, excluded.seen_at)`,
)

/**
 * Records the problems ("conditions") found at the time `at`. A condition that is already recorded keeps its start
 * time. If it has ended since then, it gets a new start time.
 *
 * The time when a condition was last found never moves back, because several processes record conditions at the same
 * time. Otherwise, `endConditions` could end a condition that a faster process has found.
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

/**
 * Marks a recorded problem ("condition") as ended if the service has not found the problem for some time. The
 * function `unseenMs` returns this time for each kind of problem.
 */
export async function endConditions(db: Db, at: Date): Promise<void> {
  await end(db, { at, kinds: noticeKinds, seenSince: noticeKinds.map(kind => after(at, -unseenMs(kind))) })
}

/** The two channels for notices: emails to users, and a webhook to the Owner (the operator). */
export type Channel = 'mail' | 'webhook'
const sentAt = { mail: 'mailed_at', webhook: 'posted_at' } as const

/** A notice to send. `sentBefore` is the last time this channel sent the notice, or null if it never did. */
export type DueNotice = Notice & { sentBefore: Date | null }

// Only one process sends each notice: it locks the notice's row, and other processes skip locked rows.
const takeBy = (channel: Channel) =>
  preparedStatement<DueNotice>(
    `with due as (
       select n.id, n.${sentAt[channel]} as sent_before from notices n
       join unnest(:kinds::text[], :sinceAtMost::timestamptz[], :sentBefore::timestamptz[])
         as rule (kind, since_at_most, sent_before) using (kind)
       where n.ended_at is null and n.since <= rule.since_at_most
         and (:tenantId::uuid is null or n.tenant_id = :tenantId)
         and (n.${sentAt[channel]} is null or n.${sentAt[channel]} < rule.sent_before)
       order by n.id for update of n skip locked
     )
     update notices set ${sentAt[channel]} = :at from due where notices.id = due.id
     returning notices.id, tenant_id as "tenantId", kind, subject, since, detail, due.sent_before as "sentBefore"`,
  )
const take = { mail: takeBy('mail'), webhook: takeBy('webhook') }

/**
 * Returns the notices, such as `provider_down`, that the given channel must send now, and marks them as sent. If
 * `tenantId` is set, returns only this tenant's notices.
 */
export async function takeDueNotices(
  db: Db | Tx,
  { channel, tenantId, at }: { channel: Channel; tenantId: string | null; at: Date },
): Promise<DueNotice[]> {
  return take[channel](db, {
    at,
    tenantId,
    kinds: noticeKinds,
    sinceAtMost: noticeKinds.map(kind => after(at, -noticeRules[kind].afterMs)),
    sentBefore: noticeKinds.map(kind => {
      const repeatMs = repeatAfterMs(kind)
      return repeatMs === null ? null : after(at, -repeatMs)
    }),
  })
}

/**
 * Restores the state of a notice that `takeDueNotices` has marked as sent. Sending the notice failed, so the
 * next run must send it.
 */
export async function unmarkSentNotice(
  db: Db,
  channel: Channel,
  { id, sentBefore }: DueNotice,
): Promise<void> {
  await db.raw(`update notices set ${sentAt[channel]} = ? where id = ?`, [sentBefore, id])
}
