// Tests additional webhook endpoints, which receive a tenant's events in addition to its callback URL. The receivers
// are real HTTP servers.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { type Call, callsAs, newTenant, refusal } from '../support/management-api.ts'
import { logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'

let { app, demo, advance }: TestApp = {} as TestApp
let client: Call

beforeAll(async () => {
  ;({ app, demo, advance } = await testApp())
})
beforeEach(async () => {
  // Logs in again, because the previous test may have moved the clock past the access token's expiry.
  client = callsAs(demo, await logIn(demo, demo.client))
  for (const { id } of (await client('GET', '/v1/webhook-endpoints?mode=all')).data.items)
    await client('DELETE', `/v1/webhook-endpoints/${id}`)
})

type Hit = { headers: IncomingHttpHeaders; body: string }

/**
 * Starts a receiver that responds with the status that `answer` returns. If `answer` returns undefined, the
 * receiver does not respond.
 */
async function listener(answer: () => number | undefined = () => 200) {
  const hits: Hit[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    hits.push({ headers: request.headers, body })
    const status = answer()
    if (status !== undefined)
      response.writeHead(status, { 'set-cookie': 'session=secret', server: 'shop' }).end(`says ${status}`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return { url, hits, idsOf: () => hits.map(({ headers }) => headers['webhook-id']) }
}

async function create(wanted: { url: string } & Record<string, unknown>) {
  const { data, text } = await client('POST', '/v1/webhook-endpoints', { mode: 'test', ...wanted })
  if (!data) throw new Error(text)
  return data as { id: string; secret: string }
}
const ofEndpoint = ({ id }: { id: string }, rest = '') => `/v1/webhook-endpoints/${id}${rest}`

async function pay(): Promise<{ id: string; payment_code: string }> {
  const { data } = await merchantOf(demo).create()
  await simulate(demo, data, 'paid')
  return data
}
/**
 * Waits until a payment's event is recorded. An endpoint receives the event only if the endpoint is enabled when the
 * event is recorded.
 */
const eventOf = (payment: { id: string }): Promise<{ id: string }> =>
  until('the event is recorded', async () => {
    const { data } = await client('GET', `/v1/webhook-deliveries?payment_id=${payment.id}`)
    return data.items[0]
  })
async function cancel(): Promise<{ id: string }> {
  const { data } = await merchantOf(demo).create()
  await merchantOf(demo).cancel(data.id)
  return data
}

type Delivery = { id: string; status: string; next_attempt_at: string | null; attempts: Attempt[] }
type Attempt = {
  started_at: string
  duration_ms: number
  response_status: number
  error: string | null
  response_headers: Record<string, string>
  sent_signatures: Record<string, string>
}
const deliveriesOf = async (endpoint: { id: string }, query = ''): Promise<Delivery[]> =>
  (await client('GET', ofEndpoint(endpoint, `/deliveries${query}`))).data.items
const statusesOf = async (endpoint: { id: string }) => (await deliveriesOf(endpoint)).map(each => each.status)
const settled = (endpoint: { id: string }) =>
  until('the delivery has ended', async () => {
    const [first] = await deliveriesOf(endpoint)
    return first && first.status !== 'pending' && first
  })

test('the tenant’s main callback URL and every additional endpoint get the same event, each signed with its own secret', async () => {
  const first = await receiver(demo)
  const [one, two] = [await listener(), await listener()]
  const [ofOne, ofTwo] = [await create({ url: one.url }), await create({ url: two.url })]
  const payment = await pay()
  const hook = await until('the event arrives at the callback URL', () => first.of(payment)[0])
  for (const [{ hits }, { secret }] of [
    [one, ofOne],
    [two, ofTwo],
  ] as const) {
    const hit = await until('the endpoint receives the event', () => hits[0])
    expect(hit.body).toBe(hook.raw)
    expect(hit.headers['x-service-event-id']).toBe(hook.body.id)
    new Webhook(secret).verify(hit.body, hit.headers as Record<string, string>)
    for (const other of [first.secret, ofOne.secret, ofTwo.secret].filter(each => each !== secret))
      expect(() => new Webhook(other).verify(hit.body, hit.headers as Record<string, string>)).toThrow()
  }
  first.close()
})

test('a webhook endpoint gets only events with its types and mode from after its creation', async () => {
  await eventOf(await pay())
  const [all, paid, live] = [await listener(), await listener(), await listener()]
  const endpoint = await create({ url: all.url })
  await create({ url: paid.url, event_types: ['payment.paid', 'payment.paid'] })
  await create({ url: live.url, mode: 'live' })
  await cancel()
  await pay()
  await until('both events arrive', () => all.hits.length === 2)
  await until('the paid event arrives', () => paid.hits.length === 1)
  const typesOf = ({ hits }: typeof all) => hits.map(({ headers }) => headers['x-service-event-type']).sort()
  expect(typesOf(all)).toEqual(['payment.cancelled', 'payment.paid'])
  expect(typesOf(paid)).toEqual(['payment.paid'])
  expect(live.hits).toEqual([])
  expect(await deliveriesOf(endpoint)).toHaveLength(2)
})

test("a delivery attempt shows the signatures that were sent, and the receiver's response headers except cookies", async () => {
  const shop = await listener()
  const endpoint = await create({ url: shop.url })
  await pay()
  const { id } = await settled(endpoint)
  const { data } = await client('GET', ofEndpoint(endpoint, `/deliveries/${id}`))
  expect(data.body).toBe(shop.hits[0]?.body)
  expect(data.attempts).toMatchObject([
    { number: 1, response_status: 200, response_body: 'says 200', response_headers: { server: 'shop' } },
  ])
  expect(data.attempts[0].response_headers).not.toHaveProperty('set-cookie')
  expect(shop.hits[0]?.headers).toMatchObject(data.attempts[0].sent_signatures)
})

/**
 * Advances the clock until no further delivery attempt to the endpoint is planned. Returns the delays between the
 * attempts, in milliseconds.
 */
async function pausesUntilSettled(endpoint: { id: string }): Promise<number[]> {
  for (let seen = 0; ; ) {
    const delivery = await until('another attempt is recorded', async () => {
      const [first] = await deliveriesOf(endpoint)
      return first && first.attempts.length > seen && first
    })
    seen = delivery.attempts.length
    if (delivery.next_attempt_at === null) {
      const { data } = await client('GET', ofEndpoint(endpoint, `/deliveries/${delivery.id}`))
      const starts = data.attempts.map((each: Attempt) => Date.parse(each.started_at))
      return starts.slice(1).map((at: number, index: number) => at - starts[index])
    }
    advance(Date.parse(delivery.next_attempt_at) - app.clock().getTime() + 3_000)
    client = callsAs(demo, await logIn(demo, demo.client))
  }
}

test('a failing webhook endpoint has its own retry schedule and does not delay other endpoints', async () => {
  const [broken, working] = [await listener(() => 500), await listener()]
  const ofBroken = await create({ url: broken.url, schedule: 'long', event_types: ['payment.paid'] })
  const short = await create({ url: `${broken.url}/short`, event_types: ['payment.paid'] })
  const ofWorking = await create({ url: working.url, event_types: ['payment.paid'] })
  await pay()
  expect((await settled(ofWorking)).attempts).toHaveLength(1)
  expect(await statusesOf(ofBroken)).toEqual(['pending'])

  const pauses = await pausesUntilSettled(ofBroken)
  const planned = [10, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400]
  expect(pauses).toHaveLength(planned.length)
  for (const [index, seconds] of planned.entries())
    expect(pauses[index]).toBeGreaterThanOrEqual(seconds * 1_000)
  expect(await statusesOf(ofBroken)).toEqual(['permanently_failed'])
  expect((await settled(short)).attempts).toHaveLength(4)
})

test('a webhook endpoint that hangs does not delay other endpoints or the main callback URL', async () => {
  const first = await receiver(demo)
  const [hanging, working] = [await listener(() => undefined), await listener()]
  await create({ url: hanging.url })
  await create({ url: working.url })
  const payments = await Promise.all(Array.from({ length: 5 }, pay))
  await until(
    'all events arrive',
    () => working.hits.length === 5 && payments.every(each => first.of(each)[0]),
  )
  const endpoint = (await client('GET', '/v1/webhook-endpoints?mode=test')).data.items.at(-1)
  expect(new Set(await statusesOf(endpoint))).toEqual(new Set(['pending']))
  first.close()
})

test('if the process crashes before it records a webhook attempt, the delivery is repeated after its lease expires', async () => {
  const shop = await listener()
  const endpoint = await create({ url: shop.url, enabled: false })
  const event = await eventOf(await pay())
  // Inserts a webhook delivery as a crashed process leaves it: leased for a limited time, with no attempt recorded.
  await app.db.raw(
    `insert into additional_deliveries (tenant_id, event_id, endpoint_id, next_attempt_at) values (?, ?, ?, ?)`,
    [demo.client.tenant_id, event.id, endpoint.id, new Date(app.clock().getTime() + 30_000)],
  )
  await client('PATCH', ofEndpoint(endpoint), { enabled: true })
  advance(33_000)
  expect(await settled(endpoint)).toMatchObject({ id: event.id, status: 'delivered' })
  expect(shop.idsOf()).toEqual([event.id])
})

test('a re-enabled webhook endpoint gets its open deliveries, but no events from its disabled time', async () => {
  let status = 500
  const shop = await listener(() => status)
  const endpoint = await create({ url: shop.url })
  await pay()
  await until('an attempt is recorded', async () => (await deliveriesOf(endpoint))[0]?.attempts.length === 1)
  await client('PATCH', ofEndpoint(endpoint), { enabled: false })
  await eventOf(await pay())
  advance(60_000)
  const { id } = await until('the waiting delivery is listed', async () => (await deliveriesOf(endpoint))[0])
  const redelivery = async () =>
    refusal(await client('POST', ofEndpoint(endpoint, `/deliveries/${id}/redeliver`)))
  const refused = [409, 'CONFLICT', `conflict: webhook endpoint ${endpoint.id} is disabled; enable it first`]
  expect(await redelivery()).toEqual(refused)
  expect(shop.hits).toHaveLength(1)
  status = 200
  await client('PATCH', ofEndpoint(endpoint), { enabled: true })
  await settled(endpoint)
  await client('PATCH', ofEndpoint(endpoint), { enabled: false })
  expect(await redelivery()).toEqual(refused)
  expect(await statusesOf(endpoint)).toEqual(['delivered'])
})

test('deleting a webhook endpoint also deletes its unfinished deliveries', async () => {
  const shop = await listener(() => 500)
  const endpoint = await create({ url: shop.url })
  await pay()
  await until('an attempt is recorded', async () => (await deliveriesOf(endpoint))[0]?.attempts.length === 1)
  await client('DELETE', ofEndpoint(endpoint))
  advance(60_000)
  await until('the row is deleted', async () => {
    const { rows } = await app.db.raw('select from additional_deliveries where endpoint_id = ?', [
      endpoint.id,
    ])
    return rows.length === 0
  })
  expect(shop.hits).toHaveLength(1)
  for (const rest of ['', '/deliveries', `/deliveries/${newId()}`])
    expect((await client('GET', ofEndpoint(endpoint, rest))).status).toBe(404)
})

test('redelivering to a webhook endpoint makes one more attempt at this endpoint and no attempt at other endpoints', async () => {
  let status = 200
  const [one, two] = [await listener(() => status), await listener()]
  const endpoint = await create({ url: one.url })
  await create({ url: two.url })
  await pay()
  const { id } = await settled(endpoint)
  await until('the other endpoint receives the event', () => two.hits.length === 1)
  status = 500
  const again = await client('POST', ofEndpoint(endpoint, `/deliveries/${id}/redeliver`))
  expect(again.data).toMatchObject({ id, status: 'pending' })
  expect(await settled(endpoint)).toMatchObject({ status: 'permanently_failed' })
  expect(one.idsOf()).toEqual([id, id])
  expect(two.hits).toHaveLength(1)
})

test('a webhook delivery whose next retry is due soon cannot be redelivered', async () => {
  const shop = await listener(() => 500)
  const endpoint = await create({ url: shop.url, schedule: 'long' })
  await pay()
  const before = await until('an attempt is recorded', async () => {
    const [first] = await deliveriesOf(endpoint)
    return first?.attempts.length === 1 && first
  })
  expect(refusal(await client('POST', ofEndpoint(endpoint, `/deliveries/${before.id}/redeliver`)))).toEqual([
    409,
    'CONFLICT',
    `conflict: webhook event ${before.id} is still being delivered; wait until its attempts have ended`,
  ])
  expect(await deliveriesOf(endpoint)).toEqual([before])
})

test('after a rotation, both secrets of an endpoint sign deliveries for a day', async () => {
  const shop = await listener()
  const endpoint = await create({ url: shop.url })
  const rotate = (body: object = {}) => client('POST', ofEndpoint(endpoint, '/rotate-secret'), body)
  const { data: rotated } = await rotate()
  expect(rotated.secret).not.toBe(endpoint.secret)
  expect(refusal(await rotate())[2]).toMatch(/^conflict: the previous webhook secret is active until /)

  const signaturesOf = async () => {
    const seen = shop.hits.length
    await pay()
    const hit = await until('the event arrives', () => shop.hits[seen])
    return String(hit.headers['webhook-signature']).split(' ').length
  }
  expect(await signaturesOf()).toBe(2)
  const { data: revoked } = await rotate({ revoke_previous: true })
  expect(revoked.previous_secret_expires_at).toBeNull()
  expect(await signaturesOf()).toBe(1)
  await rotate()
  advance(24 * 3_600_000)
  client = callsAs(demo, await logIn(demo, demo.client))
  expect(await signaturesOf()).toBe(1)
})

test('concurrent requests cannot create more than ten webhook endpoints in one mode, or a URL twice', async () => {
  const { call } = await newTenant(app, demo, 'client', demo.partner.tenant_id)
  const post = (n: number, mode: string) =>
    call('POST', '/v1/webhook-endpoints', { mode, url: `http://127.0.0.1:9/${n}` })
  const answers = await Promise.all(Array.from({ length: 14 }, (_, n) => post(n, 'test')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  const refused = answers.filter(({ status }) => status !== 200).map(refusal)
  const full = [
    409,
    'CONFLICT',
    'conflict: there are already 10 webhook endpoints in test mode; delete one first',
  ]
  expect(refused).toEqual([full, full, full, full])

  const same = await Promise.all([post(1, 'live'), post(1, 'live'), post(1, 'live')])
  expect(same.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const other = (await call('GET', '/v1/webhook-endpoints?mode=test')).data.items[0]
  await post(2, 'live')
  expect(
    refusal(await call('PATCH', `/v1/webhook-endpoints/${other.id}`, { url: 'ftp://a.example' })),
  ).toEqual([400, 'BAD_REQUEST', 'bad request: url: must begin with https://'])
})

test("a webhook endpoint's deliveries can be filtered by status, type, and payment", async () => {
  const shop = await listener()
  const endpoint = await create({ url: shop.url })
  const { id } = await cancel()
  const paid = await pay()
  await until('both events are delivered', async () => {
    const statuses = await statusesOf(endpoint)
    return statuses.length === 2 && statuses.every(status => status === 'delivered')
  })
  const found = async (query: string) => (await deliveriesOf(endpoint, query)).map(each => each.id)
  const [ofPaid, ofCancelled] = await found('')
  expect(await found('?type=payment.paid')).toEqual([ofPaid])
  expect(await found(`?payment_id=${id}`)).toEqual([ofCancelled])
  expect(await found(`?payment_id=${paid.payment_code.toLowerCase()}`)).toEqual([ofPaid])
  expect(await found('?status=delivered&limit=1')).toEqual([ofPaid])
  expect(await found('?status=permanently_failed')).toEqual([])

  const ofUrl = async (query: string) =>
    (await client('GET', `/v1/webhook-deliveries?mode=test&${query}`)).data.items.map(
      ({ id }: Delivery) => id,
    )
  expect(await ofUrl(`payment_id=${paid.payment_code}`)).toEqual([ofPaid])
  expect((await ofUrl('type=payment.cancelled'))[0]).toBe(ofCancelled)
})

test('a webhook endpoint is hidden from other tenants (404), and its changes are in the audit log', async () => {
  const endpoint = await create({ url: 'http://127.0.0.1:9/' })
  const calls: [string, string, object?][] = [
    ['GET', ''],
    ['PATCH', '', { enabled: false }],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['GET', '/deliveries'],
    ['GET', `/deliveries/${newId()}`],
    ['POST', `/deliveries/${newId()}/redeliver`],
  ]
  // No other tenant may read the webhook endpoints, not even the Owner and the Partner, although they may read
  // other data.
  for (const login of [demo.client2, demo.partner, demo.owner]) {
    const stranger = callsAs(demo, await logIn(demo, login))
    for (const [method, rest, body] of calls)
      expect(refusal(await stranger(method, ofEndpoint(endpoint, rest), body))).toEqual([
        404,
        'NOT_FOUND',
        `not found: webhook endpoint ${endpoint.id} not found`,
      ])
    expect((await stranger('GET', '/v1/webhook-endpoints?mode=all')).data.items).toEqual([])
  }
  await client('PATCH', ofEndpoint(endpoint), { event_types: ['refund.failed'] })
  await client('DELETE', ofEndpoint(endpoint))
  const { items } = (await client('GET', '/v1/audit-log?limit=3')).data
  expect(items).toMatchObject([
    { action: 'webhook_endpoint.delete', subject_id: endpoint.id, after: null },
    {
      action: 'webhook_endpoint.update',
      before: { event_types: [] },
      after: { event_types: ['refund.failed'] },
    },
    { action: 'webhook_endpoint.create', before: null, after: { url: 'http://127.0.0.1:9/' } },
  ])
  expect(JSON.stringify(items)).not.toContain('whsec')
})
