import type { Db } from '../db/db.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { shownStatuses } from '../payments/payment.ts'
import { firstIdAt } from '../values/id.ts'
import { changesSince, everything, type LiveChange, type PolledRow } from './live-change.ts'

/**
 * The maximum age, in milliseconds, of the rows that a poll reads. An earlier poll has already read older rows, unless
 * the processes' clocks differ by more than this age.
 */
export const RECENT_MS = 10_000
/**
 * The maximum duration of a charge, including attempts at several providers. A payment appears in lists only after its
 * charge has ended. A poll for changes must therefore also read payments that were created up to this long ago.
 *
 * Some payments are accepted later than this, because the outcome of the charge was unknown or the charge was repeated.
 * A poll finds them with the index payments_accepted_late, which contains all payments accepted at least 50 seconds
 * after their creation. The two periods overlap so that no payment is missed.
 */
const CHARGED_WITHIN_MS = 60_000
/**
 * The maximum number of rows that one poll for changes reads per tenant and kind of row, such as payments.
 * This is more than a dashboard page shows.
 */
export const MAX_ROWS_PER_KIND = 100

const before = (ms: number): string => firstIdAt(new Date(Date.now() - ms))

type TenantRow = PolledRow & { tenantId: string }

/**
 * Selects a tenant's payments that changed, and its webhook events that were created, after a certain time: `since` as
 * an ID, `sinceTime` as a timestamp. A changed payment is found through its webhook event or its new refund. A payment
 * that became `pending` has neither, so it is found through the index `payments_accepted_late`.
 */
const changedOf = (tenant: string): string => `
    (select 'payment' as kind, p.id, null::uuid as "paymentId", 'accepted ' || p.updated_at as state from payments p
     where p.tenant_id = ${tenant} and p.status = 'pending' and p.updated_at - p.created_at > interval '50 seconds'
       and p.updated_at > :sinceTime order by p.updated_at desc limit :atMost)
    union all
    (select 'payment', e.payment_id, null, e.id::text from webhook_events e
     where e.tenant_id = ${tenant} and e.id > :since and e.payment_id is not null order by e.id desc limit :atMost)
    union all
    (select 'payment', r.payment_id, null, r.id::text from refunds r
     where r.tenant_id = ${tenant} and r.id > :since order by r.id desc limit :atMost)
    union all
    (select 'delivery', e.id, e.payment_id, concat_ws(' ', coalesce(q.status, 'delivered'), (
       select max(number) from webhook_attempts where tenant_id = e.tenant_id and event_id = e.id))
     from webhook_events e left join webhook_queue q on q.tenant_id = e.tenant_id and q.event_id = e.id
     where e.tenant_id = ${tenant} and e.id > :since order by e.id desc limit :atMost)`

/** Returns the values of the SQL parameters `since` and `sinceTime` that select the last `ms` milliseconds. */
const periodOf = (ms: number) => ({ since: before(ms), sinceTime: new Date(Date.now() - ms) })

/**
 * Reads recently created or changed rows, and pending deliveries. Each part reads only the end of an index, so the cost
 * does not grow with a tenant's history.
 */
const ofTenants = preparedStatement<TenantRow>(`
  select tenant.id as "tenantId", seen.*
  from unnest(:tenantIds::uuid[]) tenant(id) cross join lateral (
    ${changedOf('tenant.id')}
    union all
    (select 'payment', p.id, null, p.status from payments p
     where p.tenant_id = tenant.id and p.id > :chargedSince and p.status = any(:shown)
     order by p.id desc limit :atMost)
    union all
    (select 'delivery', e.id, e.payment_id, q.status || q.attempt_count
     from (select * from webhook_queue where tenant_id = tenant.id and status = 'pending'
           order by next_attempt_at limit :atMost) q
     join webhook_events e on e.tenant_id = q.tenant_id and e.id = q.event_id
     where e.id <= :since)
  ) seen`)

export async function pollRowsOfTenants(db: Db, tenantIds: string[]): Promise<Map<string, PolledRow[]>> {
  const rows = await ofTenants(db, {
    tenantIds,
    ...periodOf(RECENT_MS),
    chargedSince: before(CHARGED_WITHIN_MS),
    shown: shownStatuses,
    atMost: MAX_ROWS_PER_KIND,
  })
  const seen = new Map<string, PolledRow[]>(tenantIds.map(id => [id, []]))
  for (const { tenantId, ...each } of rows) seen.get(tenantId)?.push(each)
  return seen
}

const ofPeriod = preparedStatement<PolledRow>(changedOf(':tenantId'))

/**
 * The maximum number of changes that a dashboard page gets after an interruption. If there are more, it gets a single
 * message to reload all its data instead.
 */
const MAX_MISSED = 500

/**
 * Returns the changes to a tenant's payments and webhook events in the last `ms` milliseconds. Changes from the few
 * seconds before this period are also included, because a change becomes visible only when its transaction commits. New
 * payments and further attempts to deliver older webhook events are not included.
 */
export async function listRecentChanges(db: Db, tenantId: string, ms: number): Promise<LiveChange[]> {
  const rows = await ofPeriod(db, { tenantId, ...periodOf(ms + RECENT_MS), atMost: MAX_MISSED })
  const changes = changesSince([], rows)
  return changes.length < MAX_MISSED ? changes : [everything]
}

const ofOwner = preparedStatement<PolledRow>(`
  (select 'callback' as kind, id::text, payment_id as "paymentId", status as state from provider_callbacks
   where id > :since order by id desc limit :atMost)
  union all
  (select 'callback', id::text, payment_id, status from provider_callbacks
   where status = 'received' order by received_at desc limit :atMost)
  union all
  (select 'refund', id::text, payment_id, status from refunds where id > :since order by id desc limit :atMost)
  union all
  (select 'refund', id::text, payment_id, status from refunds
   where next_check_at is not null order by next_check_at limit :atMost)
  union all
  (select 'refund', id::text, payment_id, status from refunds
   where status = 'pending' and next_check_at is null and origin in ('merchant', 'operator')
   order by id desc limit :atMost)
  union all
  (select 'callback', id::text, null, '' from rejected_callbacks where id > :since order by id desc limit :atMost)
  union all
  (select 'inbox', '', null, concat_ws(' ',
     (select string_agg(id::text, '' order by id desc)
      from (select id from unexpected_money where status = 'open' order by id desc limit :atMost) m),
     (select string_agg(id::text || updated_at, '' order by id)
      from (select id, updated_at from payments where status = 'challenged'
            order by updated_at desc limit :atMost) c),
     (select string_agg(id::text, '' order by id)
      from (select id from payments where status = 'unknown' order by updated_at desc limit :atMost) u),
     (select string_agg(id::text, '' order by id)
      from (select id from refunds where status = 'pending' and next_check_at is null and origin in ('merchant', 'operator')
            order by id desc limit :atMost) r)))`)

export const pollRowsOfOwner = (db: Db): Promise<PolledRow[]> =>
  ofOwner(db, { since: before(RECENT_MS), atMost: MAX_ROWS_PER_KIND })
