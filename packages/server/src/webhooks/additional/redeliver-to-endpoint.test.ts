import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { makeTenant, now } from '../../../test/support/make.ts'
import { paidEvent } from '../../../test/support/webhook-listener.ts'
import { newId } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import { leaseExpiryFrom } from '../delivery/lease.ts'
import { insertEvents } from '../event.sql.ts'
import { insertAdditionalEndpoint } from './additional-endpoint.sql.ts'
import { claimDeliveries } from './claim-deliveries.sql.ts'
import { redeliverToEndpoint } from './redeliver-to-endpoint.ts'

const { db } = await testDatabase()
const app = { db, clock: () => now }

let actor: { tenantId: string; userId: string }
let endpointId: string
let eventId: string
beforeEach(async () => {
  const tenantId = await makeTenant(db)
  actor = { tenantId, userId: newId() }
  endpointId = newId()
  const event = paidEvent(tenantId)
  eventId = event.id
  await db.transaction(async tx => {
    await insertAdditionalEndpoint(tx, tenantId, {
      ...{ id: endpointId, mode: 'test', url: 'https://shop.example.com/events', description: '' },
      ...{
        eventTypes: [],
        schedule: 'long',
        enabled: true,
        secretSealed: 'encrypted',
        createdAt: now,
      },
    })
    await insertEvents(tx, [event])
  })
})

/** Changes the delivery as if its fifth attempt had failed, with the next attempt in `seconds`. */
const waitsFor = (seconds: number) =>
  db.raw('update additional_deliveries set attempt_count = 5, next_attempt_at = ? where event_id = ?', [
    after(now, seconds * 1_000),
    eventId,
  ])
const delivery = async () =>
  (
    await db.raw(
      'select status, attempt_count, next_attempt_at, is_redelivery from additional_deliveries where event_id = ?',
      [eventId],
    )
  ).rows[0]
const jobs = async () =>
  (
    await db.raw(
      `select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'deliver_to_endpoints' and j.payload::text like '%' || ? || '%'`,
      [endpointId],
    )
  ).rows.length
const redeliver = () => redeliverToEndpoint(app, actor, endpointId, eventId)
const conflict = { code: 'CONFLICT', message: expect.stringContaining('is still being delivered') }

test('redelivering a pending delivery makes it due now and keeps its attempt count', async () => {
  await waitsFor(86_400)
  const before = await jobs()
  expect(await redeliver()).toMatchObject({ id: eventId, status: 'pending', nextAttemptAt: now })
  expect(await delivery()).toEqual({
    ...{ status: 'pending', attempt_count: 5, next_attempt_at: now, is_redelivery: false },
  })
  expect(await jobs()).toBe(before + 1)
  await expect(redeliver()).rejects.toMatchObject(conflict)
})

test('redelivering a finished webhook delivery makes one more attempt without retries', async () => {
  await db.raw(
    "update additional_deliveries set status = 'permanently_failed', next_attempt_at = null where event_id = ?",
    [eventId],
  )
  await redeliver()
  expect(await delivery()).toMatchObject({ status: 'pending', next_attempt_at: now, is_redelivery: true })
})

test("the process's clock determines when a delivery is claimed, even if the database's clock is ahead", async () => {
  await waitsFor(10)
  const endpoint = { tenantId: actor.tenantId, endpointId, limit: 1 }
  expect(await claimDeliveries(db, [endpoint], now, leaseExpiryFrom(now))).toEqual([])
  const due = after(now, 10_000)
  expect(await claimDeliveries(db, [endpoint], due, leaseExpiryFrom(due))).toHaveLength(1)
})

test("a delivery leased by another process cannot be redelivered, even if that process's clock is ahead", async () => {
  for (const ahead of [0, 5_000]) {
    await waitsFor(0)
    const expiresAt = leaseExpiryFrom(after(now, ahead))
    const endpoint = { tenantId: actor.tenantId, endpointId, limit: 1 }
    expect(await claimDeliveries(db, [endpoint], after(now, ahead), expiresAt)).toHaveLength(1)
    await expect(redeliver()).rejects.toMatchObject(conflict)
    expect(await delivery()).toMatchObject({ attempt_count: 5, next_attempt_at: expiresAt })
  }
  await waitsFor(36)
  expect(await redeliver()).toMatchObject({ nextAttemptAt: now })
})
