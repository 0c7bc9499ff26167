// SQL statements that claim webhook deliveries to additional endpoints and record their attempts. To claim a
// delivery, a process leases it (delivery/lease.ts): it sets `next_attempt_at` to the lease's expiry. If the
// process crashes, the delivery is therefore attempted again after the expiry.

import type { Db } from '../../db/db.ts'
import { groupsByShard, isDistributed, shardedStatement } from '../../db/distributed-database.ts'
import { preparedStatement } from '../../db/prepared-statement.ts'
import { queryShards } from '../../db/shard-query.ts'
import type { EndedAttempt } from '../delivery/attempt.sql.ts'
import { DUE_BEFORE } from '../delivery/lease.sql.ts'
import type { WebhookEventType } from '../event-type.ts'
import { bodyColumns, type StoredBody } from '../stored-body.ts'
import type { AdditionalEndpoint } from './additional-endpoint.sql.ts'

export type EndpointKey = { tenantId: string; endpointId: string }

/** A webhook delivery that this process has leased until `expiresAt`. */
export type ClaimedDelivery = EndpointKey & {
  eventId: string
  expiresAt: Date
  attemptCount: number
  isRedelivery: boolean
  /**
   * The webhook event to deliver and its endpoint. Null if the endpoint was deleted, or if the event was deleted after
   * its retention period. The event's body is decompressed only when the event is sent (delivery/lease.sql.ts).
   */
  found:
    | (StoredBody & {
        type: WebhookEventType
        paymentId: string | null
        endpoint: Pick<
          AdditionalEndpoint,
          'url' | 'schedule' | 'secretSealed' | 'previousSecretSealed' | 'previousSecretExpiresAt'
        >
      })
    | null
}

type ClaimedRow = Omit<ClaimedDelivery, 'expiresAt' | 'found'> & {
  type: WebhookEventType | null
  paymentId: string | null
  url: string | null
} & StoredBody &
  Omit<NonNullable<ClaimedDelivery['found']>['endpoint'], 'url'>

const claim = shardedStatement<ClaimedRow>(
  only => `with due as materialized (
     select endpoint.tenant_id, endpoint.id as endpoint_id, longest.event_id
     from unnest(:tenantIds::uuid[], :endpointIds::uuid[], :limits::integer[]) as endpoint (tenant_id, id, at_most)
     cross join lateral (
       select d.event_id from additional_deliveries d
       where d.tenant_id = endpoint.tenant_id and d.endpoint_id = endpoint.id and d.status = 'pending'
         and d.next_attempt_at <= ${DUE_BEFORE} ${only('d.tenant_id')}
       order by d.next_attempt_at, d.event_id limit endpoint.at_most
       for update of d skip locked
     ) longest
     where not exists (
       select from additional_endpoints e where e.tenant_id = endpoint.tenant_id and e.id = endpoint.id and not e.enabled)
   ), claimed as (
     update additional_deliveries d set next_attempt_at = :expiresAt
     from due where d.tenant_id = due.tenant_id and d.event_id = due.event_id and d.endpoint_id = due.endpoint_id
       ${only('d.tenant_id')}
     returning d.*
   )
   select c.tenant_id as "tenantId", c.endpoint_id as "endpointId", c.event_id as "eventId",
          c.attempt_count as "attemptCount", c.is_redelivery as "isRedelivery",
          event.type, ${bodyColumns('event')}, event.payment_id as "paymentId", endpoint.url, endpoint.schedule,
          endpoint.secret_sealed as "secretSealed", endpoint.previous_secret_sealed as "previousSecretSealed",
          endpoint.previous_secret_expires_at as "previousSecretExpiresAt"
   from claimed c
   left join lateral (
     select * from webhook_events e where e.tenant_id = c.tenant_id and e.id = c.event_id ${only('e.tenant_id')} limit 1
   ) event on true
   left join additional_endpoints endpoint on endpoint.tenant_id = c.tenant_id and endpoint.id = c.endpoint_id
   order by c.event_id`,
)

/**
 * For each endpoint, leases up to `limit` webhook deliveries whose next attempt time has come, starting with those
 * that have waited longest. Skips disabled endpoints.
 */
