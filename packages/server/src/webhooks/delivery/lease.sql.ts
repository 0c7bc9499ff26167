// SQL statements that create, check and release leases on webhook events (lease.ts). Most of these statements handle
// events for several tenants at once.
//
// The statements select a payment's pending events with `next_attempt_at is not null`, which is equivalent to the
// status `pending` (webhook_queue_check). With a condition on the status, PostgreSQL would choose another index. For
// each event, it would then read all of the tenant's waiting events.

import type { Db } from '../../db/db.ts'
import { groupsByShard, isDistributed, shardedStatement } from '../../db/distributed-database.ts'
import { preparedStatement } from '../../db/prepared-statement.ts'
import { queryShards } from '../../db/shard-query.ts'
import type { WebhookEventType } from '../event-type.ts'
import { bodyColumns, type StoredBody } from '../stored-body.ts'
import type { Lease } from './lease.ts'

/**
 * A webhook event that this process has leased. Its body is decompressed only when the event is sent. A body that
 * cannot be decompressed therefore does not affect other events.
 */
export type LeasedEvent = StoredBody & {
  tenantId: string
  id: string
  type: WebhookEventType
  /** The id of the payment that the webhook event is about; null for a test event. */
  paymentId: string | null
  /** True if delivery of the event has not been attempted yet. */
  isFirst: boolean
}

/**
 * A webhook event that was loaded while its lease was valid. A payment's events are delivered in order, so
 * `waitsForEarlier` is true if an earlier event of the same payment is still pending.
 */
export type LoadedEvent = { event: LeasedEvent; waitsForEarlier: boolean }

const load = shardedStatement<
  Omit<LeasedEvent, 'tenantId' | 'id'> & { place: number; waitsForEarlier: boolean }
>(
  only => `select lease.place::integer as place, e.type, ${bodyColumns('e')}, e.payment_id as "paymentId",
          still.is_first as "isFirst", exists (
            select from webhook_events earlier
            join webhook_queue q on q.tenant_id = earlier.tenant_id and q.event_id = earlier.id
            where earlier.tenant_id = e.tenant_id and earlier.payment_id = e.payment_id
              and earlier.number < e.number and q.next_attempt_at is not null
              ${only('earlier.tenant_id')} ${only('q.tenant_id')}
          ) as "waitsForEarlier"
   from unnest(:tenantIds::uuid[], :eventIds::uuid[], :expiresMs::bigint[])
     with ordinality as lease (tenant_id, id, expires_ms, place)
   -- Forces PostgreSQL to look up each event by its primary key, even if the planner expects the table to have few
   -- rows.
   cross join lateral (
     -- A redelivered event may also have an attempt count of 0, because there was no callback URL before, but it has
     -- only one attempt left.
     select q.attempt_count = 0 and q.attempts_left > 1 as is_first from webhook_queue q
     where q.tenant_id = lease.tenant_id and q.event_id = lease.id
       and q.next_attempt_at = timestamptz 'epoch' + lease.expires_ms * interval '1 millisecond'
       ${only('q.tenant_id')}
     limit 1
   ) still
   cross join lateral (
     select * from webhook_events where tenant_id = lease.tenant_id and id = lease.id ${only('tenant_id')} limit 1
   ) e`,
)

/**
 * Loads the leased events. Returns one entry per lease, in the same order. The entry is undefined if the lease is
 * no longer valid.
 */
export async function loadLeasedEvents(db: Db, leases: Lease[]): Promise<(LoadedEvent | undefined)[]> {
  const loaded = new Map<Lease, LoadedEvent>()
  for (const group of groupsByShard(db, leases, each => each.tenantId)) {
    const tenantIds = group.map(each => each.tenantId)
    const found = await load(db, tenantIds, {
      tenantIds,
      eventIds: group.map(each => each.eventId),
      expiresMs: group.map(each => each.expiresAt.getTime()),
    })
    for (const { place, waitsForEarlier, ...event } of found) {
      const lease = group[place - 1] as Lease
      const { tenantId, eventId: id } = lease
      loaded.set(lease, { event: { tenantId, id, ...event }, waitsForEarlier })
    }
  }
  return leases.map(lease => loaded.get(lease))
}

const release = shardedStatement(
  only => `update webhook_queue q set next_attempt_at = :now
   from unnest(:tenantIds::uuid[], :eventIds::uuid[], :expiresAt::timestamptz[]) as lease (tenant_id, id, expires_at)
   where q.tenant_id = lease.tenant_id and q.event_id = lease.id and q.next_attempt_at = lease.expires_at
     ${only('q.tenant_id')}`,
)

/**
 * Releases the leases of webhook events, so that these events are due immediately and any process can lease
 * them.
 */
export async function releaseLeases(db: Db, leases: Lease[], now: Date): Promise<void> {
  for (const group of groupsByShard(db, leases, each => each.tenantId)) {
    const columns = columnsOf(group)
    await release(db, columns.tenantIds, { ...columns, now })
  }
}

