// Tests how one process delivers its leased webhook events, including error cases. Each test also shows that
// delivery slots are freed, because a process stops only when all of its slots are free.

import { beforeEach, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { databaseProxy } from '../../../test/support/database-proxy.ts'
import { fakeServer } from '../../../test/support/fake-server.ts'
import { tamper } from '../../../test/support/ledger.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { insertLeased, paidEvent } from '../../../test/support/webhook-listener.ts'
import { createDb } from '../../db/db.ts'
import { createLog } from '../../logging/log.ts'
import { after } from '../../values/time.ts'
import type { LoadedEndpoint } from '../endpoint/load-endpoint.ts'
import { insertEvents } from '../event.sql.ts'
import type { WebhookEvent } from '../event.ts'
import { webhookDelivery } from './deliver-webhooks.ts'
import { findDelivery } from './delivery.sql.ts'
import type { Lease } from './lease.ts'
import { newWebhookSecret, sentSignatures, signedHeaders } from './sign.ts'
import { webhookAgent } from './webhook-agent.ts'

// On a busy machine, a receiver can take longer than the real timeout of 10 s, and would then get an event twice.
vi.mock('./lease.ts', async original => ({ ...(await original<object>()), ATTEMPT_TIMEOUT_MS: 600_000 }))
const { db, url: databaseUrl } = await testDatabase()
const receiver = await fakeServer()
const secret = newWebhookSecret()

let clock: () => Date
let log: ReturnType<typeof createLog>
let endpointOf: (tenantId: string) => Promise<LoadedEndpoint | undefined>
let tenantId: string
beforeEach(async () => {
  clock = () => new Date()
  log = createLog('silent')
  vi.spyOn(log, 'warn')
  endpointOf = async () => ({ callbackUrl: `${receiver.url}/hooks`, secret, previous: [] })
  receiver.answers(response => response.end('thanks'))
  tenantId = await makeTenant(db, { callbackUrl: `${receiver.url}/hooks` })
})

/**
 * Starts webhook delivery and calls `run` with it. Returns when `run` and all work that the delivery started
 * have ended.
 */
async function whileDelivering(
  run: (webhooks: ReturnType<typeof webhookDelivery>) => Promise<unknown>,
  database = db,
): Promise<void> {
  const agent = webhookAgent(true)
  const webhooks = webhookDelivery({
    ...{ db: database, clock: () => clock(), log, webhookAgent: agent },
    endpointOf: id => endpointOf(id),
  })
  await run(webhooks)
  await webhooks.stop()
  await agent.destroy()
}
const deliver = (leases: Lease[]) => whileDelivering(webhooks => webhooks.deliver(leases))
/** Queues due webhook events that are not leased by any process. */
async function due(...events: WebhookEvent[]): Promise<void> {
  await db.transaction(tx => insertEvents(tx, events))
  await db.raw(
    "update webhook_queue set next_attempt_at = now() - interval '1 second' where event_id = any(?)",
    [events.map(({ id }) => id)],
  )
}
const attemptsOf = async ({ id }: { id: string }) =>
  (
    await db.raw(
      'select number, duration_ms, response_status, response_body, error from webhook_attempts where event_id = ? order by number',
      [id],
    )
  ).rows
const queued = async ({ id }: { id: string }) =>
  (await db.raw('select status, attempts_left, next_attempt_at from webhook_queue where event_id = ?', [id]))
    .rows[0]
const leased = async (...events: WebhookEvent[]) => insertLeased(db, events)
const idsReceived = () => receiver.received.map(({ headers }) => headers['webhook-id'])
/** Until `run` ends, makes the database reject the recording of attempts for a webhook event. */
async function refusing({ id }: WebhookEvent, run: () => Promise<unknown>): Promise<void> {
  await tamper(
    databaseUrl,
    [
      "create function refuse_attempt() returns trigger language plpgsql as $$ begin raise 'refused'; end $$",
      [],
    ],
    [
      `create trigger refuses_attempt before insert on webhook_attempts for each row
         when (new.event_id = '${id}') execute function refuse_attempt()`,
      [],
    ],
  )
  await run()
  await tamper(databaseUrl, ['drop function refuse_attempt cascade', []])
}
const warnings = (words: string) => vi.mocked(log.warn).mock.calls.filter(([, text]) => text === words)
const away = async () => {
  const broken = createDb(databaseUrl, { max: 1 })
  await broken.destroy()
  return broken
}

test('a webhook event is sent exactly as it was stored, signed with the current secrets', async () => {
  const [at, previous] = [new Date(), newWebhookSecret()]
  clock = () => at
  endpointOf = async () => ({
    ...{ callbackUrl: `${receiver.url}/hooks?a=b`, secret },
    previous: [{ secret: previous, expiresAt: after(at, 1) }],
  })
  const event = paidEvent(tenantId, { at })
  await deliver(await leased(event))
  expect(receiver.received).toMatchObject([
    {
      ...{ method: 'POST', url: '/hooks?a=b', body: event.body },
      headers: { ...signedHeaders(event, [secret, previous], at), 'user-agent': 'Gapura-Webhooks/1' },
    },
  ])
  expect(await attemptsOf(event)).toEqual([
    { number: 1, duration_ms: 0, response_status: 200, response_body: 'thanks', error: null },
  ])
  expect(await queued(event)).toBeUndefined()
  expect(log.warn).not.toHaveBeenCalled()
  const stored = await findDelivery(db, tenantId, event.id)
  expect(stored?.attempts[0]?.responseHeaders).toMatchObject({ 'content-length': '6' })
  expect(signedHeaders(event, [secret, previous], at)).toMatchObject(
    sentSignatures(stored?.attempts[0]?.signature ?? '', event.id, at),
  )
})

test('a failed webhook delivery attempt is recorded with its duration and retried ten seconds after it ends', async () => {
  const at = new Date()
  let now = at
  clock = () => now
  receiver.answers(response => {
    now = after(at, 700)
    response.writeHead(500).end()
  })
  const event = paidEvent(tenantId, { at })
  await deliver(await leased(event))
  expect(await attemptsOf(event)).toMatchObject([{ duration_ms: 700, response_status: 500 }])
  expect(await queued(event)).toEqual({
    ...{ status: 'pending', attempts_left: 3, next_attempt_at: after(at, 10_700) },
  })
})

test.each([undefined, { callbackUrl: null, secret, previous: [] }])(
  "if a tenant has no callback URL, its webhook attempt is recorded as failed; the tenant's stored endpoint: %o",
  async endpoint => {
    endpointOf = async () => endpoint
    const event = paidEvent(tenantId)
    await deliver(await leased(event))
    expect(receiver.received).toEqual([])
    expect(await attemptsOf(event)).toMatchObject([
      { response_status: null, response_body: null, error: 'no callback URL is configured' },
    ])
  },
)

test('a receiver that responds with errors can have up to sixteen webhook attempts in flight', async () => {
  receiver.answers(response => response.writeHead(500).end())
  await whileDelivering(async webhooks => {
    const first = paidEvent(tenantId)
    await webhooks.deliver(await leased(first))
    await expect.poll(() => attemptsOf(first)).toHaveLength(1)
    const answers: (() => void)[] = []
    receiver.answers(response => void answers.push(() => response.end()))
    await webhooks.deliver(await leased(...Array.from({ length: 16 }, () => paidEvent(tenantId))))
    await expect.poll(() => answers.length).toBe(16)
    for (const answer of answers) answer()
  })
})

test('a callback URL that cannot be read postpones only the webhook events of its tenant', async () => {
  const other = await makeTenant(db, { callbackUrl: receiver.url })
  const working = endpointOf
  endpointOf = async id => (id === tenantId ? Promise.reject(new Error('the key is away')) : working(id))
  const [event, fine] = [paidEvent(tenantId), paidEvent(other)]
  await deliver(await leased(event, fine))
  expect(idsReceived()).toEqual([fine.id])
  expect(await attemptsOf(event)).toEqual([])
  expect(await queued(event)).toMatchObject({ status: 'pending', attempts_left: 4 })
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(
    { err: new Error('the key is away'), tenantId },
    expect.any(String),
  )
})

test('a webhook event that cannot be signed is not sent, but other events are sent', async () => {
  const other = await makeTenant(db, { callbackUrl: receiver.url })
  const working = endpointOf
  endpointOf = async id =>
    id === tenantId ? { ...((await working(id)) as LoadedEndpoint), secret: 7 as never } : working(id)
  const [event, fine] = [paidEvent(tenantId), paidEvent(other)]
  await deliver(await leased(event, fine))
  expect(idsReceived()).toEqual([fine.id])
  expect(await attemptsOf(event)).toEqual([])
  const fields = { err: expect.any(TypeError), tenantId, paymentId: event.paymentId, eventId: event.id }
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(fields, expect.any(String))
})

test('a process does not send a webhook event if another process leases the event before the delivery attempt', async () => {
  const event = paidEvent(tenantId)
  const [mine] = (await leased(event)) as [Lease]
  await deliver([{ ...mine, expiresAt: after(mine.expiresAt, -1) }])
  expect(receiver.received).toEqual([])
  expect(await queued(event)).toMatchObject({ next_attempt_at: mine.expiresAt })
})

test('a lease (the right to deliver an event) that could expire during an attempt is renewed before the attempt', async () => {
  const at = after(new Date(), -20_000)
  const event = paidEvent(tenantId, { at })
  const [mine] = (await leased(event)) as [Lease]
  let next: Date | undefined
  receiver.answers(async response => {
    next = (await queued(event)).next_attempt_at
    response.end()
  })
  await whileDelivering(async webhooks => {
    await webhooks.deliver([mine])
    await expect.poll(() => receiver.received).toHaveLength(1)
  })
  expect(next?.getTime()).toBeGreaterThan(mine.expiresAt.getTime())
  expect(await queued(event)).toBeUndefined()
})

test('each webhook event is sent once, even if it has to wait for a free delivery slot', async () => {
  const tenants = await Promise.all(
    Array.from({ length: 10 }, () => makeTenant(db, { callbackUrl: receiver.url })),
  )
  const events = tenants.flatMap(id => Array.from({ length: 40 }, () => paidEvent(id)))
  const all = await leased(...events)
  await whileDelivering(async webhooks => {
    await webhooks.deliver(all)
    await expect.poll(() => receiver.received.length).toBe(events.length)
  })
  expect(new Set(idsReceived())).toEqual(new Set(events.map(({ id }) => id)))
  const { rows } = await db.raw('select from webhook_queue where tenant_id = any(?)', [tenants])
  expect(rows).toEqual([])
})

test('due webhook events are read from the database until none are left', async () => {
  const events = Array.from({ length: 70 }, () => paidEvent(tenantId))
  await due(...events)
  await whileDelivering(async webhooks => {
    webhooks.claimDue([tenantId])
    await expect.poll(() => receiver.received.length).toBe(70)
    const later = paidEvent(tenantId)
    await due(later)
    webhooks.claimDue([tenantId])
    await expect.poll(() => idsReceived().includes(later.id)).toBe(true)
  })
  expect(new Set(idsReceived()).size).toBe(71)
})

test("a webhook event is sent after its payment's previous event, even if the later event was queued first", async () => {
  const payment = '01990000-0000-7000-8000-000000000077'
  const events = [2, 3, 4].map(number => paidEvent(tenantId, { payment, number }))
  const all = (await leased(...events)) as [Lease, Lease, Lease]
  await whileDelivering(async webhooks => {
    await webhooks.deliver(all.toReversed())
    await expect.poll(() => receiver.received.length).toBe(3)
  })
  expect(idsReceived()).toEqual(events.map(({ id }) => id))
})

test('if the database is unavailable, a batch of webhook attempts is not recorded attempt by attempt', async () => {
  const proxy = await databaseProxy(databaseUrl)
  const database = createDb(proxy.url, { max: 1 })
  endpointOf = async () => {
    proxy.cut()
    return { callbackUrl: null, secret, previous: [] }
  }
  const [one, other] = [paidEvent(tenantId), paidEvent(tenantId)]
  const all = await leased(one, other)
  await whileDelivering(webhooks => webhooks.deliver(all), database)
  await database.destroy()
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(
    {
      err: expect.any(Error),
      events: [one, other].map(({ id, paymentId }) => ({ tenantId, eventId: id, paymentId })),
    },
    'webhook attempts were not recorded; they will be repeated',
  )
})

test('a webhook attempt is recorded even if another process delivered the same event in the meantime', async () => {
  const event = paidEvent(tenantId)
  const all = await leased(event)
  receiver.answers(async response => {
    await db.raw('delete from webhook_queue where event_id = ?', [event.id])
    response.end('late')
  })
  await deliver(all)
  expect(await attemptsOf(event)).toMatchObject([{ number: 1, response_status: 200, response_body: 'late' }])
  expect(log.warn).not.toHaveBeenCalled()
})

test('if an attempt cannot be recorded and its webhook event is already finished, a warning is logged', async () => {
  const event = paidEvent(tenantId)
  const all = await leased(event)
  receiver.answers(async response => {
    await db.raw('delete from webhook_queue where event_id = ?', [event.id])
    response.end()
  })
  await refusing(event, () => deliver(all))
  expect(await attemptsOf(event)).toEqual([])
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(
    { err: expect.any(Error), tenantId, paymentId: event.paymentId, eventId: event.id },
    'attempt of an already finished webhook event was not recorded',
  )
})

test('while the database is unavailable, no webhook event is sent, and delivery does not hang', async () => {
  const other = await makeTenant(db, { callbackUrl: receiver.url })
  const all = await leased(...Array.from({ length: 20 }, () => paidEvent(tenantId)))
  await whileDelivering(
    async webhooks => {
      await webhooks.deliver(all)
      webhooks.claimDue([other])
    },
    await away(),
  )
  expect(receiver.received).toEqual([])
  const warned = vi
    .mocked(log.warn)
    .mock.calls.map(([fields, words]) => [Object.keys(fields as object), words])
  expect(warned).toContainEqual([
    ['err', 'events'],
    'leased webhooks could not be loaded; they are due again when the lease expires',
  ])
  expect(warned).toContainEqual([
    ['err', 'tenantId'],
    'due webhooks could not be loaded; the sweep will retry',
  ])
  // Sixteen attempts had started before the process stopped. The other webhook events were waiting, so the
  // process tried to release their leases.
  expect(warned).toContainEqual([
    ['err'],
    'leases of webhook events could not be released; the events are due again when their leases expire',
  ])
})

test('after a failed query for due events, the queue is read again only at the next `claimDue` call', async () => {
  const all = await leased(paidEvent(tenantId))
  await whileDelivering(
    async webhooks => {
      webhooks.claimDue([tenantId])
      for (const count of [1, 2, 3, 4]) {
        await webhooks.deliver(all)
        const failed = 'leased webhooks could not be loaded; they are due again when the lease expires'
        await expect.poll(() => warnings(failed)).toHaveLength(count)
      }
    },
    await away(),
  )
  expect(warnings('due webhooks could not be loaded; the sweep will retry')).toHaveLength(1)
})

test('if a batch of webhook attempts cannot be recorded, each attempt is recorded separately', async () => {
  // There is no callback URL, so these attempts end in the same turn of the event loop and are recorded in one batch.
  endpointOf = async () => ({ callbackUrl: null, secret, previous: [] })
  const [fine, refused, last] = [paidEvent(tenantId), paidEvent(tenantId), paidEvent(tenantId)]
  const all = await leased(fine, refused, last)
  await refusing(refused, () => deliver(all))
  expect(await attemptsOf(refused)).toEqual([])
  expect(await queued(refused)).toMatchObject({ status: 'pending', attempts_left: 4 })
  for (const event of [fine, last]) {
    expect(await attemptsOf(event)).toHaveLength(1)
    expect(await queued(event)).toMatchObject({ status: 'pending', attempts_left: 3 })
  }
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(
    {
      err: expect.any(Error),
      events: [{ tenantId, eventId: refused.id, paymentId: refused.paymentId }],
    },
    'webhook attempts were not recorded; they will be repeated',
  )
})

test('a stopping process releases its unfinished webhook events and accepts no more events', async () => {
  const answers: (() => void)[] = []
  receiver.answers(response => void answers.push(() => response.end()))
  const events = Array.from({ length: 20 }, () => paidEvent(tenantId))
  const all = await leased(...events)
  await whileDelivering(async webhooks => {
    await webhooks.deliver(all)
    await expect.poll(() => answers.length).toBe(16)
    const stopped = webhooks.stop()
    await expect(webhooks.deliver(all)).rejects.toThrow('the worker is stopping')
    for (const answer of answers) answer()
    await stopped
  })
  expect(receiver.received).toHaveLength(16)
  const { rows } = await db.raw(
    'select count(*)::integer as count from webhook_queue where tenant_id = ? and next_attempt_at <= now()',
    [tenantId],
  )
  expect(rows).toEqual([{ count: 4 }])
})
