import type { Db, Tx } from '../db/db.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { SENDING_CLAIM } from '../mail/sending-claim.ts'
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
  `update notices n set since = found.since, mailed_at = null, posted_at = null, mail_claimed_until = null,
     post_claimed_until = null
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
 * time, unless it has ended since then. It then gets a new start time.
 *
 * Several processes record conditions at the same time, so the time when a condition was last found never moves back.
 * Otherwise, `endConditions` could end a condition that a faster process has found.
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
type Channel = 'mail' | 'webhook'
const columns = {
  mail: { sentAt: 'mailed_at', claimedUntil: 'mail_claimed_until' },
  webhook: { sentAt: 'posted_at', claimedUntil: 'post_claimed_until' },
} as const

/** Selects the notices that are due on a channel at the time `at`. If `tenantId` is set, only this tenant's notices. */
export type DueOn = { channel: Channel; tenantId: string | null; at: Date }

/**
 * A notice to send. `sentBefore` is the last time at which this channel sent the notice. Null if the notice was never
 * sent.
 */
export type DueNotice = Notice & { sentBefore: Date | null }

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const claimBy = ({ sentAt, claimedUntil }: (typeof columns)[Channel]) =>
  preparedStatement<DueNotice>(
    `with due as (
       select n.id from notices n
       join unnest(:kinds::text[], :sinceAtMost::timestamptz[], :sentBefore::timestamptz[])
         as rule (kind, since_at_most, sent_before) using (kind)
       where n.id > :afterId and n.ended_at is null and n.since <= rule.since_at_most
         and (:tenantId::uuid is null or n.tenant_id = :tenantId)
         and (n.${sentAt} is null or n.${sentAt} < rule.sent_before)
         and (n.${claimedUntil} is null or n.${claimedUntil} < now())
       order by n.id limit 1 for update of n skip locked
     )
     update notices set ${claimedUntil} = now() + ${SENDING_CLAIM} from due where notices.id = due.id
     returning notices.id, tenant_id as "tenantId", kind, subject, since, detail, ${sentAt} as "sentBefore"`,
  )
const claim = { mail: claimBy(columns.mail), webhook: claimBy(columns.webhook) }

/**
 * Returns the next notice, such as `provider_down`, that the given channel must send now, or undefined if there is none.
 * No other process can claim this notice until `endNoticeClaim` is called or the claim expires. `afterId` is the ID of
 * the previous notice.
 */
export async function claimDueNotice(
  db: Db | Tx,
  { channel, tenantId, at }: DueOn,
  afterId = FIRST_ID,
): Promise<DueNotice | undefined> {
  const [notice] = await claim[channel](db, {
    afterId,
    tenantId,
    kinds: noticeKinds,
    sinceAtMost: noticeKinds.map(kind => after(at, -noticeRules[kind].afterMs)),
    sentBefore: noticeKinds.map(kind => {
      const repeatMs = repeatAfterMs(kind)
      return repeatMs === null ? null : after(at, -repeatMs)
    }),
  })
  return notice
}

/**
 * Releases a claimed notice and, if it was sent, marks it as sent. Changes nothing if `recordConditions` has released the
 * notice, because the problem ended and began again. The new problem is not the one that was sent.
 */
export async function endNoticeClaim(
  db: Db,
  { channel, at }: DueOn,
  { id, isSent }: { id: string; isSent: boolean },
): Promise<void> {
  const { sentAt, claimedUntil } = columns[channel]
  await db.raw(
    `update notices set ${sentAt} = coalesce(?, ${sentAt}), ${claimedUntil} = null
     where id = ? and ${claimedUntil} is not null`,
    [isSent ? at : null, id],
  )
}
