// Tests that two processes that share a database deliver webhook events to the receivers of several tenants.

import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { atEnd } from '../../../test/support/at-end.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { listener, paidEvent, statusesOf } from '../../../test/support/webhook-listener.ts'
import { compose } from '../../compose.ts'
import type { Db } from '../../db/db.ts'
import { startWorker } from '../../jobs/worker.ts'
import { createLog } from '../../logging/log.ts'
import { newId } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import { insertEvents } from '../event.sql.ts'
import type { WebhookEvent } from '../event.ts'

/** Shortens the ten-second delay before each retry of a webhook event, so that the tests are fast. */
const RETRY_PAUSE_MS = 20
vi.mock(import('./attempt.sql.ts'), async original => {
  const { recordAttempts, ...rest } = await original()
  return { ...rest, recordAttempts: (db, attempts) => recordAttempts(db, attempts, RETRY_PAUSE_MS) }
})

const masterKey = randomBytes(32)
let db: Db

beforeAll(async () => {
  const database = await testDatabase()
  db = database.db
  const config = {
    databaseUrl: database.url,
    masterKey,
    publicUrl: 'http://127.0.0.1',
    webhookAllowPrivate: true,
    smtpUrl: undefined,
    mailFrom: 'Gapura <no-reply@example.com>',
    dataDir: tmpdir(),
    log: createLog('silent'),
  }
  for (const _ of ['first', 'second']) {
    const { app, close } = await compose(config)
    const worker = await startWorker(app, database.url, { alone: false, only: ['webhooks'] })
    atEnd(async () => {
      await worker.stop()
      await close()
    })
  }
})

const insert = (events: WebhookEvent[]) => db.transaction(tx => insertEvents(tx, events))

const settled = (tenantId: string, statuses: Record<string, number>) =>
  expect.poll(() => statusesOf(db, tenantId), { interval: 50 }).toEqual(statuses)

test('a tenant has at most sixteen webhook attempts in flight per process, and an event has at most one', async () => {
  const tenant = await listener({ db, masterKey }, response => setTimeout(() => response.end(), 20))
  // Inserts more webhook events than a tenant's in-memory queue can hold, so that some events wait in the database.
  const events = [...Array(2_400)].map(() => paidEvent(tenant.tenantId))
  for (let n = 0; n < events.length; n += 200) await insert(events.slice(n, n + 200))
  await settled(tenant.tenantId, { delivered: events.length })
  expect(tenant.hits).toHaveLength(events.length)
  expect(new Set(tenant.hits.map(hit => hit.id)).size).toBe(events.length)
  expect(tenant.mostUnderWay()).toBeGreaterThan(2)
  expect(tenant.mostUnderWay()).toBeLessThanOrEqual(32)
})

test('a webhook event is sent again if the process is killed before it records the attempt', async () => {
  const tenant = await listener({ db, masterKey })
  const event = paidEvent(tenant.tenantId, { at: after(new Date(), -60_000) })
  // Recreates the state after a crash between sending and recording: the webhook event is still pending, its job is
  // gone, and its lease has expired.
  await db.transaction(async tx => {
    await insertEvents(tx, [event])
    const { rows } = await tx.raw(
      'delete from graphile_worker._private_jobs where payload::text like ? returning id',
      [`%${event.id}%`],
    )
    expect(rows).toHaveLength(1)
  })
  await settled(tenant.tenantId, { delivered: 1 })
  expect(tenant.hits.map(hit => hit.id)).toEqual([event.id])
})

test("ten thousand webhook events for an unresponsive receiver do not delay another receiver's events", async () => {
  const silent = await listener({ db, masterKey }, () => {})
  const other = await listener({ db, masterKey })
  const many = [...Array(10_000)].map(() => paidEvent(silent.tenantId))
  for (let n = 0; n < many.length; n += 1_000) await insert(many.slice(n, n + 1_000))
  await insert([paidEvent(other.tenantId)])
  await settled(other.tenantId, { delivered: 1 })
  expect(silent.mostUnderWay()).toBeLessThanOrEqual(32)
  expect(await statusesOf(db, silent.tenantId)).toEqual({ pending: 10_000 })
})

test("a payment's webhook events are delivered in order, whatever their delays, failures, and response times", async () => {
  const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
  const event = fc.record({
    pauseMs: fc.nat(30),
    /** The number of failed attempts. If it is four, delivery of the webhook event has failed permanently. */
    failures: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 4 })),
  })
  const payment = fc.record({
    events: fc.array(event, { minLength: 1, maxLength: 4 }),
    together: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(payment, { minLength: 1, maxLength: 12 }),
      fc.nat(15),
      async (payments, answerMs) => {
        const failuresLeft = new Map<string, number>()
        const tenant = await listener({ db, masterKey }, (response, { id }) => {
          const left = failuresLeft.get(id) ?? 0
          failuresLeft.set(id, left - 1)
          response.statusCode = left > 0 ? 503 : 200
          setTimeout(() => response.end(), Math.random() * answerMs)
        })
        const asked = payments.flatMap(({ events }) => events)
        await Promise.all(
          payments.map(async ({ events, together }) => {
            const payment = newId()
            const made = events.map(({ failures }, n) => {
              const event = paidEvent(tenant.tenantId, { payment, number: n + 2 })
              failuresLeft.set(event.id, failures)
              return event
            })
            if (together) return insert(made)
            for (const [n, event] of made.entries()) {
              await wait(events[n]?.pauseMs ?? 0)
              await insert([event])
            }
          }),
        )
        const lost = asked.filter(({ failures }) => failures === 4).length
        await settled(tenant.tenantId, {
          ...(lost > 0 && { permanently_failed: lost }),
          ...(lost < asked.length && { delivered: asked.length - lost }),
        })
        expect(tenant.hits).toHaveLength(
          asked.reduce((sum, { failures }) => sum + Math.min(failures + 1, 4), 0),
        )
        for (const hits of Map.groupBy(tenant.hits, hit => hit.body.payment).values()) {
          const numbers = hits.map(hit => hit.body.number)
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
        }
      },
    ),
    { numRuns: 8, endOnFailure: true },
  )
})
