// Reads the state of deliveries and reopens settled deliveries.

import type { Db, Tx } from '../../db/db.ts'
import { idsMadeIn } from '../../values/id.ts'
import type { Mode } from '../../values/mode.ts'
import type { DeliveryStatus, EventType } from '../event.ts'
import type { Attempt } from './attempt.sql.ts'

export type Delivery = {
  id: string
  type: EventType
  paymentId: string | null
  mode: Mode
  status: DeliveryStatus
  nextAttemptAt: Date | null
  createdAt: Date
  attempts: Attempt[]
}

type Row = Omit<Delivery, 'attempts'> & { attempts: (Omit<Attempt, 'startedAt'> & { startedAt: string })[] }

/** The number of latest attempts that a list shows for each event, because an event may be redelivered many times. */
const ATTEMPTS_LISTED = 10

/**
 * Returns SQL that reads deliveries. An event and its attempts are read in one statement, so that they always match.
 * `q` is the event's row in the queue.
 */
const deliveryQuery = (latestAttempts: number | null, moreColumns = '') => `
  select ${moreColumns} e.id, e.type, e.payment_id as "paymentId", e.mode, coalesce(q.status, 'delivered') as status,
         q.next_attempt_at as "nextAttemptAt", e.created_at as "createdAt", (
           select coalesce(json_agg(a order by a.number), '[]') from (
             select number, started_at as "startedAt", duration_ms as "durationMs", response_status as "responseStatus",
                    response_body as "responseBody", error
             from webhook_attempts where tenant_id = e.tenant_id and event_id = e.id
             order by number desc limit ${latestAttempts}
           ) a
         ) as attempts
  from webhook_events e left join webhook_queue q on q.tenant_id = e.tenant_id and q.event_id = e.id`

const deliveryOf = <Event extends Row>({ attempts, ...event }: Event) => ({
  ...event,
  attempts: attempts.map(attempt => ({ ...attempt, startedAt: new Date(attempt.startedAt) })),
})

export async function findDelivery(db: Db, tenantId: string, eventId: string): Promise<Delivery | undefined> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `${deliveryQuery(null)} where e.tenant_id = ? and e.id = ?`,
    [tenantId, eventId],
  )
  return rows.map(deliveryOf)[0]
}

/** Finds a delivery. `body` contains the signed bytes, which are the same in every attempt. */
export async function findSentDelivery(
  db: Db,
  tenantId: string,
  eventId: string,
): Promise<(Delivery & { body: string }) | undefined> {
  const { rows } = await db.raw<{ rows: (Row & { body: string })[] }>(
    `${deliveryQuery(null, 'e.body,')} where e.tenant_id = ? and e.id = ?`,
    [tenantId, eventId],
  )
  return rows.map(deliveryOf)[0]
}

/** Lists a tenant's deliveries, newest first. A filter that is null matches all deliveries. */
export async function listDeliveries(
  db: Db,
  tenantId: string,
  filter: { status: DeliveryStatus | null; mode: Mode | null; paymentId: string | null },
  afterId: string | undefined,
  limit: number,
): Promise<Delivery[]> {
  const { status, mode, paymentId } = filter
  // Undelivered events are found in the queue, so the cost does not grow with the number of delivered events.
  const inQueue = status !== null && status !== 'delivered'
  const [tenant, id] = inQueue ? ['q.tenant_id', 'q.event_id'] : ['e.tenant_id', 'e.id']
  const { rows } = await db.raw<{ rows: Row[] }>(
    `${deliveryQuery(ATTEMPTS_LISTED)}
     where ${tenant} = :tenantId
       ${inQueue ? 'and q.status = :status' : ''} ${status === 'delivered' ? 'and q.event_id is null' : ''}
       ${mode === null ? '' : 'and e.mode = :mode'}
       ${paymentId === null ? '' : 'and e.payment_id = :paymentId'} ${afterId === undefined ? '' : `and ${id} < :afterId`}
     order by ${id} desc limit :limit`,
    {
      tenantId,
      limit,
      ...(inQueue && { status }),
      ...(mode !== null && { mode }),
      ...(paymentId !== null && { paymentId }),
      ...(afterId !== undefined && { afterId }),
    },
  )
  return rows.map(deliveryOf)
}

