// Inserts webhook events, queues their delivery to the callback URL, and enqueues the jobs that deliver them.

import type { Tx } from '../db/db.ts'
import { isOnOneShard } from '../db/distributed-database.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { leaseExpiryFrom } from './delivery/lease.ts'
import type { WebhookEvent } from './event.ts'
import { storedBody } from './stored-body.ts'

/**
 * The number of attempts to deliver a webhook event: the first attempt and three retries, as the API documentation
 * promises.
 */
const ATTEMPTS = 4

/** The maximum number of webhook events that one job delivers. A job's events are loaded together. */
const EVENTS_PER_JOB = 100

const eventColumns = 'id, payment_id, number, mode, type, body, body_compressed, created_at'
const queueColumns = 'tenant_id, event_id, attempts_left, status, next_attempt_at'

const insert = preparedStatement(
  `with event as (
     select * from unnest(:tenantIds::uuid[], :ids::uuid[], :paymentIds::uuid[], :numbers::integer[], :modes::text[],
         :types::text[], :bodies::text[], :compressed::bytea[], :createdAts::timestamptz[])
       as e (tenant_id, ${eventColumns})
   ), inserted as (
     insert into webhook_events as i (tenant_id, ${eventColumns}) select * from event
     -- Citus would insert these rows with COPY, which PostgreSQL rejects under row security, if it did not return them.
     returning i.id
   ), queued as (
     insert into webhook_queue as i (${queueColumns})
     select e.tenant_id, e.id, :attempts::integer,
            case when w.callback_url is null then 'not_configured' else 'pending' end,
            case when w.callback_url is not null then :expiresAt::timestamptz end
     from event e left join webhook_endpoints w on w.tenant_id = e.tenant_id
     returning i.tenant_id, i.event_id, i.status
   )
   ${enqueueOf(`select tenant_id, event_id from queued where status = 'pending'`)}`,
)

// In a Citus cluster, the following statements replace `insert`. Citus can send each of these statements unchanged to
// the tenant's shard instead of copying rows between workers. The join with `balances` excludes no event, because each
// tenant has a balance.
const insertEventsOnShard = preparedStatement(
  `insert into webhook_events as i (tenant_id, ${eventColumns})
   select b.tenant_id, e.id, payment_id, number, e.mode, type, body, body_compressed, created_at
   from unnest(:ids::uuid[], :paymentIds::uuid[], :numbers::integer[], :modes::text[], :types::text[], :bodies::text[],
       :compressed::bytea[], :createdAts::timestamptz[]) as e (${eventColumns})
   join balances b on b.tenant_id = :tenantId and b.mode = e.mode
   returning i.id`,
)

const queueOnShard = preparedStatement(
  `insert into webhook_queue as i (${queueColumns})
   select b.tenant_id, e.id, :attempts::integer, :status::text, :dueAt::timestamptz
   from unnest(:ids::uuid[], :modes::text[]) as e (id, mode)
   join balances b on b.tenant_id = :tenantId and b.mode = e.mode
   returning i.event_id`,
)

const enqueueDelivery = preparedStatement(
  enqueueOf('select :tenantId::uuid as tenant_id, event_id from unnest(:ids::uuid[]) as e (event_id)'),
)

// A separate statement reads the callback URL. If the insert statement read it, Citus would run the insert on
// all shards.
const callbackUrl = preparedStatement<{ url: string | null }>(
  'select callback_url as url from webhook_endpoints where tenant_id = :tenantId',
)

/** Returns an SQL query that creates jobs to deliver the webhook events that the query `pending` selects. */
function enqueueOf(pending: string): string {
  return `select enqueue('deliver_webhooks', array_agg(payload), array_agg(null::text))
   from (
     select json_build_object('held_until', :expiresAt::timestamptz, 'events',
       json_agg(json_build_object('tenant_id', tenant_id, 'event_id', event_id))) as payload
     from (
       select tenant_id, event_id, (row_number() over () - 1) / :eventsPerJob::integer as job from (${pending}) queued
     ) pending
     group by job
   ) job having count(*) > 0`
}

/**
 * Inserts webhook events in the transaction that caused them. If a callback URL is set, the events are pending and
 * assigned to delivery jobs, up to EVENTS_PER_JOB events per job. Otherwise, their status is `not_configured`.
 */
export async function insertEvents(tx: Tx, events: WebhookEvent[]): Promise<void> {
  const tenantIds = events.map(event => event.tenantId)
  const bodies = events.map(event => storedBody(tx, event.body))
  const values = {
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
  }
  if (!isOnOneShard(tx, tenantIds)) return void (await insert(tx, values))
  const tenantId = tenantIds[0] as string
  const [endpoint] = await callbackUrl(tx, { tenantId })
  const isPending = typeof endpoint?.url === 'string'
  const queued = {
    status: isPending ? 'pending' : 'not_configured',
    dueAt: isPending ? values.expiresAt : null,
  }
  await insertEventsOnShard(tx, { ...values, tenantId })
  await queueOnShard(tx, { ...values, ...queued, tenantId })
  if (isPending) await enqueueDelivery(tx, { ...values, tenantId })
}
