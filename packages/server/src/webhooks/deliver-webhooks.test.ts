// Two processes' workers on one database, against receivers of tenants.

import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { atEnd } from '../../test/support/at-end.ts'
import { testDatabase } from '../../test/support/database.ts'
import { makeTenant } from '../../test/support/make.ts'
import { compose } from '../compose.ts'
import type { Db } from '../db/db.ts'
import { newId } from '../id.ts'
import { startWorker } from '../jobs/worker.ts'
import { createLog } from '../log.ts'
import { loadSecrets } from '../secrets.ts'
import { after } from '../time.ts'
import { webhookSecretPlace } from './endpoint-secrets.ts'
import type { WebhookEvent } from './event.ts'
import { newWebhookSecret } from './sign.ts'
import { insertEndpoint, insertEvents, setCallbackUrl } from './webhook.sql.ts'

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

type Hit = { id: string; body: { payment: string; number: number } }

/** A tenant whose receiver notes what comes; answer undefined: it answers at once. */
async function tenantWith(answer: (response: ServerResponse) => void = response => void response.end()) {
  const hits: Hit[] = []
  let underWay = 0
  let mostUnderWay = 0
  const server = createServer(async (request, response) => {
    underWay++
    mostUnderWay = Math.max(mostUnderWay, underWay)
    response.on('close', () => underWay--)
    let text = ''
    for await (const chunk of request) text += chunk
    hits.push({ id: request.headers['webhook-id'] as string, body: JSON.parse(text) })
    answer(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const tenantId = await makeTenant(db)
  const secrets = await loadSecrets(db, { masterKey })
  await insertEndpoint(db, tenantId, await secrets.seal(newWebhookSecret(), webhookSecretPlace(tenantId)))
  await setCallbackUrl(db, tenantId, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return { tenantId, hits, mostUnderWay: () => mostUnderWay }
}

const eventOf = (tenantId: string, payment = newId(), number = 2, at = new Date()): WebhookEvent => {
  const body = JSON.stringify({ payment, number })
  return {
    tenantId,
    id: newId(),
    paymentId: payment,
    number,
    mode: 'test',
    type: 'payment.paid',
    body,
    createdAt: at,
  }
}

const insert = (events: WebhookEvent[]) => db.transaction(tx => insertEvents(tx, events))

async function statusesOf(tenantId: string): Promise<Record<string, number>> {
  const { rows } = await db.raw(
    `select coalesce(q.status, 'delivered') as status, count(*)::integer as count
     from webhook_events e left join webhook_queue q on q.tenant_id = e.tenant_id and q.event_id = e.id
     where e.tenant_id = ? group by 1`,
    [tenantId],
  )
  return Object.fromEntries(rows.map((row: { status: string; count: number }) => [row.status, row.count]))
}

const settled = (tenantId: string, count: number) =>
  expect.poll(() => statusesOf(tenantId), { timeout: 30_000, interval: 50 }).toEqual({ delivered: count })

test('no tenant has more than sixteen attempts of each process, and no event two', {
  timeout: 60_000,
}, async () => {
  const tenant = await tenantWith(response => setTimeout(() => response.end(), 20))
  // More than a lane keeps in memory, so that the table is used too.
  const events = [...Array(2_400)].map(() => eventOf(tenant.tenantId))
  for (let n = 0; n < events.length; n += 200) await insert(events.slice(n, n + 200))
  await settled(tenant.tenantId, events.length)
  expect(tenant.hits).toHaveLength(events.length)
  expect(new Set(tenant.hits.map(hit => hit.id)).size).toBe(events.length)
  expect(tenant.mostUnderWay()).toBeGreaterThan(2)
  expect(tenant.mostUnderWay()).toBeLessThanOrEqual(32)
})

test('an event whose process was killed between sending and recording comes again, as the same', async () => {
  const tenant = await tenantWith()
  const event = eventOf(tenant.tenantId, newId(), 2, after(new Date(), -60_000))
  // As it is left: sent, pending, its job gone with its process, its hold lapsed.
  await insert([event])
  await db.raw(`delete from graphile_worker._private_jobs where payload::text like ?`, [`%${event.id}%`])
  await settled(tenant.tenantId, 1)
  expect(tenant.hits.map(hit => hit.id)).toEqual([event.id])
})

test("a silent receiver's ten thousand events are held up by it alone", { timeout: 60_000 }, async () => {
  const silent = await tenantWith(() => {})
  const other = await tenantWith()
  const many = [...Array(10_000)].map(() => eventOf(silent.tenantId))
  for (let n = 0; n < many.length; n += 1_000) await insert(many.slice(n, n + 1_000))
  await insert([eventOf(other.tenantId)])
  await settled(other.tenantId, 1)
  expect(silent.mostUnderWay()).toBeLessThanOrEqual(32)
  expect(await statusesOf(silent.tenantId)).toEqual({ pending: 10_000 })
})

test("a payment's events come in their order, however they are made, opened and answered", {
  timeout: 120_000,
}, async () => {
  const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ events: fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }), together: fc.boolean() }),
        {
          minLength: 1,
          maxLength: 12,
        },
      ),
      fc.nat(15),
      async (payments, answerMs) => {
        const tenant = await tenantWith(response =>
          setTimeout(() => response.end(), Math.random() * answerMs),
        )
        await Promise.all(
          payments.map(async ({ events, together }) => {
            const payment = newId()
            const made = events.map((_, n) => eventOf(tenant.tenantId, payment, n + 2))
            if (together) return insert(made)
            for (const [n, event] of made.entries()) {
              await wait(events[n] as number)
              await insert([event])
            }
          }),
        )
        const count = payments.reduce((sum, { events }) => sum + events.length, 0)
        await settled(tenant.tenantId, count)
        expect(tenant.hits).toHaveLength(count)
        for (const hits of Map.groupBy(tenant.hits, hit => hit.body.payment).values()) {
          const numbers = hits.map(hit => hit.body.number)
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
        }
      },
    ),
    { numRuns: 15 },
  )
})
