import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { type Answer, http, logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let auth: string
let stranger: string

beforeAll(async () => {
  ;({ app, demo } = await testApp())
  ;[auth, stranger] = await Promise.all([logIn(demo, demo.client), logIn(demo, demo.client2)])
})

const call = (method: string, path: string, body?: object, as = auth) =>
  http(method, demo.base_url + path, { auth: as, ...(body && { body }) })
const setUrl = (callback_url: string | null) => call('PUT', '/v1/account/webhook', { callback_url })
const codeOf = ({ status, error }: Answer) => [status, error?.code]
const lastAct = async (as = auth) => (await call('GET', '/v1/audit-log?limit=1', undefined, as)).data.items[0]

/**
 * Creates and cancels `count` payments one after the other. Returns the ids of the webhook events about the
 * cancellations.
 */
async function eventsOf(count: number): Promise<string[]> {
  const shop = merchantOf(demo)
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const { data } = await shop.create()
    await shop.cancel(data.id)
    const { items } = (await call('GET', `/v1/webhook-deliveries?payment_id=${data.id}`)).data
    ids.push(items[0].id)
  }
  return ids
}

test('a test event is sent to the callback URL like any other webhook event, but belongs to no payment', async () => {
  const hook = await receiver(demo)
  const { data } = await call('POST', '/v1/account/webhook/test')
  expect(data).toMatchObject({ type: 'webhook.test', payment_id: null, status: 'pending', attempts: [] })
  const told = await until('the test event arrives', () => hook.hooks.find(({ body }) => body.id === data.id))
  expect(told.body).toEqual({
    id: data.id,
    type: 'webhook.test',
    created_at: data.created_at,
    mode: 'test',
    previous_status: null,
    data: { message: expect.any(String) },
  })
  expect(() => new Webhook(hook.secret).verify(told.raw, told.headers)).not.toThrow()
  const delivery = () => call('GET', `/v1/webhook-deliveries/${data.id}`)
  await until('the event is delivered', async () => (await delivery()).data.status === 'delivered')
  expect(await lastAct()).toMatchObject({ action: 'webhook.test', subject_id: data.id })
  hook.close()
})

test('the API returns a webhook delivery with exactly the bytes that were sent', async () => {
  const hook = await receiver(demo)
  const { data: payment } = await merchantOf(demo).create({ customer_name: 'Büdi "Santoso" \u{1F4B8}' })
  await simulate(demo, payment, 'paid')
  const told = await until('the webhook arrives', () => hook.of(payment)[0])
  const { data } = await call('GET', `/v1/webhook-deliveries/${told.body.id}`)
  expect(data.body).toBe(told.raw)
  expect(() => new Webhook(hook.secret).verify(data.body, told.headers)).not.toThrow()
  hook.close()
})

test('a webhook test event is rejected if the tenant has no callback URL', async () => {
  await setUrl(null)
  expect(codeOf(await call('POST', '/v1/account/webhook/test'))).toEqual([409, 'CONFLICT'])
})

test('a tenant can list only its own webhook deliveries, filtered by status or payment', async () => {
  await setUrl(null)
  const [id] = await eventsOf(1)
  const { items } = (await call('GET', '/v1/webhook-deliveries?mode=test&status=not_configured&limit=1')).data
  const { body, ...alone } = (await call('GET', `/v1/webhook-deliveries/${id}`)).data
  expect(body).toEqual(expect.any(String))
  expect(items).toEqual([alone])
  const { data } = await call('GET', '/v1/webhook-deliveries?mode=test&status=delivered')
  expect(new Set(data.items.map((item: { status: string }) => item.status))).toEqual(new Set(['delivered']))
  expect(data.items[0].attempts).toHaveLength(1)
  expect((await call('GET', '/v1/webhook-deliveries', undefined, stranger)).data.items).toEqual([])
  for (const [query, name] of [
    ['status=failed', 'status'],
    ['payment_id=1', 'payment_id'],
  ])
    expect((await call('GET', `/v1/webhook-deliveries?${query}`)).error.message).toMatch(
      new RegExp(`^bad request: ${name}: `),
    )
})

