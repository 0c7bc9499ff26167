import type { Db } from '../../db/db.ts'
import { holdShard, isDistributed, shardedStatement } from '../../db/distributed-database.ts'
import { preparedStatement, type SqlValues } from '../../db/prepared-statement.ts'
import type { Lease } from './lease.ts'

export type DeliveryAttempt = {
  number: number
  startedAt: Date
  durationMs: number
  responseStatus: number | null
  /** The headers of the receiver's response (response-headers.ts); null if there was no response. */
  responseHeaders: Record<string, string> | null
  responseBody: string | null
  error: string | null
  /**
   * The signatures in the request to the receiver, in the format returned by `storedSignature`. Null if no
   * request was sent.
   */
  signature: string | null
}

/** A delivery attempt that has ended. The expiry of its lease, `expiresAt`, identifies the lease (lease.ts). */
export type EndedAttempt = Omit<DeliveryAttempt, 'number'> & Lease

const attemptRows = `
  select *, timestamptz 'epoch' + started_ms * interval '1 millisecond' as started_at,
         timestamptz 'epoch' + (started_ms + duration_ms + :pauseMs) * interval '1 millisecond' as retry_at,
         timestamptz 'epoch' + expires_ms * interval '1 millisecond' as lease_expiry,
         response_status between 200 and 299 and error is null as is_delivered
  from unnest(:tenantIds::uuid[], :eventIds::uuid[], :expiresMs::bigint[], :startedMs::bigint[], :durationsMs::integer[],
      :responseStatuses::integer[], :responseHeaders::json[], :responseBodies::text[], :errors::text[],
      :signatures::text[])
    with ordinality as a (tenant_id, event_id, expires_ms, started_ms, duration_ms, response_status, response_headers,
      response_body, error, signature, place)`

type Follower = { tenantId: string; eventId: string; expiresAt: string }
type Recorded = { followers: Follower[] | null; recorded: number[] | null }

/**
 * Removes delivered events from the webhook queue, and updates the events whose attempts failed. If a failed attempt's
 * lease is no longer valid, only the attempt count changes. A larger change could end another process's lease, or use
 * up an attempt that is meant for a redelivery. `only` restricts the statement to one shard.
 */
const queueChanges = (only: string): string => `with ended as (${attemptRows}
   ), delivered as (
     delete from webhook_queue q using ended
     where ended.is_delivered and q.tenant_id = ended.tenant_id and q.event_id = ended.event_id ${only}
     returning ended.*, q.attempt_count + 1 as number, 'delivered' as status, false as is_retried, q.follower_id,
       q.follower_held_until
   ), failed as (
     update webhook_queue q
     set attempt_count = q.attempt_count + 1,
         attempts_left = case when q.next_attempt_at = lease_expiry then greatest(q.attempts_left - 1, 0)
           else q.attempts_left end,
         status = case when q.next_attempt_at = lease_expiry and q.attempts_left <= 1 then 'permanently_failed'
           else q.status end,
         next_attempt_at = case when q.next_attempt_at is distinct from lease_expiry then q.next_attempt_at
           when q.attempts_left > 1 then ended.retry_at end
     from ended
     where ended.is_delivered is not true and q.tenant_id = ended.tenant_id and q.event_id = ended.event_id ${only}
     returning ended.*, q.attempt_count as number, q.status, coalesce(q.next_attempt_at = retry_at, false) as is_retried,
       q.follower_id, q.follower_held_until
   ), recorded as (
     select * from delivered union all select * from failed
   )`

const attemptColumns = `tenant_id, event_id, number, started_at, duration_ms, response_status, response_headers,
       response_body, error, signature`

const record = preparedStatement<Recorded>(
  `${queueChanges('')}, attempt as (
     insert into webhook_attempts (${attemptColumns})
     select ${attemptColumns} from recorded
     -- The previous release may have stored an attempt with this number without increasing the event's attempt count.
     on conflict do nothing
   ), retry as (
     select enqueue('deliver_due_webhooks',
       array[json_build_object('tenant_ids', json_agg(distinct tenant_id))], array[null]::text[], max(retry_at))::text
     from recorded where is_retried having count(*) > 0
   )
   select (select count(*) from retry), (
       select json_agg(json_build_object('tenantId', tenant_id, 'eventId', follower_id, 'expiresAt', follower_held_until))
       from recorded where follower_id is not null and status <> 'pending'
     ) as followers, case when (select count(*) from recorded) < (select count(*) from ended)
       then (select coalesce(array_agg(place::integer), '{}') from recorded)
     end as recorded`,
)

const changeQueueOnShard = preparedStatement<{
  place: number
  number: number
  status: string
  isRetried: boolean
  followerId: string | null
  followerHeldUntil: string
  retryAt: Date
}>(
  `${queueChanges('and q.tenant_id = :tenantId')}
   select place::integer as place, number, status, is_retried as "isRetried", follower_id as "followerId",
          to_json(follower_held_until) #>> '{}' as "followerHeldUntil", retry_at as "retryAt"
   from recorded`,
)

const insertOnShard = preparedStatement(
  `insert into webhook_attempts as i (${attemptColumns})
   select e.tenant_id, e.id, n.number, started_at, duration_ms, response_status, response_headers, response_body, error,
          signature
   from (${attemptRows}) ended
   join unnest(:places::bigint[], :numbers::integer[]) as n (place, number) on n.place = ended.place
   join webhook_events e on e.tenant_id = :tenantId and e.id = ended.event_id
   on conflict do nothing`,
)

