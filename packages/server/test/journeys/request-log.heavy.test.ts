// Tests the request log over HTTP: which requests and fields it contains, what it never contains, and who can read
// it.

import { expect, test } from 'vitest'
import { requestLogMetrics } from '../../src/request-log/request-log-metrics.ts'
import { newId } from '../../src/values/id.ts'
import { testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { type Answer, http, logIn, merchantOf, until } from '../support/merchant.ts'

const { app, demo } = await testApp({ worker: false })
const merchant = merchantOf(demo)

const log = (query = '', key = demo.client.test_key): Promise<Answer> =>
  merchantOf(demo, key).call('GET', `/v1/account/requests${query}`)
const read = (requestId: string, key = demo.client.test_key): Promise<Answer> => log(`/${requestId}`, key)
const logged = (requestId: string) =>
  until(`request ${requestId} is in the request log`, async () => {
    const { status, data } = await read(requestId)
    return status === 200 ? data : undefined
  })

/** Sends a request with a new request id and returns that id. */
async function send(
  method: string,
  path: string,
  { key = demo.client.test_key, headers = {}, body }: { key?: string; headers?: object; body?: object } = {},
): Promise<string> {
  const requestId = newId()
  await http(method, demo.base_url + path, {
    auth: `ApiKey ${key}`,
    headers: { 'x-request-id': requestId, ...headers },
    ...(body && { body }),
  })
  return requestId
}

test('a request that created a payment is logged with the payment, the API key, and the idempotency key', async () => {
  const { data: payment, headers } = await merchant.create({}, 'log-1')
  const requestId = headers.get('x-request-id') as string
  expect(await logged(requestId)).toEqual({
    id: expect.any(String),
    request_id: requestId,
    mode: 'test',
    api_key_id: expect.any(String),
    api_key_name: expect.any(String),
    method: 'POST',
    route: '/v1/payments/create',
    path: '/v1/payments/create',
    status: 200,
    error_code: null,
    error_field: null,
    idempotency_key: 'log-1',
    duration_ms: expect.any(Number),
    client_address: '127.0.0.1',
    user_agent: expect.any(String),
    payment_id: payment.id,
    payment_code: payment.payment_code,
    created_at: expect.any(String),
  })
})

test('a failed request is logged with its error code and the field that caused the error', async () => {
  const id = await send('POST', '/v1/payments/create', {
    headers: { 'x-idempotency-key': 'log-2' },
    body: { amount: -1, currency: 'IDR', method_type: 'qris', method_detail: { type: 'qris' } },
  })
  expect(await logged(id)).toMatchObject({ status: 400, error_code: 'BAD_REQUEST', error_field: 'amount' })
})

test('the request log contains no secret and no payer data, wherever a client puts them in a request', async () => {
  const secrets = {
    key: demo.client.test_key,
    jwt: `eyJhbGciOiJSUzI1NiJ9.${'c'.repeat(20)}.${'d'.repeat(20)}`,
    webhook: `whsec_${'s'.repeat(24)}`,
    signature: 'a5'.repeat(32),
    payer: 'Siti Rahayu',
    email: 'siti.rahayu@example.com',
    phone: '081298765432',
  }
  const all = Object.values(secrets)
  const placed = {
    'user-agent': `shop/1 ApiKey ${secrets.key} ${secrets.jwt} ${secrets.webhook} sha256=${secrets.signature} ${secrets.email}`,
    'x-idempotency-key': `k-${secrets.key}-${secrets.email}`,
    'x-forwarded-for': secrets.email,
    cookie: `session=${secrets.jwt}`,
    'x-service-signature': `sha256=${secrets.signature}`,
  }
  const ids = [
    await send('POST', '/v1/payments/create', {
      headers: placed,
      body: {
        amount: 1_000_000,
        currency: 'IDR',
        method_type: 'qris',
        method_detail: { type: 'qris', [secrets.key]: secrets.jwt },
        customer_name: secrets.payer,
        customer_email: secrets.email,
        customer_phone: secrets.phone,
        items: [{ id: secrets.webhook, name: secrets.payer, price: 1, quantity: 1 }],
      },
    }),
    await send('GET', `/v1/payments?q=${encodeURIComponent(secrets.payer)}&cursor=${secrets.key}`, {
      headers: placed,
    }),
  ]
  for (const value of all) ids.push(await send('GET', `/v1/payments/${encodeURIComponent(value)}`))
  for (const id of ids) await logged(id)
  await send('GET', '/v1/payments', { headers: { 'x-request-id': secrets.key } })
  await until(
    'the request whose id was an API key is logged',
    async () => (await log()).data.items[0].request_id === '[redacted]',
  )

  const { rows } = await app.db.raw('select to_jsonb(r)::text as row from api_requests r')
  expect(rows.length).toBeGreaterThan(all.length)
  const text = rows.map(({ row }: { row: string }) => row).join('\n')
  for (const value of all) expect(text).not.toContain(value)
  expect((await read(ids[0] as string)).data.user_agent).toMatch(/^shop\/1 \[redacted]/)
  expect((await read(ids[2] as string)).data.path).toBe('/v1/payments/{payment_id}')
})

test('the request log shows a tenant only its own requests, and an API key only those in its mode', async () => {
  const mine = await send('GET', '/v1/payments')
  const theirs = await send('GET', '/v1/payments', { key: demo.client2.test_key })
  const live = await send('GET', '/v1/payments', { key: demo.client.live_key })
  await until('all requests are logged', async () => {
    const { rows } = await app.db.raw('select from api_requests where request_id = any(?)', [
      [mine, theirs, live],
    ])
    return rows.length === 3
  })
  const statuses = async (id: string) =>
    Promise.all(
      [demo.client.test_key, demo.client.live_key, demo.client2.test_key].map(
        async key => (await read(id, key)).status,
      ),
    )
  expect(await statuses(mine)).toEqual([200, 404, 404])
  expect(await statuses(live)).toEqual([404, 200, 404])
  expect(await statuses(theirs)).toEqual([404, 404, 200])
  expect((await log('?mode=live')).status).toBe(403)
  const user = await logIn(demo, demo.client)
  const modesOf = async (query: string) => {
    const { data } = await http('GET', `${demo.base_url}/v1/account/requests?limit=100${query}`, {
      auth: user,
    })
    return [...new Set(data.items.map(({ mode }: { mode: string }) => mode))].sort()
  }
  expect(await modesOf('')).toEqual(['live'])
  expect(await modesOf('&mode=all')).toEqual(['live', 'test'])
})

test("the request log omits users' requests, requests without a valid API key, and reads of the log", async () => {
  const user = await logIn(demo, demo.client)
  await http('GET', `${demo.base_url}/v1/payments`, { auth: user, headers: { 'x-request-id': 'of-a-user' } })
  await send('GET', '/v1/payments', { key: 'gp_test_wrong', headers: { 'x-request-id': 'wrong-key' } })
  await send('GET', '/v1/account/requests', { headers: { 'x-request-id': 'reads-the-log' } })
  await logged(await send('GET', '/v1/payments'))
  for (const id of ['of-a-user', 'wrong-key', 'reads-the-log']) {
    const { rows } = await app.db.raw('select from api_requests where request_id = ?', [id])
    expect([id, rows.length]).toEqual([id, 0])
  }
})

test('while the request log cannot be written, requests succeed, and logging resumes once it can be written again', async () => {
  await asOwner(app.db, owner => owner.raw('alter table api_requests rename to api_requests_away'))
  const { status } = await merchant.create({}, 'log-away')
  await until('the failed write of the log is counted', async () => {
    const { values } = await requestLogMetrics.dropped.get()
    return values.some(({ labels, value }) => labels.why === 'failed' && value > 0)
  })
  await asOwner(app.db, owner => owner.raw('alter table api_requests_away rename to api_requests'))
  expect(status).toBe(200)
  await logged(await send('GET', '/v1/payments'))
})

test('the request log can be filtered by status, status class, method, path, and time', async () => {
  const since = new Date().toISOString()
  const found = await send('GET', '/v1/payments')
  const missing = await send('GET', `/v1/payments/${newId()}`)
  const cancel = await send('POST', `/v1/payments/${newId()}/cancel`)
  for (const id of [found, missing, cancel]) await logged(id)
  const ids = async (query: string) =>
    (await log(`?from=${since}&${query}`)).data.items.map((item: { request_id: string }) => item.request_id)
  expect(await ids('')).toEqual([cancel, missing, found])
  expect(await ids('status=2xx')).toEqual([found])
  expect(await ids('status=404')).toEqual([cancel, missing])
  expect(await ids('status=5xx')).toEqual([])
  expect(await ids('method=POST')).toEqual([cancel])
  expect(await ids('path=/v1/payments/')).toEqual([cancel, missing])
  expect(await ids('path=/v1/payments/{payment_id}/cancel')).toEqual([cancel])
  expect(await ids(`to=${since}`)).toEqual([])
  for (const query of ['status=abc', 'status=600', 'method=FETCH', 'from=yesterday', 'cursor=no'])
    expect([query, (await log(`?${query}`)).status]).toEqual([query, 400])
})

test('pages of the request log contain each request once, even while new requests are logged', async () => {
  const sent: string[] = []
  for (let n = 0; n < 5; n++) sent.unshift(await send('GET', '/v1/active-methods'))
  await logged(sent[0] as string)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { data } = await log(`?path=/v1/active-methods&limit=2${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...data.items.map((item: { request_id: string }) => item.request_id))
    cursor = data.next_cursor
    await logged(await send('GET', '/v1/active-methods'))
  } while (cursor !== null)
  expect(seen).toEqual(sent)
})