test('redelivering all undelivered webhook events since a given time makes one attempt for each of these events', async () => {
  await setUrl(null)
  const [early = '', first = '', failed = ''] = await eventsOf(3)
  await asOwner(app.db, owner =>
    owner.raw(`update webhook_events set created_at = created_at - interval '1 hour' where id = ?`, [early]),
  )
  await app.db.raw(
    `update webhook_queue set status = 'permanently_failed', attempts_left = 0 where event_id = ?`,
    [failed],
  )
  const since = new Date(Date.now() - 60_000).toISOString()
  const redeliver = (body: object, as = auth) =>
    call('POST', '/v1/webhook-deliveries/redeliver', { mode: 'test', ...body }, as)
  expect(codeOf(await redeliver({ since }))).toEqual([409, 'CONFLICT'])

  const hook = await receiver(demo, () => 500)
  expect((await redeliver({ since }, stranger)).status).toBe(409)
  expect((await redeliver({ since, mode: undefined })).data).toEqual({ redelivered: 0 })
  expect((await redeliver({ since, status: 'permanently_failed' })).data).toEqual({ redelivered: 1 })
  expect((await lastAct()).after).toEqual({
    ...{ since, statuses: ['permanently_failed'], mode: 'test', redelivered: 1 },
  })
  await until('the attempt arrives', () => hook.hooks.length === 1)
  expect(hook.hooks[0]?.body.id).toBe(failed)
  const delivery = async (id: string) => (await call('GET', `/v1/webhook-deliveries/${id}`)).data
  await until(
    'the event has failed permanently',
    async () => (await delivery(failed)).status === 'permanently_failed',
  )
  expect((await delivery(failed)).attempts).toHaveLength(1)

  const both = (await redeliver({ since })).data.redelivered
  expect(both).toBeGreaterThanOrEqual(2)
  await until('the other attempts arrive', () => hook.hooks.length === 1 + both)
  const told = hook.hooks.slice(1).map(({ body }) => body.id)
  expect(told).toEqual(expect.arrayContaining([first, failed]))
  expect(told).not.toContain(early)
  hook.close()
})

test('if more webhook events are redelivered than fit in one batch, each event is delivered exactly once more', async () => {
  const hook = await receiver(demo, () => 200, demo.client2)
  const event = {
    type: 'webhook.test',
    created_at: new Date().toISOString(),
    mode: 'test',
    previous_status: null,
    data: { message: 'one of many' },
  }
  await app.db.raw(
    `with event as (
       insert into webhook_events (tenant_id, id, payment_id, number, mode, type, body, created_at)
       select ?, id, null, 1, 'test', 'webhook.test', (?::jsonb || jsonb_build_object('id', id))::text, now()
       from (select gen_random_uuid() as id from generate_series(1, 1050)) made
       returning tenant_id, id
     )
     insert into webhook_queue (tenant_id, event_id, status, attempts_left)
     select tenant_id, id, 'permanently_failed', 0 from event`,
    [demo.client2.tenant_id, JSON.stringify(event)],
  )
  // The service reads an event's time from its ID. These events have random IDs, so the time can be as early as 1970,
  // and `since` must include it.
  const since = new Date(0).toISOString()
  const { data } = await call('POST', '/v1/webhook-deliveries/redeliver', { since, mode: 'test' }, stranger)
  expect(data).toEqual({ redelivered: 1050 })
  await until('all events arrive', () => hook.hooks.length >= 1050)
  expect(new Set(hook.hooks.map(({ body }) => body.id)).size).toBe(1050)
  expect(hook.hooks).toHaveLength(1050)
  hook.close()
})

test.each([
  [{}, 'since'],
  [{ since: 'yesterday' }, 'since'],
  [{ since: '2026-11-20T00:00:00' }, 'since'],
  [{ since: '2026-11-20T00:00:00Z', status: 'delivered' }, 'status'],
])('an invalid redelivery request is rejected with an error that names the field: %j', async (body, name) => {
  const answer = await call('POST', '/v1/webhook-deliveries/redeliver', body)
  expect(codeOf(answer)).toEqual([400, 'BAD_REQUEST'])
  expect(answer.error.message).toMatch(new RegExp(`^bad request: ${name}: `))
})

test("another tenant's event cannot be redelivered", async () => {
  await setUrl(null)
  const [id = ''] = await eventsOf(1)
  const redeliver = (event: string) =>
    call('POST', `/v1/webhook-deliveries/${event}/redeliver`, undefined, stranger)
  expect([codeOf(await redeliver(id)), codeOf(await redeliver(randomUUID()))]).toEqual([
    [404, 'NOT_FOUND'],
    [404, 'NOT_FOUND'],
  ])
})

test('users can read and change the webhook settings, but API keys cannot', async () => {
  const key = `ApiKey ${demo.client.test_key}`
  for (const path of [
    '/v1/account/webhook/rotate-secret',
    '/v1/account/webhook/test',
    '/v1/webhook-deliveries/redeliver',
  ]) {
    expect(codeOf(await call('POST', path, undefined, key))).toEqual([401, 'UNAUTHORIZED'])
    expect(codeOf(await http('POST', demo.base_url + path))).toEqual([401, 'UNAUTHORIZED'])
  }
})

test('the audit log records a callback URL change with the previous URL', async () => {
  await setUrl('http://127.0.0.1:9/a')
  await setUrl('http://127.0.0.1:9/b')
  expect(await lastAct()).toMatchObject({
    action: 'webhook.set_url',
    actor_tenant_id: demo.client.tenant_id,
    before: { callback_url: 'http://127.0.0.1:9/a' },
    after: { callback_url: 'http://127.0.0.1:9/b' },
  })
})
