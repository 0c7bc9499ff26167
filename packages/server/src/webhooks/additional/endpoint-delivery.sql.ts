// Reads the webhook deliveries to an additional endpoint. Also schedules another attempt for deliveries that are
// finished (delivered or permanently failed) or that wait for a later retry.

import { type Count, countRows } from '../../db/count-rows.ts'
import type { Db } from '../../db/db.ts'
import { type PageStart, sqlOf } from '../../db/list-order.ts'
import { after } from '../../values/time.ts'
import {
  ATTEMPTS_LISTED,
  type Delivery,
  type DeliveryFilter,
  type DeliveryRow,
  deliveryColumns,
  deliveryOf,
  eventConditions,
  type SentDelivery,
} from '../delivery/delivery.sql.ts'
import { leaseExpiryFrom } from '../delivery/lease.ts'
import { bodyColumns, type StoredBody, withBody } from '../stored-body.ts'

type EndpointOfTenant = { tenantId: string; endpointId: string }

const deliveries = `
  additional_deliveries d join webhook_events e on e.tenant_id = d.tenant_id and e.id = d.event_id
  where d.tenant_id = :tenantId and d.endpoint_id = :endpointId`

const endpointQuery = (latestAttempts: number, moreColumns = '') => `
  select ${moreColumns} ${deliveryColumns(
    'd',
    `additional_attempts
     where tenant_id = d.tenant_id and event_id = d.event_id and endpoint_id = d.endpoint_id
     order by number desc limit ${latestAttempts}`,
  )}
  from ${deliveries}`

/** Finds a webhook delivery to an additional endpoint, with up to `latestAttempts` of its newest attempts. */
export async function findEndpointDelivery(
  db: Db,
  endpoint: EndpointOfTenant,
  eventId: string,
  latestAttempts: number,
): Promise<SentDelivery | undefined> {
  const { rows } = await db.raw<{ rows: (DeliveryRow & StoredBody)[] }>(
    `${endpointQuery(latestAttempts, `${bodyColumns('e')},`)} and d.event_id = :eventId`,
    { ...endpoint, eventId },
  )
  return rows.map(withBody).map(deliveryOf)[0]
}

function conditionsOf(filter: DeliveryFilter): [sql: string, values: object] {
  const { status } = filter
  const [ofEvent, values] = eventConditions(filter)
  if (status === null) return [ofEvent, values]
  return [`${ofEvent} and d.status = :status`, { ...values, status }]
}

/** Lists the webhook deliveries to an additional endpoint that follow the delivery `afterId`, in the given order. */
export async function listEndpointDeliveries(
  db: Db,
  endpoint: EndpointOfTenant,
  filter: DeliveryFilter,
  { order, afterId }: PageStart,
  limit: number,
): Promise<Delivery[]> {
  const [conditions, values] = conditionsOf(filter)
  const { sort, later } = sqlOf[order]
  const { rows } = await db.raw<{ rows: DeliveryRow[] }>(
    `${endpointQuery(ATTEMPTS_LISTED)} ${conditions}
       ${afterId === undefined ? '' : `and d.event_id ${later} :afterId`}
     order by d.event_id ${sort} limit :limit`,
    { ...endpoint, ...values, limit, ...(afterId !== undefined && { afterId }) },
  )
  return rows.map(deliveryOf)
}

export function countEndpointDeliveries(
  db: Db,
  endpoint: EndpointOfTenant,
  filter: DeliveryFilter,
): Promise<Count> {
  const [conditions, values] = conditionsOf(filter)
  return countRows(db, `select from ${deliveries} ${conditions}`, { ...endpoint, ...values })
}

/** The largest expected difference between the clocks of two processes. */
const CLOCK_DIFFERENCE_MS = 5_000

/**
 * Makes a webhook delivery due now. A finished delivery gets one more attempt. A delivery that waits for a retry gets
 * this retry now. Returns false if the endpoint is disabled, if a process has leased the delivery, or if its next
 * attempt is due soon.
 *
 * `next_attempt_at` is either the time of the next attempt or the expiry of a lease. Leases expire within 30 s, so a
 * later time counts as the time of an attempt. If another process's clock is too far ahead, its lease can look like a
 * planned attempt. The receiver may then get the event twice, but the delivery's status stays correct.
 */
export async function reopenEndpointDelivery(
  db: Db,
  endpoint: EndpointOfTenant,
  eventId: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `with reopened as (
       update additional_deliveries d
       set status = 'pending', next_attempt_at = :now, is_redelivery = d.is_redelivery or d.status <> 'pending'
       from additional_endpoints e
       where d.tenant_id = :tenantId and d.endpoint_id = :endpointId and d.event_id = :eventId
         and (d.status <> 'pending' or d.next_attempt_at > :lastLeaseExpiry)
         and e.tenant_id = d.tenant_id and e.id = d.endpoint_id and e.enabled
       returning d.tenant_id, d.endpoint_id
     )
     select enqueue('deliver_to_endpoints', array[json_build_object('endpoints', json_agg(reopened))], array[null]::text[])
     from reopened having count(*) > 0`,
    { ...endpoint, eventId, now, lastLeaseExpiry: leaseExpiryFrom(after(now, CLOCK_DIFFERENCE_MS)) },
  )
  return rows.length === 1
}