export async function claimDeliveries(
  db: Db,
  endpoints: (EndpointKey & { limit: number })[],
  now: Date,
  expiresAt: Date,
): Promise<ClaimedDelivery[]> {
  const rows: ClaimedRow[] = []
  for (const group of groupsByShard(db, endpoints, each => each.tenantId)) {
    const tenantIds = group.map(each => each.tenantId)
    const endpointIds = group.map(each => each.endpointId)
    const limits = group.map(each => each.limit)
    rows.push(...(await claim(db, tenantIds, { tenantIds, endpointIds, limits, now, expiresAt })))
  }
  return rows.map(({ tenantId, endpointId, eventId, attemptCount, isRedelivery, ...row }) => {
    const { type, paymentId, url, body, bodyCompressed, ...endpoint } = row
    const found =
      type !== null && url !== null
        ? { type, body, bodyCompressed, paymentId, endpoint: { ...endpoint, url } }
        : null
    return { tenantId, endpointId, eventId, attemptCount, isRedelivery, expiresAt, found }
  })
}

const drop = shardedStatement(
  only => `delete from additional_deliveries d
   using unnest(:tenantIds::uuid[], :eventIds::uuid[], :endpointIds::uuid[]) as k (tenant_id, event_id, endpoint_id)
   where d.tenant_id = k.tenant_id and d.event_id = k.event_id and d.endpoint_id = k.endpoint_id ${only('d.tenant_id')}`,
)

type DeliveryKey = EndpointKey & { eventId: string }
const keysOf = (deliveries: DeliveryKey[]) => ({
  tenantIds: deliveries.map(each => each.tenantId),
  eventIds: deliveries.map(each => each.eventId),
  endpointIds: deliveries.map(each => each.endpointId),
})

/** Deletes pending webhook deliveries whose endpoint or event no longer exists. */
export async function dropDeliveries(db: Db, deliveries: DeliveryKey[]): Promise<void> {
  for (const group of groupsByShard(db, deliveries, each => each.tenantId)) {
    const keys = keysOf(group)
    await drop(db, keys.tenantIds, keys)
  }
}

export type EndedDeliveryAttempt = EndedAttempt &
  EndpointKey & {
    /**
     * The expiry time of the lease (temporary reservation) under which the webhook delivery was attempted.
     * Each new lease on the delivery has a different expiry time, so this time identifies the lease.
     */
    expiresAt: Date
    /**
     * The delay before the next webhook delivery attempt if this attempt failed. Null if this was the last attempt
     * in the retry schedule.
     */
    pauseMs: number | null
  }

/**
 * A job is scheduled for a retry only if the retry is due within this many milliseconds. Later retries are
 * left to a periodic job, so that no job waits in the queue for days.
 */
const JOB_WITHIN_MS = 60_000

// If the lease expired during the attempt, another process may have claimed the webhook delivery. In that case, only a
// successful attempt changes the delivery's status.
const record = shardedStatement(
  only => `with ended as (
     select *, timestamptz 'epoch' + started_ms * interval '1 millisecond' as started_at,
            timestamptz 'epoch' + (started_ms + duration_ms + pause_ms) * interval '1 millisecond' as retry_at,
            coalesce(response_status between 200 and 299 and error is null, false) as is_delivered
     from unnest(:tenantIds::uuid[], :eventIds::uuid[], :endpointIds::uuid[], :expiresAt::timestamptz[],
         :startedMs::bigint[], :durationsMs::integer[], :pausesMs::integer[], :responseStatuses::integer[],
         :responseHeaders::json[], :responseBodies::text[], :errors::text[], :signatures::text[])
       as a (tenant_id, event_id, endpoint_id, expires_at, started_ms, duration_ms, pause_ms, response_status,
         response_headers, response_body, error, signature)
   ), recorded as (
     update additional_deliveries d
     set attempt_count = d.attempt_count + 1,
         status = case when is_delivered then 'delivered'
           when d.next_attempt_at is distinct from expires_at then d.status
           when pause_ms is null then 'permanently_failed' else d.status end,
         next_attempt_at = case when is_delivered then null
           when d.next_attempt_at is distinct from expires_at then d.next_attempt_at else retry_at end
     from ended
     where d.tenant_id = ended.tenant_id and d.event_id = ended.event_id and d.endpoint_id = ended.endpoint_id
       ${only('d.tenant_id')}
     returning ended.*, d.attempt_count as number, d.status, d.next_attempt_at
   ), attempt as (
     insert into additional_attempts (tenant_id, event_id, endpoint_id, number, started_at, duration_ms,
       response_status, response_headers, response_body, signature, error)
     select tenant_id, event_id, endpoint_id, number, started_at, duration_ms, response_status, response_headers,
            response_body, signature, error
     from recorded
     -- Citus would insert these rows with COPY, which PostgreSQL rejects under row security, if it did not return them.
     returning event_id
   ), retry as (
     select distinct tenant_id, endpoint_id, retry_at from recorded
     where status = 'pending' and next_attempt_at = retry_at and pause_ms <= :jobWithinMs::integer
   )
   select enqueue('deliver_to_endpoints', array[json_build_object('endpoints',
       (select json_agg(e) from (select distinct tenant_id, endpoint_id from retry) e))],
     array[null]::text[], max(retry_at))
   from retry having count(*) > 0`,
)

