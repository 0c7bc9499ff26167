// Inserts webhook events together with their entries in the delivery queue of the callback URL, and enqueues the jobs
// that deliver them.

import type { Tx } from '../db/db.ts'
import { isDistributed, shardedStatement } from '../db/distributed-database.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { leaseExpiryFrom } from './delivery/lease.ts'
import type { WebhookEvent } from './event.ts'
import { storedBody } from './stored-body.ts'

/**
 * The number of attempts to deliver a webhook event: the first one and three retries, as the API documentation
 * promises.
 */
const ATTEMPTS = 4

/** The maximum number of webhook events that one job delivers. The events of a job are loaded together. */
const EVENTS_PER_JOB = 100

/** Each tenant has a balance, so joining the balances excludes no event. */
const joinBalance = 'join balances b on b.tenant_id = :onlyKey and b.mode = e.mode'
// Citus would run the insert on all shards if the insert read the callback URL itself.
const callbackUrl = preparedStatement<{ url: string }>(
  'select callback_url as url from webhook_endpoints where tenant_id = :tenantId',
)

const insert = shardedStatement(
  (_, onShard) => `with event as ${onShard('not materialized')} (
     select * from unnest(:tenantIds::uuid[], :ids::uuid[], :paymentIds::uuid[], :numbers::integer[], :modes::text[],
         :types::text[], :bodies::text[], :compressed::bytea[], :createdAts::timestamptz[])
       as e (tenant_id, id, payment_id, number, mode, type, body, body_compressed, created_at)
   ), inserted as (
     insert into webhook_events as i (tenant_id, id, payment_id, number, mode, type, body, body_compressed, created_at)
     select ${onShard('b.tenant_id, e.id, payment_id, number, e.mode, type, body, body_compressed, created_at', '*')}
     from event e ${onShard(joinBalance)}
     -- Citus would insert these rows with COPY, which PostgreSQL rejects under row security, if it did not return them.
     returning i.id
   ), queued as (
     insert into webhook_queue as i (tenant_id, event_id, attempts_left, status, next_attempt_at)
     select ${onShard('b', 'e')}.tenant_id, e.id, :attempts::integer,
            case when w.callback_url is null then 'not_configured' else 'pending' end,
            case when w.callback_url is not null then :expiresAt::timestamptz end
     from event e ${onShard(joinBalance)}
     ${onShard('cross join (select :url::text as callback_url) w', 'left join webhook_endpoints w on w.tenant_id = e.tenant_id')}
     returning i.tenant_id, i.event_id, i.status
   ), job as (
     select json_build_object('held_until', :expiresAt::timestamptz, 'events',
       json_agg(json_build_object('tenant_id', tenant_id, 'event_id', event_id))) as payload
     from (
       select tenant_id, event_id, (row_number() over () - 1) / :eventsPerJob::integer as job from queued where status = 'pending'
     ) pending
     group by job
   )
   select enqueue('deliver_webhooks', array_agg(payload), array_agg(null::text)) from job having count(*) > 0`,
)

/**
 * Inserts webhook events in the transaction that caused them. If the tenant has a callback URL, the events are pending,
 * and each is leased to a job with up to EVENTS_PER_JOB events. Otherwise their status is `not_configured`.
 */
export async function insertEvents(tx: Tx, events: WebhookEvent[]): Promise<void> {
  const tenantIds = events.map(event => event.tenantId)
  const [tenantId] = tenantIds
  const [endpoint] = isDistributed(tx) && tenantId ? await callbackUrl(tx, { tenantId }) : []
  const bodies = events.map(event => storedBody(tx, event.body))
  await insert(tx, tenantIds, {
    url: endpoint?.url ?? null,
    tenantIds,
    ids: events.map(event => event.id),
    paymentIds: events.map(event => event.paymentId),
    numbers: events.map(event => event.number),
    modes: events.map(event => event.mode),
    types: events.map(event => event.type),
    bodies: bodies.map(({ body }) => body),
    compressed: bodies.map(({ bodyCompressed }) => bodyCompressed),
    createdAts: events.map(event => event.createdAt.toISOString()),
    expiresAt: leaseExpiryFrom(new Date(Math.max(...events.map(event => event.createdAt.getTime())))),
    attempts: ATTEMPTS,
    eventsPerJob: EVENTS_PER_JOB,
  })
}