const columnsOf = (leases: Lease[]) => ({
  tenantIds: leases.map(each => each.tenantId),
  eventIds: leases.map(each => each.eventId),
  expiresAt: leases.map(each => each.expiresAt.toISOString()),
})

/**
 * SQL of the time until which attempts are due. A job for a retry starts by PostgreSQL's clock, which may be slightly
 * ahead of the process's clock. The time is at most one second ahead of the process's clock. If PostgreSQL's clock were
 * further ahead, retries would otherwise follow without a pause, and an attempt in flight would seem to have lost its
 * lease.
 */
export const DUE_BEFORE = "least(greatest(:now, now()), :now::timestamptz + interval '1 second')"

const claim = shardedStatement<{ tenantId: string; eventId: string }>(
  only => `with due as materialized (
     select tenant.id as tenant_id, longest.event_id
     from unnest(:tenantIds::uuid[], :limits::integer[]) as tenant (id, at_most)
     cross join lateral (
       select w.event_id from webhook_queue w
       join webhook_events e on e.tenant_id = w.tenant_id and e.id = w.event_id
       where w.tenant_id = tenant.id and w.status = 'pending' and w.next_attempt_at <= ${DUE_BEFORE}
         -- The payment's events are read backward, because an event usually waits for the one directly before it.
         and not exists (
           select from (
             select from webhook_events earlier
             join webhook_queue before on before.tenant_id = earlier.tenant_id and before.event_id = earlier.id
             where earlier.tenant_id = e.tenant_id and earlier.payment_id = e.payment_id
               and earlier.number < e.number and before.next_attempt_at is not null
               ${only('earlier.tenant_id')} ${only('before.tenant_id')}
             order by earlier.number desc limit 1
           ) nearest)
         ${only('w.tenant_id')} ${only('e.tenant_id')}
       order by w.next_attempt_at limit tenant.at_most
       for update of w skip locked
     ) longest
   )
   update webhook_queue q set next_attempt_at = :expiresAt
   from due where q.tenant_id = due.tenant_id and q.event_id = due.event_id ${only('q.tenant_id')}
   returning q.tenant_id as "tenantId", q.event_id as "eventId"`,
)

/**
 * Leases up to `limit` due webhook events for each tenant, starting with those that have been due longest. Skips
 * events that wait for an earlier event for the same payment.
 */
export async function claimDueEvents(
  db: Db,
  tenants: { tenantId: string; limit: number }[],
  now: Date,
  expiresAt: Date,
): Promise<Lease[][]> {
  const rows: { tenantId: string; eventId: string }[] = []
  for (const group of groupsByShard(db, tenants, each => each.tenantId)) {
    const tenantIds = group.map(each => each.tenantId)
    const limits = group.map(each => each.limit)
    rows.push(...(await claim(db, tenantIds, { tenantIds, limits, now, expiresAt })))
  }
  const byTenant = Map.groupBy(rows, row => row.tenantId)
  return tenants.map(({ tenantId }) => (byTenant.get(tenantId) ?? []).map(row => ({ ...row, expiresAt })))
}

const follow = preparedStatement(
  `update webhook_queue set follower_id = :eventId, follower_held_until = :expiresAt
   where tenant_id = :tenantId and next_attempt_at is not null and event_id = (
     select earlier.id from webhook_events mine
     join webhook_events earlier on earlier.tenant_id = mine.tenant_id and earlier.payment_id = mine.payment_id
       and earlier.number < mine.number
     join webhook_queue q on q.tenant_id = earlier.tenant_id and q.event_id = earlier.id
     where mine.tenant_id = :tenantId and mine.id = :eventId and q.next_attempt_at is not null
     order by earlier.number desc limit 1)
   returning true`,
)

/**
 * Makes a webhook event wait until its payment's previous pending event is delivered or fails permanently. Returns
 * false if this has already happened. Each call locks only one event, because locking several could deadlock with the
 * statement that records many attempts.
 */
export async function storeFollower(db: Db, lease: Lease): Promise<boolean> {
  return (await follow(db, lease)).length > 0
}

const overdueTenants = `with recursive first as (
     (select tenant_id, next_attempt_at from webhook_queue
      where status = 'pending' order by tenant_id, next_attempt_at limit 1)
     union all
     select following.* from first cross join lateral (
       select tenant_id, next_attempt_at from webhook_queue
       where status = 'pending' and tenant_id > first.tenant_id order by tenant_id, next_attempt_at limit 1
     ) following
   )
   select tenant_id as "tenantId" from first where next_attempt_at < :since`
const overdue = preparedStatement<{ tenantId: string }>(overdueTenants)

/**
 * Returns the tenants with webhook events that were due before `since`. The query uses the index to skip from
 * one tenant to the next, so its cost does not depend on the number of events.
 */
export async function listOverdueTenants(db: Db, since: Date): Promise<string[]> {
  const rows = isDistributed(db)
    ? await queryShards<{ tenantId: string }>(db, 'webhook_queue', overdueTenants, { since })
    : await overdue(db, { since })
  return rows.map(({ tenantId }) => tenantId)
}
