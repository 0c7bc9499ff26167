// Beyond what it can hold the service says so at once, and keeps what it let in.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { bounds } from '../../src/http/admission.ts'
import { testApp } from '../support/app.ts'
import { anOrder, http, merchantOf, simulate, until } from '../support/merchant.ts'

const { app, demo } = await testApp()
const merchant = merchantOf(demo)

// So many are there before the first has waited too long for its body, on a slow machine, too.
bounds.merchants.requests = 512

const authorization = `ApiKey ${demo.client.test_key}`
// Whom a thousand requests at once are not too many for.
beforeAll(async () => {
  await app.db.raw("update tenants set tier = 'enterprise'")
  await until('it is known', async () => (await look()).headers.get('ratelimit')?.startsWith('"enterprise"'))
})

/** A request whose body is not sent yet. */
function begin(path: string, { bytes = 2, headers = { authorization } as Record<string, string> } = {}) {
  const sent = request(demo.base_url + path, {
    method: 'POST',
    headers: { ...headers, 'content-length': bytes },
    agent: false,
  })
  const answer = once(sent, 'response') as Promise<[IncomingMessage]>
  // Given up, if nobody asks.
  answer.catch(() => {})
  sent.flushHeaders()
  return { sent, answer }
}
type Begun = ReturnType<typeof begin>

async function end({ sent, answer }: Begun, body: string) {
  sent.end(body)
  const [response] = await answer
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, json: JSON.parse(text) }
}
const giveUp = (begun: Begun[]) => {
  for (const { sent } of begun) sent.destroy()
}

const body = JSON.stringify(anOrder())
const order = (key: string) => ({
  body,
  bytes: Buffer.byteLength(body),
  headers: {
    authorization,
    'content-type': 'application/json',
    'x-idempotency-key': key,
  },
})

const refused = {
  status: 503,
  error: {
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringMatching(/^service unavailable: .*; nothing was done, try again$/),
  },
}
const look = () => merchant.call('GET', '/v1/account/balance')
/** How many were refused, as /metrics tells. */
async function refusals(from: string, why: string): Promise<number> {
  const text = await (await fetch(`${demo.base_url}/metrics`)).text()
  const [, count] =
    new RegExp(`^gapura_http_refused_total{from="${from}",why="${why}"} (\\d+)$`, 'm').exec(text) ?? []
  return Number(count ?? 0)
}
const isRefused = async () => (await look()).status === 503

describe('while as many requests are under way as may be', () => {
  test('the next is refused before its body is sent, and what was let in is answered', async () => {
    const { body, ...options } = order('let-in')
    const letIn = begin('/v1/payments/create', options)
    const others = [...Array(bounds.merchants.requests - 1)].map(() => begin('/v1/payments/create'))
    await until('there is no more room', isRefused)
    const late = begin('/v1/payments/create', options)
    const [answer] = await late.answer
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
    expect(await look()).toMatchObject(refused)
    expect((await http('POST', `${demo.base_url}/trpc/account.balance`)).status).toBe(503)
    expect(await refusals('merchants', 'requests')).toBeGreaterThanOrEqual(3)
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect([path, (await fetch(demo.base_url + path)).status]).toEqual([path, 200])

    const { status, json } = await end(letIn, body)
    expect([status, json.data?.status]).toEqual([200, 'pending'])
    giveUp([...others, late])
    await until('there is room again', async () => !(await isRefused()))
  })

  test('money that arrives is taken in all the same', async () => {
    const { data } = await merchant.create()
    const others = [...Array(bounds.merchants.requests)].map(() => begin('/v1/payments/create'))
    await until('there is no more room', isRefused)
    expect(await simulate(demo, data, 'paid')).toMatchObject([{ status: 200 }])
    giveUp(others)
    await until('it is paid', async () => (await merchant.get(data.id)).data?.status === 'paid')
  })
})

test('providers that call more often than may be are refused, and merchants served', async () => {
  const { data } = await merchant.create()
  const { rows } = await app.db.raw(
    'select provider, provider_account_id as account from payments where id = ?',
    [data.id],
  )
  const path = `/v1/callbacks/${rows[0].provider}/${rows[0].account}`
  const others = [...Array(bounds.providers.requests)].map(() => begin(path))
  await until('there is no more room', async () => (await fetch(demo.base_url + path)).status === 503)
  expect((await look()).status).toBe(200)
  expect(await refusals('providers', 'requests')).toBeGreaterThanOrEqual(1)
  giveUp(others)
  await until('there is room again', async () => (await fetch(demo.base_url + path)).status !== 503)
})

test('strangers who log in more often than may be are refused, as are other strangers, and nobody else is', async () => {
  const path = '/v1/auth/login'
  const others = [...Array(bounds.strangers.requests)].map(() => begin(path, { headers: {} }))
  await until('there is no more room', async () => (await http('POST', demo.base_url + path)).status === 503)
  expect((await fetch(`${demo.base_url}/qr/GP261120-7Q4M2ZK8XW.svg`)).status).toBe(503)
  expect((await look()).status).toBe(200)
  const { data } = await merchant.create()
  expect(await simulate(demo, data, 'paid')).toMatchObject([{ status: 200 }])
  giveUp(others)
  await until('there is room again', async () => (await http('POST', demo.base_url + path)).status !== 503)
})

test('bodies that are more than may be held are not begun with', async () => {
  const large = { bytes: 256 * 1024 }
  const others = [...Array(bounds.merchants.bytes / large.bytes)].map(() =>
    begin('/v1/payments/create', large),
  )
  const next = async () => {
    const one = begin('/v1/payments/create', large)
    const isRefused = await Promise.race([one.answer.then(() => true), look().then(() => false)])
    if (!isRefused) giveUp([one])
    return isRefused
  }
  await until('there is no more room', next)
  expect(await refusals('merchants', 'bytes')).toBeGreaterThanOrEqual(1)
  expect((await look()).status).toBe(200)
  giveUp(others)
})
