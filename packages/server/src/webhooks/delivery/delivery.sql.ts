// Reads the state of webhook deliveries. Also reopens finished deliveries (delivered or permanently failed): it
// schedules another attempt for them.

import { type Count, countRows } from '../../db/count-rows.ts'
import type { Db, Tx } from '../../db/db.ts'
import { type PageStart, sqlOf } from '../../db/list-order.ts'
import { idsMadeIn, isId } from '../../values/id.ts'
import type { Mode } from '../../values/mode.ts'
import type { DeliveryStatus } from '../event.ts'
import type { WebhookEventType } from '../event-type.ts'
import { bodyColumns, type StoredBody, withBody } from '../stored-body.ts'
import type { DeliveryAttempt } from './attempt.sql.ts'

export type Delivery = {
  id: string
  type: WebhookEventType
  paymentId: string | null
  paymentCode: string | null
  mode: Mode
  status: DeliveryStatus
  nextAttemptAt: Date | null
  createdAt: Date
  attempts: DeliveryAttempt[]
}
/** A webhook delivery with the body that was signed and sent. */
export type SentDelivery = Delivery & { body: string }

export type DeliveryRow = Omit<Delivery, 'attempts'> & {
  attempts: (Omit<DeliveryAttempt, 'startedAt'> & { startedAt: string })[]
}

/**
 * The maximum number of attempts that a list shows for each webhook event. Only the latest attempts are listed,
 * because an event can be redelivered many times.
 */
export const ATTEMPTS_LISTED = 10

/**
 * The maximum number of attempts in a response with a single webhook delivery. The newest attempts are returned. A
 * tenant can redeliver one event thousands of times. Without this limit, each read of such a delivery would need more
 * memory than the process has.
 */
export const ATTEMPTS_PER_DELIVERY = 100

/**
 * Returns the SQL columns of a query for webhook deliveries. The query must name the events `e`. `state` is the table
 * with the delivery status, and `attempts` is a subquery for the attempts. One statement reads the status and the
 * attempts, so both reflect the same point in time.
 */
export const deliveryColumns = (state: string, attempts: string) => `
  e.id, e.type, e.payment_id as "paymentId",
  (select payment_code from payments p where p.tenant_id = e.tenant_id and p.id = e.payment_id) as "paymentCode",
  e.mode, coalesce(${state}.status, 'delivered') as status, ${state}.next_attempt_at as "nextAttemptAt",
  e.created_at as "createdAt", (
    select coalesce(json_agg(a order by a.number), '[]') from (
      select number, started_at as "startedAt", duration_ms as "durationMs", response_status as "responseStatus",
             response_headers as "responseHeaders", response_body as "responseBody", error, signature
      from ${attempts}
    ) a
  ) as attempts`

const events = 'webhook_events e left join webhook_queue q on q.tenant_id = e.tenant_id and q.event_id = e.id'

const deliveryQuery = (latestAttempts: number, moreColumns = '') => `
  select ${moreColumns} ${deliveryColumns(
    'q',
    `webhook_attempts where tenant_id = e.tenant_id and event_id = e.id order by number desc limit ${latestAttempts}`,
  )}
  from ${events}`

export const deliveryOf = <Event extends DeliveryRow>({ attempts, ...event }: Event) => ({
  ...event,
  attempts: attempts.map(attempt => ({ ...attempt, startedAt: new Date(attempt.startedAt) })),
})

/** Finds a webhook event's delivery to the callback URL, with up to `latestAttempts` of its newest attempts. */
export async function findDelivery(
  db: Db,
  tenantId: string,
  eventId: string,
  latestAttempts = ATTEMPTS_LISTED,
): Promise<Delivery | undefined> {
  const { rows } = await db.raw<{ rows: DeliveryRow[] }>(
    `${deliveryQuery(latestAttempts)} where e.tenant_id = ? and e.id = ?`,
    [tenantId, eventId],
  )
  return rows.map(deliveryOf)[0]
}

/**
 * Finds a webhook event's delivery to the callback URL. The field `body` contains the bytes that were signed.
 * Every attempt sends the same bytes.
 */
