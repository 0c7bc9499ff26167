// Tests the API key that a dashboard session gets for creating test payments: what this key may do, and when it
// stops working.

import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { AppRouter } from '../../src/router.ts'
import { newId } from '../../src/values/id.ts'
import { testApp } from '../support/app.ts'
import { http, logIn, merchantOf, until } from '../support/merchant.ts'
import { anOrder } from '../support/order.ts'
import { usersOf } from '../support/user.ts'

const service = await testApp({ worker: false })
const { app, demo } = service
const users = usersOf(service)

const callsOf = (authorization: string) =>
  createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${demo.base_url}/trpc`, headers: { authorization } })],
  })

type Session = { access_token: string; refresh_token: string }
const openSession = async (): Promise<Session> => (await users.logIn(demo.client)).data
const keyOf = async ({ access_token }: Session): Promise<string> =>
  (await callsOf(`Bearer ${access_token}`).keys.createForSession.mutate()).key

let session: Session
let key: string
let merchant: ReturnType<typeof merchantOf>
beforeAll(async () => {
  session = await openSession()
})
beforeEach(async () => {
  key = await keyOf(session)
  merchant = merchantOf(demo, key)
})

test('a dashboard session’s API key creates and reads test payments, over REST and over tRPC', async () => {
  const { status, data } = await merchant.create()
  expect([status, data.status]).toEqual([200, 'pending'])
  expect((await merchant.get(data.id)).data).toEqual(data)
  expect((await merchantOf(demo).get(data.id)).data).toEqual(data)
  expect((await merchantOf(demo, demo.client.live_key).get(data.id)).status).toBe(404)

  const byKey = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${demo.base_url}/trpc`,
        headers: { authorization: `ApiKey ${key}`, 'x-idempotency-key': newId() },
      }),
    ],
  })
  const payment = await byKey.payments.create.mutate(anOrder() as never)
  const { rows } = await app.db.raw('select tenant_id, mode from payments where id = ?', [payment.id])
  expect(rows).toEqual([{ tenant_id: demo.client.tenant_id, mode: 'test' }])
  expect(await byKey.payments.create.mutate(anOrder() as never)).toEqual(payment)
})

test.each([
  ['list payments', 'GET', () => '/v1/payments'],
  ['cancel a payment', 'POST', (id: string) => `/v1/payments/${id}/cancel`],
  ['read the ledger of a payment', 'GET', (id: string) => `/v1/payments/${id}/ledger`],
  ['read the timeline of a payment', 'GET', (id: string) => `/v1/payments/${id}/timeline`],
  ['read the balance', 'GET', () => '/v1/account/balance'],
  ['list channels', 'GET', () => '/v1/active-methods'],
  ['listen for webhooks', 'GET', () => '/v1/account/webhook/events?wait_seconds=0'],
])(
  'the API key of a dashboard session can create only test payments and cannot %s',
  async (_, method, path) => {
    const { data } = await merchant.create()
    const { status, error } = await merchant.call(method, path(data.id))
    expect([status, error?.code, error?.message]).toEqual([
      403,
      'FORBIDDEN',
      'forbidden: this API key of the dashboard can only create its test payments; use an API key of your own',
    ])
  },
)

test('a dashboard session’s API key stops working when the session ends', async () => {
  const other = await openSession()
  const shop = merchantOf(demo, await keyOf(other))
  expect((await shop.create()).status).toBe(200)
  await users.post('logout', { refresh_token: other.refresh_token })
  const refused = await until('the key is rejected', async () => {
    const answer = await shop.create()
    return answer.status === 401 && answer
  })
  expect(refused.error.message).toBe('unauthorized: the API key is invalid or revoked')
})

test('a request with a dashboard session’s API key is rejected after the key has expired', async () => {
  await app.db.raw('update session_keys set expires_at = now() where key_hash = ?', [app.secrets.hash(key)])
  expect((await merchant.create()).status).toBe(401)
})

test('the API key that a dashboard session gets for test payments expires five minutes after its creation', async () => {
  const { rows } = await app.db.raw(
    'select distinct extract(epoch from expires_at - created_at)::integer as seconds from session_keys where key_hash = ?',
    [app.secrets.hash(key)],
  )
  expect(rows).toEqual([{ seconds: 300 }])
})

test('the list of API keys leaves out the key of a dashboard session', async () => {
  const auth = `Bearer ${session.access_token}`
  const { data: keys } = await http('GET', `${demo.base_url}/v1/account/api-keys?limit=100`, { auth })
  expect(keys.items.length).toBeGreaterThan(0)
  expect(JSON.stringify(keys)).not.toContain(key.slice(0, 12))
  const { data, text } = await http('GET', `${demo.base_url}/v1/audit-log?action=session_key.create`, {
    auth,
  })
  expect(data.items[0]).toMatchObject({
    tenant_id: demo.client.tenant_id,
    actor_email: demo.client.email,
    after: { mode: 'test', expires_in: 300 },
  })
  expect(text).not.toContain(key.slice(8))
})

test.each([
  ['a Partner', () => logIn(demo, demo.partner), 'FORBIDDEN', 403],
  ['the Owner', () => logIn(demo, demo.owner), 'FORBIDDEN', 403],
  ['an API key', async () => `ApiKey ${demo.client.test_key}`, 'UNAUTHORIZED', 401],
  ['a session key itself', async () => `ApiKey ${key}`, 'UNAUTHORIZED', 401],
  ['an anonymous caller', async () => '', 'UNAUTHORIZED', 401],
])('%s cannot create an API key for a dashboard session', async (_, authorization, code, httpStatus) => {
  const calls = callsOf(await authorization())
  await expect(calls.keys.createForSession.mutate()).rejects.toMatchObject({ data: { code, httpStatus } })
})

test('an access token cannot create a payment, whether over REST or tRPC, in any mode', async () => {
  const auth = `Bearer ${session.access_token}`
  const headers = { 'x-idempotency-key': newId() }
  const byRest = await http('POST', `${demo.base_url}/v1/payments/create`, { auth, headers, body: anOrder() })
  expect([byRest.status, byRest.error.code]).toEqual([401, 'UNAUTHORIZED'])
  for (const name of ['create', 'createTest']) {
    const response = await fetch(`${demo.base_url}/trpc/payments.${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: auth, ...headers },
      body: JSON.stringify({ ...anOrder(), idempotency_key: newId() }),
    })
    expect([name, response.status]).toEqual([name, name === 'create' ? 401 : 404])
  }
})
