// Who holds which event (hold.ts), of any tenants, many with a statement.
//
// A payment's pending events are asked for as those that have a time, which is the same (webhook_events_check). By their
// status PostgreSQL takes the index of what is due, and reads all that the tenant has waiting for each.

import type { Db } from '../db/db.ts'
import { statement } from '../db/statement.ts'
import type { EventType } from './event.ts'
import type { Held } from './hold.ts'

export type HeldEvent = {
  tenantId: string
  id: string
  type: EventType
  body: string
  paymentId: string | null
  number: number
}

type Opened = HeldEvent & { place: number; isHeld: boolean; isBehind: boolean }

const open = statement<Opened>(
  `select held.place::integer as place, e.tenant_id as "tenantId", e.id, e.type, e.body, e.payment_id as "paymentId",
          e.number, e.status = 'pending' and e.next_attempt_at = held.until as "isHeld", exists (
            select from webhook_events earlier
            where earlier.tenant_id = e.tenant_id and earlier.payment_id = e.payment_id
              and earlier.number < e.number and earlier.next_attempt_at is not null
          ) as "isBehind"
   from unnest(:tenantIds::uuid[], :eventIds::uuid[], :heldUntil::timestamptz[])
     with ordinality as held (tenant_id, id, until, place)
   join webhook_events e on e.tenant_id = held.tenant_id and e.id = held.id`,
)

/** Each in its place, where the hold still stands. isBehind: an earlier event of its payment is pending. */
export async function openHeld(
  db: Db,
  held: Held[],
): Promise<({ event: HeldEvent; isBehind: boolean } | undefined)[]> {
  const opened: ({ event: HeldEvent; isBehind: boolean } | undefined)[] = held.map(() => undefined)
  for (const { place, isHeld, isBehind, ...event } of await open(db, columnsOf(held)))
    if (isHeld) opened[place - 1] = { event, isBehind }
  return opened
}

const renew = statement<{ place: number }>(
  `update webhook_events e set next_attempt_at = :until
   from unnest(:tenantIds::uuid[], :eventIds::uuid[], :heldUntil::timestamptz[])
     with ordinality as held (tenant_id, id, until, place)
   where e.tenant_id = held.tenant_id and e.id = held.id and e.next_attempt_at is not distinct from held.until
   returning held.place::integer as place`,
)

/** Each in its place, unless somebody else has it by now. */
export async function renewHolds(db: Db, held: Held[], until: Date): Promise<(Held | undefined)[]> {
  const renewed: (Held | undefined)[] = held.map(() => undefined)
  for (const { place } of await renew(db, { ...columnsOf(held), until }))
    renewed[place - 1] = { ...(held[place - 1] as Held), heldUntil: until }
  return renewed
}

const release = statement(
  `update webhook_events e set next_attempt_at = :now
   from unnest(:tenantIds::uuid[], :eventIds::uuid[], :heldUntil::timestamptz[]) as held (tenant_id, id, until)
   where e.tenant_id = held.tenant_id and e.id = held.id and e.next_attempt_at is not distinct from held.until`,
)

/** They are due at once, for whoever looks. */
export async function releaseHolds(db: Db, held: Held[], now: Date): Promise<void> {
  await release(db, { ...columnsOf(held), now })
}

const columnsOf = (held: Held[]) => ({
  tenantIds: held.map(each => each.tenantId),
  eventIds: held.map(each => each.eventId),
  heldUntil: held.map(each => each.heldUntil.toISOString()),
})

const hold = statement<{ tenantId: string; eventId: string }>(
  `update webhook_events e set next_attempt_at = :until
   from unnest(:tenantIds::uuid[], :limits::integer[]) as tenant (id, at_most)
   cross join lateral (
     select w.id from webhook_events w
     where w.tenant_id = tenant.id and w.status = 'pending' and w.next_attempt_at <= greatest(:now, now())
       and not exists (
         select from webhook_events earlier
         where earlier.tenant_id = w.tenant_id and earlier.payment_id = w.payment_id
           and earlier.number < w.number and earlier.next_attempt_at is not null)
     order by w.next_attempt_at limit tenant.at_most
     for update skip locked
   ) due
   where e.tenant_id = tenant.id and e.id = due.id
   returning e.tenant_id as "tenantId", e.id as "eventId"`,
)

/** Of each tenant the events that are due longest and wait for no earlier one of their payment, so many at most. */
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

const follow = statement(
  `update webhook_events set is_followed = true
   where tenant_id = :tenantId and payment_id = :paymentId and next_attempt_at is not null and number = (
     select max(number) from webhook_events
     where tenant_id = :tenantId and payment_id = :paymentId and number < :number and next_attempt_at is not null)
   returning true`,
)

/**
 * Leaves word on the pending event just before it; whoever settles that one lets this one go. False where it was settled
 * meanwhile. One event at a time: two of these and a statement that settles several could wait for one another.
 */
export async function waitBehind(
  db: Db,
  { tenantId, paymentId, number }: Pick<HeldEvent, 'tenantId' | 'paymentId' | 'number'>,
): Promise<boolean> {
  return (await follow(db, { tenantId, paymentId, number })).length > 0
}

const letNextGo = statement(
  `update webhook_events set next_attempt_at = :now
   where tenant_id = :tenantId and payment_id = :paymentId and next_attempt_at is not null and number = (
     select min(number) from webhook_events
     where tenant_id = :tenantId and payment_id = :paymentId and number > :number and next_attempt_at is not null)`,
)

/** The payment's next event is due, after the one before it is settled. */
export async function releaseNextOfPayment(
  db: Db,
  { tenantId, paymentId, number }: Pick<HeldEvent, 'tenantId' | 'paymentId' | 'number'>,
  now: Date,
): Promise<void> {
  await letNextGo(db, { tenantId, paymentId, number, now })
}

const overdue = statement<{ tenantId: string }>(
  `with recursive first as (
     (select tenant_id, next_attempt_at from webhook_events
      where status = 'pending' order by tenant_id, next_attempt_at limit 1)
     union all
     select following.* from first cross join lateral (
       select tenant_id, next_attempt_at from webhook_events
       where status = 'pending' and tenant_id > first.tenant_id order by tenant_id, next_attempt_at limit 1
     ) following
   )
   select tenant_id as "tenantId" from first where next_attempt_at < :since`,
)

/** Tenants with events that were due before `since`: from tenant to tenant, however many each has. */
export async function listOverdueTenants(db: Db, since: Date): Promise<string[]> {
  return (await overdue(db, { since })).map(({ tenantId }) => tenantId)
}