/**
 * Records webhook delivery attempts and their results. If an attempt failed, its delivery is due again after `pauseMs`
 * milliseconds, or fails permanently if `pauseMs` is null. `attempts` may contain only one attempt per delivery.
 */
export async function recordDeliveryAttempts(db: Db, attempts: EndedDeliveryAttempt[]): Promise<void> {
  for (const group of groupsByShard(db, attempts, each => each.tenantId)) await recordGroup(db, group)
}

async function recordGroup(db: Db, attempts: EndedDeliveryAttempt[]): Promise<void> {
  const keys = keysOf(attempts)
  await record(db, keys.tenantIds, {
    ...keys,
    expiresAt: attempts.map(each => each.expiresAt.toISOString()),
    startedMs: attempts.map(each => each.startedAt.getTime()),
    durationsMs: attempts.map(each => each.durationMs),
    pausesMs: attempts.map(each => each.pauseMs),
    responseStatuses: attempts.map(each => each.responseStatus),
    responseHeaders: attempts.map(each => each.responseHeaders && JSON.stringify(each.responseHeaders)),
    responseBodies: attempts.map(each => each.responseBody),
    errors: attempts.map(each => each.error),
    signatures: attempts.map(each => each.signature),
    jobWithinMs: JOB_WITHIN_MS,
  })
}

/**
 * A common table expression for a `with recursive` query. It finds each endpoint's first pending webhook delivery by
 * jumping from endpoint to endpoint in the index. The query's cost therefore does not depend on the number of
 * deliveries.
 */
export const endpointFirst = `endpoint_first as (
     (select tenant_id, endpoint_id, next_attempt_at from additional_deliveries
      where status = 'pending' order by tenant_id, endpoint_id, next_attempt_at limit 1)
     union all
     select following.* from endpoint_first f cross join lateral (
       select tenant_id, endpoint_id, next_attempt_at from additional_deliveries d
       where d.status = 'pending' and (d.tenant_id, d.endpoint_id) > (f.tenant_id, f.endpoint_id)
       order by d.tenant_id, d.endpoint_id, d.next_attempt_at limit 1
     ) following
   )`

/**
 * The SQL of the common table expression `endpoint_due`: the endpoints in `endpoint_first` that are not
 * disabled.
 */
export const endpointDue = `endpoint_due as (
     select * from endpoint_first f where not exists (
       select from additional_endpoints e where e.tenant_id = f.tenant_id and e.id = f.endpoint_id and not e.enabled)
   )`

const overdue = preparedStatement<EndpointKey>(
  `with recursive ${endpointFirst}, ${endpointDue}
   select tenant_id as "tenantId", endpoint_id as "endpointId" from endpoint_due where next_attempt_at < :since`,
)

const overdueOf = preparedStatement<EndpointKey>(
  `with endpoint_first as (
     select * from jsonb_to_recordset(:found::jsonb) as f (tenant_id uuid, endpoint_id uuid)
   ), ${endpointDue}
   select tenant_id as "tenantId", endpoint_id as "endpointId" from endpoint_due`,
)

/** Returns the endpoints with webhook deliveries that were due before `since`. Disabled endpoints are excluded. */
export async function listOverdueEndpoints(db: Db, since: Date): Promise<EndpointKey[]> {
  if (!isDistributed(db)) return overdue(db, { since })
  const found = await queryShards(
    db,
    'additional_deliveries',
    `with recursive ${endpointFirst}
     select tenant_id, endpoint_id from endpoint_first where next_attempt_at < :since`,
    { since },
  )
  return found.length > 0 ? overdueOf(db, { found: JSON.stringify(found) }) : []
}
