// Reading how deliveries went, and opening settled ones again.

import type { Db, Tx } from '../db/db.ts'
import { idsMadeIn } from '../id.ts'
import type { Mode } from '../mode.ts'
import type { Attempt } from './attempt.sql.ts'
import type { DeliveryStatus, EventType } from './event.ts'

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

const columns = `
  e.id, e.type, e.payment_id as "paymentId", e.mode, e.status, e.next_attempt_at as "nextAttemptAt",
  e.created_at as "createdAt"`

export async function findDelivery(db: Db, tenantId: string, eventId: string): Promise<Delivery | undefined> {
  const { rows } = await db.raw<{ rows: Omit<Delivery, 'attempts'>[] }>(
    `select ${columns} from webhook_events e where e.tenant_id = ? and e.id = ?`,
    [tenantId, eventId],
  )
  return (await withAttempts(db, tenantId, rows, null))[0]
}

/** In a list an event that was redelivered again and again shows its latest attempts. */
const ATTEMPTS_LISTED = 10

/** Newest first. status, paymentId: null asks for all. */
export async function listDeliveries(
  db: Db,
  tenantId: string,
  filter: { status: DeliveryStatus | null; paymentId: string | null },
  afterId: string | undefined,
  limit: number,
): Promise<Delivery[]> {
  const { rows } = await db.raw<{ rows: Omit<Delivery, 'attempts'>[] }>(
    `select ${columns} from webhook_events e
     where e.tenant_id = :tenantId and (:status::text is null or e.status = :status)
       and (:paymentId::uuid is null or e.payment_id = :paymentId)
       and (:afterId::uuid is null or e.id < :afterId)
     order by e.id desc limit :limit`,
    { tenantId, ...filter, afterId: afterId ?? null, limit },
  )
  return withAttempts(db, tenantId, rows, ATTEMPTS_LISTED)
}

/** latest: of each event so many; null: all. */
async function withAttempts(
  db: Db,
  tenantId: string,
  events: Omit<Delivery, 'attempts'>[],
  latest: number | null,
): Promise<Delivery[]> {
  const { rows } = await db.raw<{ rows: (Attempt & { eventId: string })[] }>(
    `select e.id as "eventId", a.number, a.started_at as "startedAt", a.duration_ms as "durationMs",
            a.response_status as "responseStatus", a.response_body as "responseBody", a.error
     from unnest(?::uuid[]) as e (id)
     cross join lateral (
       select * from webhook_attempts where tenant_id = ? and event_id = e.id order by number desc limit ?
     ) a
     order by a.number`,
    [events.map(event => event.id), tenantId, latest],
  )
  const attemptsOf = Map.groupBy(rows, row => row.eventId)
  return events.map(event => ({ ...event, attempts: attemptsOf.get(event.id) ?? [] }))
}

/** One more attempt of an event that is settled. False where it is not, or there is no callback URL. */
export async function reopenEvent(db: Db, tenantId: string, eventId: string, now: Date): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `with reopened as (
       update webhook_events e set status = 'pending', is_followed = false, attempts_left = 1, next_attempt_at = :now
       from webhook_endpoints w
       where e.tenant_id = :tenantId and e.id = :eventId and e.status <> 'pending'
         and w.tenant_id = e.tenant_id and w.callback_url is not null
       returning e.tenant_id
     )
     select enqueue('deliver_due_webhooks', array[json_build_object('tenant_ids', array[tenant_id])], array[null]::text[])
     from reopened`,
    { tenantId, eventId, now },
  )
  return rows.length === 1
}

/** Behind everything that happens now: a thousand old events of one tenant delay nobody's new one. */
const BULK_PRIORITY = 10

export type FailedEvents = { statuses: readonly DeliveryStatus[]; since: Date; before: Date }

/**
 * One more attempt for each of up to `limit` events that nobody received, the oldest first, beginning after an
 * id. Says how many, and the id after which there may be more, so that one which fails anew is not taken twice.
 */
export async function reopenFailedEvents(
  tx: Tx,
  tenantId: string,
  { statuses, since, before }: FailedEvents,
  afterId: string | null,
  limit: number,
): Promise<{ count: number; lastId: string | null }> {
  const { rows } = await tx.raw<{ rows: { count: number; lastId: string | null }[] }>(
    `with failed as (
       select oldest.id from unnest(:statuses::text[]) status
       cross join lateral (
         select e.id from webhook_events e
         where e.tenant_id = :tenantId and e.status = status.status
           -- As the index of undelivered events has it.
           and e.status in ('permanently_failed', 'not_configured') and e.id > :afterId
           and e.created_at >= :since and e.created_at <= :before
         order by e.id limit :limit
       ) oldest
       order by oldest.id limit :limit
     ), reopened as (
       update webhook_events e set status = 'pending', is_followed = false, attempts_left = 1, next_attempt_at = :before
       from failed
       where e.tenant_id = :tenantId and e.id = failed.id and e.status = any(:statuses)
       returning e.tenant_id
     ), queued as (
       select enqueue('deliver_due_webhooks',
         array[json_build_object('tenant_ids', json_agg(distinct tenant_id))], array[null]::text[], null, :priority)
       from reopened having count(*) > 0
     )
     select (select count(*)::integer from reopened) as count,
            case when (select count(*) from failed) = :limit
              then (select id from failed order by id desc limit 1)
            end as "lastId"
     from (values (1)) one left join queued on true`,
    {
      tenantId,
      statuses,
      since,
      before,
      afterId: afterId ?? idsMadeIn({ from: since, before }).fromId,
      limit,
      priority: BULK_PRIORITY,
    },
  )
  return rows[0] ?? { count: 0, lastId: null }
}
