// The statements for holds (hold.ts). Most of them handle many events of several tenants at once.
//
// A payment's pending events are selected by `next_attempt_at is not null`, which is equivalent (webhook_queue_check).
// With a condition on status, PostgreSQL would choose the index of due events and, for each event, read all waiting
// events of the tenant.

import type { Db } from '../../db/db.ts'
import { preparedStatement } from '../../db/prepared-statement.ts'
import type { EventType } from '../event.ts'
import type { Held } from './hold.ts'

export type HeldEvent = {
  tenantId: string
  id: string
  type: EventType
  body: string
  /** The payment of the event; null for a test event. */
  paymentId: string | null
  /** True if there has been no attempt to deliver the event. */
  isFirst: boolean
}

/** An event whose hold is still valid. `isBehind` is true if an earlier event of its payment is pending. */
export type Opened = { event: HeldEvent; isBehind: boolean }

const open = preparedStatement<Omit<HeldEvent, 'tenantId' | 'id'> & { place: number; isBehind: boolean }>(
  `select held.place::integer as place, e.type, e.body, e.payment_id as "paymentId", still.is_first as "isFirst", exists (
            select from webhook_events earlier
            join webhook_queue q on q.tenant_id = earlier.tenant_id and q.event_id = earlier.id
            where earlier.tenant_id = e.tenant_id and earlier.payment_id = e.payment_id
              and earlier.number < e.number and q.next_attempt_at is not null
          ) as "isBehind"
   from unnest(:tenantIds::uuid[], :eventIds::uuid[], :heldUntilMs::bigint[])
     with ordinality as held (tenant_id, id, until_ms, place)
   -- Forces one key lookup per event, even if the planner expects few rows.
   cross join lateral (
     -- A redelivered event has only one attempt left.
     select q.attempt_count = 0 and q.attempts_left > 1 as is_first from webhook_queue q
     where q.tenant_id = held.tenant_id and q.event_id = held.id
       and q.next_attempt_at = timestamptz 'epoch' + held.until_ms * interval '1 millisecond' limit 1
   ) still
   cross join lateral (
     select * from webhook_events where tenant_id = held.tenant_id and id = held.id limit 1
   ) e`,
)

/**
 * Loads the held events. Returns one entry per hold, in the same order; the entry is undefined if the hold is no longer
 * valid.
 */
export async function openHeld(db: Db, held: Held[]): Promise<(Opened | undefined)[]> {
  const opened: (Opened | undefined)[] = held.map(() => undefined)
  for (const { place, isBehind, ...event } of await open(db, {
    tenantIds: held.map(each => each.tenantId),
    eventIds: held.map(each => each.eventId),
    heldUntilMs: held.map(each => each.heldUntil.getTime()),
  })) {
    const { tenantId, eventId: id } = held[place - 1] as Held
    opened[place - 1] = { event: { tenantId, id, ...event }, isBehind }
  }
  return opened
}

const renew = preparedStatement<{ place: number }>(
  `update webhook_queue q set next_attempt_at = :until
   from unnest(:tenantIds::uuid[], :eventIds::uuid[], :heldUntil::timestamptz[])
     with ordinality as held (tenant_id, id, until, place)
   where q.tenant_id = held.tenant_id and q.event_id = held.id and q.next_attempt_at = held.until
   returning held.place::integer as place`,
)

/**
 * Extends holds to `until`. Returns one hold per input, in the same order. A hold that was lost in the meantime is
 * returned unchanged and is no longer valid.
 */
export async function renewHolds(db: Db, held: Held[], until: Date): Promise<Held[]> {
  const renewed = [...held]
  for (const { place } of await renew(db, { ...columnsOf(held), until }))
    renewed[place - 1] = { ...(held[place - 1] as Held), heldUntil: until }
  return renewed
}

const release = preparedStatement(
  `update webhook_queue q set next_attempt_at = :now
   from unnest(:tenantIds::uuid[], :eventIds::uuid[], :heldUntil::timestamptz[]) as held (tenant_id, id, until)
   where q.tenant_id = held.tenant_id and q.event_id = held.id and q.next_attempt_at = held.until`,
)

/** Releases the holds, so that the events are due immediately and any process may deliver them. */
export async function releaseHolds(db: Db, held: Held[], now: Date): Promise<void> {
  await release(db, { ...columnsOf(held), now })
}

const columnsOf = (held: Held[]) => ({
  tenantIds: held.map(each => each.tenantId),
  eventIds: held.map(each => each.eventId),
  heldUntil: held.map(each => each.heldUntil.toISOString()),
})

const hold = preparedStatement<{ tenantId: string; eventId: string }>(
  `with due as materialized (
     select tenant.id as tenant_id, longest.event_id
     from unnest(:tenantIds::uuid[], :limits::integer[]) as tenant (id, at_most)
     cross join lateral (
       select w.event_id from webhook_queue w
       join webhook_events e on e.tenant_id = w.tenant_id and e.id = w.event_id
       where w.tenant_id = tenant.id and w.status = 'pending' and w.next_attempt_at <= greatest(:now, now())
         and not exists (
           select from webhook_events earlier
           join webhook_queue before on before.tenant_id = earlier.tenant_id and before.event_id = earlier.id
           where earlier.tenant_id = e.tenant_id and earlier.payment_id = e.payment_id
             and earlier.number < e.number and before.next_attempt_at is not null)
       order by w.next_attempt_at limit tenant.at_most
       for update of w skip locked
     ) longest
   )
   update webhook_queue q set next_attempt_at = :until
   from due where q.tenant_id = due.tenant_id and q.event_id = due.event_id
   returning q.tenant_id as "tenantId", q.event_id as "eventId"`,
)

/**
 * Holds up to `limit` due events of each tenant, in the order in which they became due. Skips events that wait for an
 * earlier event of their payment.
 */
export async function holdDueEvents(
  db: Db,
  wanted: { tenantId: string; limit: number }[],
  now: Date,
  until: Date,
): Promise<Held[][]> {
  const rows = await hold(db, {
    tenantIds: wanted.map(each => each.tenantId),
    limits: wanted.map(each => each.limit),
    now,
    until,
  })
  const ofTenant = Map.groupBy(rows, row => row.tenantId)
  return wanted.map(({ tenantId }) =>
    (ofTenant.get(tenantId) ?? []).map(row => ({ ...row, heldUntil: until })),
  )
}

const follow = preparedStatement(
  `update webhook_queue set follower_id = :eventId, follower_held_until = :heldUntil
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
 * Makes an event the follower of the pending event just before it, so that settling the earlier event releases this
 * one. Returns false if the earlier event was settled in the meantime. Each call handles only one event: with several,
 * it could deadlock with a statement that settles several events.
 */
export async function waitBehind(db: Db, held: Held): Promise<boolean> {
  return (await follow(db, held)).length > 0
}

const overdue = preparedStatement<{ tenantId: string }>(
  `with recursive first as (
     (select tenant_id, next_attempt_at from webhook_queue
      where status = 'pending' order by tenant_id, next_attempt_at limit 1)
     union all
     select following.* from first cross join lateral (
       select tenant_id, next_attempt_at from webhook_queue
       where status = 'pending' and tenant_id > first.tenant_id order by tenant_id, next_attempt_at limit 1
     ) following
   )
   select tenant_id as "tenantId" from first where next_attempt_at < :since`,
)

/**
 * Returns the tenants with events that were due before `since`. The query skips from tenant to tenant, so its cost does
 * not depend on the number of events.
 */
export async function listOverdueTenants(db: Db, since: Date): Promise<string[]> {
  return (await overdue(db, { since })).map(({ tenantId }) => tenantId)
}