/**
 * Gives a settled event one more attempt. Returns false if the event is not settled or the tenant has no callback URL.
 */
export async function reopenEvent(db: Db, tenantId: string, eventId: string, now: Date): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `with reopened as (
       insert into webhook_queue as q (tenant_id, event_id, status, attempt_count, attempts_left, next_attempt_at)
       select e.tenant_id, e.id, 'pending', coalesce((
                select max(number) from webhook_attempts a where a.tenant_id = e.tenant_id and a.event_id = e.id
              ), 0), 1, :now
       from webhook_events e join webhook_endpoints w on w.tenant_id = e.tenant_id and w.callback_url is not null
       where e.tenant_id = :tenantId and e.id = :eventId
       on conflict (tenant_id, event_id) do update
       set status = 'pending', attempts_left = 1, next_attempt_at = :now, follower_id = null, follower_held_until = null
       where q.status <> 'pending'
       returning tenant_id
     )
     select enqueue('deliver_due_webhooks', array[json_build_object('tenant_ids', array[tenant_id])], array[null]::text[])
     from reopened`,
    { tenantId, eventId, now },
  )
  return rows.length === 1
}

/**
 * The priority of jobs for old events. They run after all other jobs, so that a thousand old events of one tenant do
 * not delay new events.
 */
const BULK_PRIORITY = 10

export type FailedEvents = {
  statuses: readonly DeliveryStatus[]
  /** The mode of the events to reopen, or null for both modes. */
  mode: Mode | null
  since: Date
  before: Date
}

/**
 * Gives one more attempt to each of up to `limit` undelivered events, oldest first, after `afterId`. Returns the number
 * of reopened events and the id from which the next call continues (null at the end). An event that fails again is
 * therefore not reopened twice.
 */
export async function reopenFailedEvents(
  tx: Tx,
  tenantId: string,
  { statuses, mode, since, before }: FailedEvents,
  afterId: string | null,
  limit: number,
): Promise<{ count: number; lastId: string | null }> {
  const { rows } = await tx.raw<{ rows: { count: number; lastId: string | null }[] }>(
    `with failed as (
       select oldest.event_id from unnest(:statuses::text[]) status
       cross join lateral (
         select q.event_id from webhook_queue q
         join webhook_events e on e.tenant_id = q.tenant_id and e.id = q.event_id
         where q.tenant_id = :tenantId and q.status = status.status
           -- Repeats the condition of the partial index on undelivered webhooks, so that it can be used.
           and q.status in ('permanently_failed', 'not_configured') and q.event_id > :afterId
           and e.created_at >= :since and e.created_at <= :before and (:mode::text is null or e.mode = :mode)
         order by q.event_id limit :limit
       ) oldest
       order by oldest.event_id limit :limit
     ), reopened as (
       update webhook_queue q
       set status = 'pending', attempts_left = 1, next_attempt_at = :before, follower_id = null, follower_held_until = null
       from failed
       where q.tenant_id = :tenantId and q.event_id = failed.event_id and q.status = any(:statuses)
       returning q.tenant_id
     ), queued as (
       select enqueue('deliver_due_webhooks',
         array[json_build_object('tenant_ids', json_agg(distinct tenant_id))], array[null]::text[], null, :priority)
       from reopened having count(*) > 0
     )
     select (select count(*)::integer from reopened) as count,
            case when (select count(*) from failed) = :limit
              then (select event_id from failed order by event_id desc limit 1)
            end as "lastId"
     from (values (1)) one left join queued on true`,
    {
      tenantId,
      statuses,
      mode,
      since,
      before,
      afterId: afterId ?? idsMadeIn({ from: since, before }).fromId,
      limit,
      priority: BULK_PRIORITY,
    },
  )
  return rows[0] ?? { count: 0, lastId: null }
}