const enqueueRetry = preparedStatement(
  `select enqueue('deliver_due_webhooks', array[json_build_object('tenant_ids', json_build_array(:tenantId::uuid))],
     array[null]::text[], :retryAt::timestamptz)`,
)

/**
 * Records one tenant's attempts on a distributed database, with the same effect as the statement `record`. Citus would
 * split `record` into several parts and copy rows between them. This function therefore uses several simple statements,
 * and Citus sends each statement unchanged to the tenant's shard.
 */
async function recordOnShard(db: Db, tenantId: string, columns: SqlValues, count: number): Promise<Recorded> {
  return db.transaction(async tx => {
    await holdShard(tx, tenantId)
    const rows = await changeQueueOnShard(tx, { ...columns, tenantId })
    const places = rows.map(({ place }) => place)
    if (rows.length > 0)
      await insertOnShard(tx, { ...columns, tenantId, places, numbers: rows.map(({ number }) => number) })
    const retries = rows.filter(({ isRetried }) => isRetried).map(({ retryAt }) => retryAt.getTime())
    if (retries.length > 0) await enqueueRetry(tx, { tenantId, retryAt: new Date(Math.max(...retries)) })
    const followers = rows.flatMap(({ status, followerId, followerHeldUntil }) =>
      followerId && status !== 'pending'
        ? [{ tenantId, eventId: followerId, expiresAt: followerHeldUntil }]
        : [],
    )
    return { followers, recorded: rows.length < count ? places : null }
  })
}

const insertLate = shardedStatement(
  only => `insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms, response_status,
     response_headers, response_body, error, signature)
   select tenant_id, event_id, 1 + coalesce((
       select max(number) from webhook_attempts a where a.tenant_id = ended.tenant_id and a.event_id = ended.event_id
         ${only('a.tenant_id')}
     ), 0), started_at, duration_ms, response_status, response_headers, response_body, error, signature
   from (${attemptRows}) ended
   on conflict do nothing`,
)

/**
 * Records webhook delivery attempts and their results. A delivered event leaves the queue. A failed event is retried
 * `pauseMs` after the attempt's end, or fails permanently if no attempt is left. If the failed attempt's lease was no
 * longer valid, only the attempt is recorded. On a distributed database, all attempts must belong to one tenant.
 *
 * Returns:
 *
 * - `followers`: the leases on later events of the same payments. These events no longer need to wait.
 * - `late`: the attempts for events that had already ended. Pass them to `recordLateAttempt`.
 */
export async function recordAttempts<Ended extends EndedAttempt>(
  db: Db,
  attempts: Ended[],
  pauseMs: number,
): Promise<{ followers: Lease[]; late: Ended[] }> {
  // An SQL statement can change each row only once. If a webhook event has several attempts, this statement therefore
  // records only one of them: a successful attempt or, if there is none, the attempt with the latest lease.
  const byEvent = new Map<string, Ended>()
  for (const attempt of attempts) {
    const other = byEvent.get(attempt.eventId)
    if (!other || takesPrecedence(attempt, other)) byEvent.set(attempt.eventId, attempt)
  }
  const sent = byEvent.size === attempts.length ? attempts : [...byEvent.values()]
  const columns = columnsOf(sent, pauseMs)
  const [row] = isDistributed(db)
    ? [await recordOnShard(db, columns.tenantIds[0] as string, columns, sent.length)]
    : await record(db, columns)
  const followers = (row?.followers ?? []).map(each => ({ ...each, expiresAt: new Date(each.expiresAt) }))
  if (!row?.recorded && sent === attempts) return { followers, late: [] }
  const recorded = new Set(row?.recorded ? row.recorded.map(place => sent[place - 1]) : sent)
  return { followers, late: attempts.filter(each => !recorded.has(each)) }
}

/**
 * Records a delivery attempt whose webhook event has already been delivered or has failed permanently. The event's
 * status does not change.
 */
export async function recordLateAttempt(db: Db, attempt: EndedAttempt): Promise<void> {
  await insertLate(db, [attempt.tenantId], columnsOf([attempt], 0))
}

const isDelivered = ({ responseStatus, error }: EndedAttempt): boolean =>
  responseStatus !== null && responseStatus >= 200 && responseStatus < 300 && error === null

const takesPrecedence = (attempt: EndedAttempt, other: EndedAttempt): boolean =>
  !isDelivered(other) && (isDelivered(attempt) || attempt.expiresAt >= other.expiresAt)

const columnsOf = (attempts: EndedAttempt[], pauseMs: number) => ({
  tenantIds: attempts.map(each => each.tenantId),
  eventIds: attempts.map(each => each.eventId),
  expiresMs: attempts.map(each => each.expiresAt.getTime()),
  startedMs: attempts.map(each => each.startedAt.getTime()),
  durationsMs: attempts.map(each => each.durationMs),
  responseStatuses: attempts.map(each => each.responseStatus),
  responseHeaders: attempts.map(each => each.responseHeaders && JSON.stringify(each.responseHeaders)),
  responseBodies: attempts.map(each => each.responseBody),
  errors: attempts.map(each => each.error),
  signatures: attempts.map(each => each.signature),
  pauseMs,
})
