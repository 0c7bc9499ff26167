import { beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { makeTenant } from '../../test/support/make.ts'
import type { Db } from '../db/db.ts'
import { newId } from '../id.ts'
import { after } from '../time.ts'
import { recordAttempts } from './attempt.sql.ts'
import type { WebhookEvent } from './event.ts'
import {
  holdDueEvents,
  listOverdueTenants,
  openHeld,
  releaseHolds,
  releaseNextOfPayment,
  renewHolds,
  waitBehind,
} from './hold.sql.ts'
import type { Held } from './hold.ts'
import { holdFrom } from './hold.ts'
import { insertEvents } from './webhook.sql.ts'

let db: Db
beforeAll(async () => {
  ;({ db } = await testDatabase())
})

const listening = () => makeTenant(db, { callbackUrl: 'https://shop.example/hooks' })

const eventOf = (tenantId: string, paymentId = newId(), number = 2, at = new Date()): WebhookEvent => {
  const id = newId()
  const body = JSON.stringify({ id })
  return { tenantId, id, paymentId, number, mode: 'test', type: 'payment.paid', body, createdAt: at }
}

/** As their job holds them. */
async function insertHeld(events: WebhookEvent[]): Promise<Held[]> {
  await db.transaction(tx => insertEvents(tx, events))
  return events.map(event => ({
    tenantId: event.tenantId,
    eventId: event.id,
    heldUntil: holdFrom(event.createdAt),
  }))
}

const jobs = async () =>
  (await db.raw('select payload from graphile_worker._private_jobs order by id')).rows.map(
    (row: { payload: object }) => row.payload,
  )

const delivered = (held: Held) => ({
  tenantId: held.tenantId,
  eventId: held.eventId,
  startedAt: new Date(),
  durationMs: 1,
  responseStatus: 200,
  responseBody: '',
  error: null,
})

test('events of one batch share a job, which holds them', async () => {
  const [one, other] = [await listening(), await listening()]
  const at = new Date()
  const events = [...Array(150).keys()].map(n => eventOf(n % 2 ? one : other, newId(), 2, at))
  const held = await insertHeld(events)
  const queued = (await jobs()) as { held_until: string; events: { event_id: string }[] }[]
  expect(queued.map(job => job.events.length)).toEqual([100, 50])
  expect(new Set(queued.flatMap(job => job.events.map(each => each.event_id)))).toEqual(
    new Set(events.map(event => event.id)),
  )
  expect(new Date(queued[0]?.held_until ?? '')).toEqual(holdFrom(at))
  expect((await openHeld(db, held)).every(found => found && !found.isBehind)).toBe(true)
  await db.raw('delete from graphile_worker._private_jobs')
})

test('what is held is not due to anybody else, until the hold lapses or is given up', async () => {
  const tenantId = await listening()
  const [first, second] = (await insertHeld([eventOf(tenantId), eventOf(tenantId)])) as [Held, Held]
  const dueAt = async (at: Date) =>
    (await holdDueEvents(db, [{ tenantId, limit: 9 }], at, holdFrom(at)))[0]?.map(each => each.eventId)
  expect(await dueAt(new Date())).toEqual([])
  await releaseHolds(db, [first], new Date())
  expect(await dueAt(new Date())).toEqual([first.eventId])
  expect(await dueAt(after(second.heldUntil, 1))).toContain(second.eventId)
})

test('of two that believe to hold an event one finds it gone', async () => {
  const tenantId = await listening()
  const [held] = (await insertHeld([eventOf(tenantId)])) as [Held]
  const until = after(held.heldUntil, 60_000)
  const both = await Promise.all([renewHolds(db, [held], until), renewHolds(db, [held], after(until, 1))])
  expect(both.flat().filter(each => each !== undefined)).toHaveLength(1)
  expect(await openHeld(db, [held])).toEqual([undefined])
})

test('processes that look at the same time share what is due', async () => {
  const tenantId = await listening()
  const held = await insertHeld([...Array(40)].map(() => eventOf(tenantId)))
  await releaseHolds(db, held, new Date())
  const look = async () =>
    (await holdDueEvents(db, [{ tenantId, limit: 16 }], new Date(), holdFrom(new Date())))[0]
  const found = (await Promise.all([look(), look(), look()])).flatMap(each =>
    each?.map(({ eventId }) => eventId),
  )
  expect(new Set(found).size).toBe(found.length)
  expect(found.length).toBeLessThanOrEqual(40)
})

test("a payment's later event leaves word on the one before it, and whoever settles that one hears", async () => {
  const tenantId = await listening()
  const paymentId = newId()
  const [first, second] = (await insertHeld([
    eventOf(tenantId, paymentId, 2),
    eventOf(tenantId, paymentId, 3),
  ])) as [Held, Held]
  const [, behind] = await openHeld(db, [first, second])
  expect(behind?.isBehind).toBe(true)
  expect(await waitBehind(db, { tenantId, paymentId, number: 3 })).toBe(true)
  expect(await recordAttempts(db, [delivered(first)], 1)).toEqual([true])
  // It was settled meanwhile: the later one need not wait.
  expect(await waitBehind(db, { tenantId, paymentId, number: 3 })).toBe(false)
  await releaseNextOfPayment(db, { tenantId, paymentId, number: 2 }, new Date())
  expect(await holdDueEvents(db, [{ tenantId, limit: 9 }], new Date(), holdFrom(new Date()))).toMatchObject([
    [{ eventId: second.eventId }],
  ])
})

test('an attempt that two processes made is on record twice, and the event is settled once', async () => {
  const tenantId = await listening()
  const [held] = (await insertHeld([eventOf(tenantId)])) as [Held]
  await Promise.all([recordAttempts(db, [delivered(held)], 1), recordAttempts(db, [delivered(held)], 1)])
  const { rows } = await db.raw(
    `select e.status, array_agg(a.number order by a.number) as numbers from webhook_events e
     join webhook_attempts a on a.tenant_id = e.tenant_id and a.event_id = e.id where e.id = ? group by e.status`,
    [held.eventId],
  )
  expect(rows).toEqual([{ status: 'delivered', numbers: [1, 2] }])
})

test("one tenant's many waiting events hide no other's", async () => {
  const [busy, other] = [await listening(), await listening()]
  const long = after(new Date(), -3_600_000)
  await insertHeld([...Array(3_000)].map(() => eventOf(busy, newId(), 2, long)))
  await insertHeld([eventOf(other, newId(), 2, after(new Date(), -60_000))])
  const tenants = await listOverdueTenants(db, new Date())
  expect(tenants).toEqual(expect.arrayContaining([busy, other]))
  expect(new Set(tenants).size).toBe(tenants.length)
  const { rows } = await db.raw(
    `explain (analyze, format json) select tenant_id from webhook_events where status = 'pending' and tenant_id > ?
     order by tenant_id, next_attempt_at limit 1`,
    [busy],
  )
  expect(JSON.stringify(rows)).toContain('webhook_events_due_of_tenant')
})
