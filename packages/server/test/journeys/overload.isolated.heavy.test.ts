// Tests that the service immediately rejects requests from a caller that exceeds its limits, and that other
// callers are not affected.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownerLimits, totalLimits } from '../../src/http/admission/admission.ts'
import { defaultLimits } from '../../src/limits/limits.ts'
import { testApp } from '../support/app.ts'
import { http, merchantOf, simulate, until } from '../support/merchant.ts'

// The request limits are low, so that a few requests are enough to reach them.
defaultLimits.enterprise.requestsInFlight = 3
totalLimits.merchants.requests = 8
totalLimits.merchants.ofSender = 8
ownerLimits.source = 2

const { app, demo } = await testApp()
const merchant = merchantOf(demo)
const other = merchantOf(demo, demo.client2.test_key)
const authorization = `ApiKey ${demo.client.test_key}`

// Moves all tenants to a tier whose rate limit allows hundreds of requests at once, because these tests send
// that many.
beforeAll(async () => {
  await app.db.raw("update tenants set tier = 'enterprise'")
  await until('the new tier is in use', async () =>
    (await look()).headers.get('ratelimit')?.startsWith('"enterprise"'),
  )
})

/** Starts a request whose body is never completed. */
function begin(path: string, headers: Record<string, string> = { authorization }) {
  const sent = request(demo.base_url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, 'content-length': 100 },
    agent: false,
  })
  const answer = once(sent, 'response').then(([response]) => response as IncomingMessage)
  // The connection may be destroyed before the test awaits the response. This handler prevents an unhandled rejection.
  answer.catch(() => {})
  sent.write('{')
  return { sent, answer }
}
type Begun = ReturnType<typeof begin>

const giveUp = (begun: Begun[]) => {
  for (const { sent } of begun) sent.destroy()
}
const look = () => merchant.call('GET', '/v1/account/balance')
/**
 * Returns how many requests from one kind of sender the service rejected for the given reason, according to
 * /metrics.
 */
async function refusals(from: string, why: string): Promise<number> {
  const text = await (await fetch(`${demo.base_url}/metrics`)).text()
  const [, count] =
    new RegExp(`^gapura_http_refused_total{from="${from}",why="${why}"} (\\d+)$`, 'm').exec(text) ?? []
  return Number(count ?? 0)
}

async function ensureServed() {
  const { status, data } = await merchant.create()
  expect(status).toBe(200)
  expect((await other.create()).status).toBe(200)
  expect(await simulate(demo, data, 'paid')).toMatchObject([{ status: 200 }])
}

async function callbackPath(): Promise<string> {
  const { rows } = await app.db.raw(
    `select id, provider_code from provider_accounts where mode = 'test' order by id limit 1`,
  )
  return `/v1/callbacks/${rows[0].provider_code}/${rows[0].id}`
}

describe('requests whose bodies never end do not block other callers', () => {
  test.each([
    ['at login', '/v1/auth/login', {}],
    ['at login with an encoded path', '/v1/auth/%6Cogin', {}],
    ['at login over tRPC with an encoded path', '/trpc/%61uth.login', {}],
    ['at a dashboard session with an encoded path', '/trpc/session%2Eopen', {}],
    ['at login over tRPC in a batch', '/trpc/payments.get,auth.login?batch=1', {}],
    ['at an unknown path', '/v1/no/such/path', {}],
    ['at the callback address of a provider account', 'callbacks', {}],
    ['with a merchant’s key', '/v1/payments/create', { authorization }],
  ])('600 requests whose bodies never end do not delay other callers: %s', async (_, path, headers) => {
    const at = path === 'callbacks' ? await callbackPath() : path
    const others = Array.from({ length: 600 }, () => begin(at, headers as Record<string, string>))
    await ensureServed()
    await ensureServed()
    giveUp(others)
  })
})

test('a sender with too many incomplete request bodies gets a 429 and a closed connection', async () => {
  const waiting = Array.from({ length: totalLimits.merchants.ofSender + 1 }, () =>
    begin('/v1/payments/create'),
  )
  const response = await Promise.race(waiting.map(({ answer }) => answer))
  expect([response.statusCode, response.headers['retry-after'], response.headers.connection]).toEqual([
    429,
    '1',
    'close',
  ])
  expect(await refusals('merchants', 'body')).toBeGreaterThanOrEqual(1)
  giveUp(waiting)
})

/** Starts requests that stay in flight until the test aborts them. */
async function hold(key: string, count: number): Promise<() => void> {
  const leaving = new AbortController()
  const listen = async () => {
    // This operation responds as soon as there is an event, so the request is sent again after each response.
    while (!leaving.signal.aborted)
      await fetch(`${demo.base_url}/v1/account/webhook/events?wait_seconds=25`, {
        headers: { authorization: `ApiKey ${key}` },
        signal: leaving.signal,
      }).then(
        answer => answer.text(),
        () => {},
      )
  }
  for (let n = 0; n < count; n++) void listen()
  const asks = merchantOf(demo, key)
  await until(
    'the requests are in flight',
    async () => (await asks.call('GET', '/v1/account/balance')).status !== 200,
  )
  return () => leaving.abort()
}

test('a tenant at its limit of requests in flight gets 429 at once, while other tenants are served', async () => {
  const letGo = await hold(demo.client.test_key, defaultLimits.enterprise.requestsInFlight)
  const refused = await look()
  expect(refused).toMatchObject({
    status: 429,
    error: {
      code: 'RATE_LIMITED',
      message:
        'rate limited: too many requests of your tenant are in flight; the request was not processed, retry once another has completed',
    },
  })
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await http('GET', `${demo.base_url}/trpc/account.balance`, { auth: authorization })).status).toBe(
    429,
  )
  expect((await other.create()).status).toBe(200)
  expect(await refusals('merchants', 'own')).toBeGreaterThanOrEqual(1)
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect([path, (await fetch(demo.base_url + path)).status]).toEqual([path, 200])
  letGo()
})

test('a request without a credential is served while another request from the same IP address is incomplete', async () => {
  const { sent } = begin('/v1/auth/login', {})
  expect((await fetch(`${demo.base_url}/openapi.json`)).status).toBe(200)
  sent.destroy()
})