export async function findSentDelivery(
  db: Db,
  tenantId: string,
  eventId: string,
): Promise<SentDelivery | undefined> {
  const { rows } = await db.raw<{ rows: (DeliveryRow & StoredBody)[] }>(
    `${deliveryQuery(ATTEMPTS_PER_DELIVERY, `${bodyColumns('e')},`)} where e.tenant_id = ? and e.id = ?`,
    [tenantId, eventId],
  )
  return rows.map(withBody).map(deliveryOf)[0]
}

/** The filter for a list of webhook deliveries. A field that is null matches all deliveries. */
export type DeliveryFilter = {
  status: DeliveryStatus | null
  type: WebhookEventType | null
  /** A payment's id or code. Only that payment's deliveries match. */
  payment: string | null
}

/** Returns the SQL conditions for a filter on the webhook events `e`, and the values of their parameters. */
export function eventConditions({ type, payment }: DeliveryFilter): [sql: string, values: object] {
  const paymentId =
    payment !== null && isId(payment)
      ? ':payment'
      : '(select payment_id from payment_references where tenant_id = :tenantId and reference = upper(:payment))'
  return [
    `${type === null ? '' : 'and e.type = :type'} ${payment === null ? '' : `and e.payment_id = ${paymentId}`}`,
    { ...(type !== null && { type }), ...(payment !== null && { payment }) },
  ]
}

type TenantDeliveryFilter = DeliveryFilter & { mode: Mode | null }

/**
 * Returns the SQL conditions that select the listed deliveries, the parameters of these conditions, and the
 * column with the event's ID. A list of undelivered events uses the table `webhook_queue`, which contains no
 * delivered events.
 */
function conditionsOf(tenantId: string, filter: TenantDeliveryFilter) {
  const { status, mode } = filter
  const [ofEvent, values] = eventConditions(filter)
  const inQueue = status !== null && status !== 'delivered'
  const [tenant, id] = inQueue ? ['q.tenant_id', 'q.event_id'] : ['e.tenant_id', 'e.id']
  const sql = `
    ${tenant} = :tenantId
    ${inQueue ? 'and q.status = :status' : ''} ${status === 'delivered' ? 'and q.event_id is null' : ''}
    ${mode === null ? '' : 'and e.mode = :mode'} ${ofEvent}`
  return {
    sql,
    id,
    values: { tenantId, ...values, ...(inQueue && { status }), ...(mode !== null && { mode }) },
  }
}

/**
 * Lists deliveries of a tenant's webhook events to its callback URL in the given order, starting after the event
 * `afterId`.
 */
export async function listDeliveries(
  db: Db,
  tenantId: string,
  filter: TenantDeliveryFilter,
  { order, afterId }: PageStart,
  limit: number,
): Promise<Delivery[]> {
  const { sql, id, values } = conditionsOf(tenantId, filter)
  const { sort, later } = sqlOf[order]
  const { rows } = await db.raw<{ rows: DeliveryRow[] }>(
    `${deliveryQuery(ATTEMPTS_LISTED)}
     where ${sql} ${afterId === undefined ? '' : `and ${id} ${later} :afterId`}
     order by ${id} ${sort} limit :limit`,
    { ...values, limit, ...(afterId !== undefined && { afterId }) },
  )
  return rows.map(deliveryOf)
}

export function countDeliveries(db: Db, tenantId: string, filter: TenantDeliveryFilter): Promise<Count> {
  const { sql, values } = conditionsOf(tenantId, filter)
  return countRows(db, `select from ${events} where ${sql}`, values)
}

/**
 * Schedules one more delivery attempt for a finished webhook event (delivered or permanently failed). Returns false if
 * the event is still pending or the tenant has no callback URL.
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
 * The priority of jobs that redeliver old webhook events. These jobs run after all other jobs, so a tenant's thousand
 * old events do not delay new events.
 */
const BULK_PRIORITY = 10

export type FailedEvents = {
  statuses: readonly DeliveryStatus[]
  /** The mode (live or test) whose webhook events are redelivered, or null for both modes. */
  mode: Mode | null
  since: Date
  before: Date
}

/**
 * Schedules one more attempt for up to `limit` undelivered webhook events, oldest first, starting after the
 * event `afterId`. Returns their number and the `afterId` for the next call, which is null if no events
 * remain.
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
