import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, test, vi } from 'vitest'
import { order } from '../test/order.ts'
import { aPayment, breakOff, failure, hangUp, json, ok, service, stall } from '../test/service.ts'
import { Gapura, type GapuraOptions, ProviderError, RateLimitedError } from './index.ts'

type Settings = Pick<GapuraOptions, 'fetch' | 'maxRetries' | 'timeoutMs'>
const client = (baseUrl: string, options: Settings = {}) =>
  new Gapura({ apiKey: 'gp_test_key', baseUrl, ...options })

// In these tests, retries have no jitter: a retry starts immediately, or exactly after the Retry-After time.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  return () => vi.restoreAllMocks()
})

test.each([
  ['a broken connection', hangUp],
  ['a response that ends midway', breakOff],
  ["a proxy's 408", json(408, { message: 'Request Timeout' })],
  ['a 500', failure(500, 'INTERNAL_ERROR', 'internal error: req-1')],
  ['a 503', failure(503, 'SERVICE_UNAVAILABLE', 'service unavailable: no database')],
  ['a 429', failure(429, 'RATE_LIMITED', 'rate limited: slow down', { 'retry-after': '0' })],
  ["a proxy's 502", json(502, { message: 'Bad Gateway' })],
  [
    'a 409 because the first request is still in flight',
    failure(409, 'IDEMPOTENCY_CONFLICT', 'idempotency conflict: it is still running', { 'retry-after': '0' }),
  ],
])('a create call is retried after %s, and every attempt has the same idempotency key', async (_, answer) => {
  const { baseUrl, asked } = await service(answer, answer, ok(aPayment))
  expect(await client(baseUrl).payments.create(order)).toEqual(aPayment)
  expect(asked).toHaveLength(3)
  expect(new Set(asked.map(each => each.headers['x-idempotency-key'])).size).toBe(1)
  expect(new Set(asked.map(each => each.body)).size).toBe(1)
})

test('a request whose response body never ends times out and is retried', async () => {
  const { baseUrl, asked } = await service(stall, ok(aPayment))
  expect(await client(baseUrl, { timeoutMs: 1_000 }).payments.create(order)).toEqual(aPayment)
  expect(asked).toHaveLength(2)
  expect(asked[1]?.headers['x-idempotency-key']).toBe(asked[0]?.headers['x-idempotency-key'])
})

test.each([
  [400, 'BAD_REQUEST', 'bad request: amount: must be greater than zero'],
  [401, 'UNAUTHORIZED', 'unauthorized: invalid API key'],
  [403, 'FORBIDDEN', 'forbidden: the tenant is suspended'],
  [404, 'NOT_FOUND', 'not found: payment 1 not found'],
  [409, 'IDEMPOTENCY_CONFLICT', 'idempotency conflict: used with a different body'],
  [502, 'PROVIDER_ERROR', 'provider error [midtrans]: Payment channel is not activated.'],
])(
  'a create call is not retried after an error response with status %i and code %s',
  async (status, code, message) => {
    const { baseUrl, asked } = await service(failure(status, code, message), ok(aPayment))
    await expect(client(baseUrl).payments.create(order)).rejects.toMatchObject({ status, code, message })
    expect(asked).toHaveLength(1)
  },
)

test("if the first attempt and two retries fail, the last attempt's error is thrown", async () => {
  const { baseUrl, asked } = await service(
    failure(503, 'SERVICE_UNAVAILABLE', 'service unavailable: stopping'),
  )
  await expect(client(baseUrl).account.getBalance()).rejects.toMatchObject({
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
  })
  expect(asked).toHaveLength(3)
})

test('a client with maxRetries 0 makes one attempt', async () => {
  const { baseUrl, asked } = await service(hangUp)
  await expect(client(baseUrl, { maxRetries: 0 }).account.getBalance()).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
  })
  expect(asked).toHaveLength(1)
})

test.each([
  ['seconds', () => '7', [6_999, 7_001]],
  ['a fraction of seconds', () => '1.5', [1_499, 1_501]],
  ['a date', () => new Date(Date.now() + 30_000).toUTCString(), [28_000, 30_000]],
  ['an invalid value, which counts as zero', () => 'soon', [-1, 1]],
])(
  'a Retry-After header with %s delays the retry by the specified time plus jitter',
  async (_, value, [least = 0, most = 0]) => {
    const waits = notWaiting()
    const fetch = async () =>
      Response.json(
        { success: false, error: { code: 'RATE_LIMITED', message: 'rate limited: slow down' } },
        { status: 429, headers: { 'retry-after': value() } },
      )
    const call = async (drawn: number) => {
      waits.length = 0
      vi.mocked(Math.random).mockReturnValue(drawn)
      await client('http://127.0.0.1:1', { fetch, maxRetries: 1, timeoutMs: 12_345 })
        .account.getBalance()
        .catch(() => {})
      return waits[0] ?? Number.NaN
    }
    const asked = await call(0)
    expect(asked).toBeGreaterThan(least)
    expect(asked).toBeLessThan(most)
    expect(await call(0.5)).toBeGreaterThan(least + 250)
  },
)

test('if maxRetries is not a number, a client makes one attempt instead of retrying endlessly', async () => {
  const { baseUrl, asked } = await service(failure(503, 'SERVICE_UNAVAILABLE', 'service unavailable'))
  await expect(client(baseUrl, { maxRetries: Number.NaN }).account.getBalance()).rejects.toMatchObject({
    status: 503,
  })
  expect(asked).toHaveLength(1)
})

test('an error contains the number of attempts made', async () => {
  const { baseUrl } = await service(failure(503, 'SERVICE_UNAVAILABLE', 'service unavailable'))
  await expect(client(baseUrl).account.getBalance()).rejects.toMatchObject({ attempts: 3 })
  await expect(client(baseUrl, { maxRetries: 0 }).account.getBalance()).rejects.toMatchObject({ attempts: 1 })
})

test('the SDK does not retry if Retry-After exceeds a minute, and the error contains this time', async () => {
  const { baseUrl, asked } = await service(
    failure(429, 'RATE_LIMITED', 'rate limited: slow down', {
      'retry-after': new Date(Date.now() + 3_600_000).toUTCString(),
    }),
  )
  const error = await client(baseUrl)
    .account.getBalance()
    .catch(error => error)
  expect(error).toBeInstanceOf(RateLimitedError)
  expect(error.retryAfterMs).toBeGreaterThan(3_590_000)
  expect(asked).toHaveLength(1)
})

/**
 * Replaces setTimeout, so that these tests do not wait. Delays between attempts are recorded and end immediately. The
 * timeout of an attempt, 12,345 ms in these tests, never fires.
 */
function notWaiting(): number[] {
  const waits: number[] = []
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms: number) => {
    if (ms !== 12_345) {
      waits.push(ms)
      queueMicrotask(act)
    }
    return 0
  }) as typeof setTimeout)
  return waits
}

test('the delay before each retry is random, up to a maximum that grows with each retry', async () => {
  const waits = notWaiting()
  const fetch = () => Promise.reject(new TypeError('fetch failed'))
  const waitsWith = async (drawn: number) => {
    waits.length = 0
    vi.mocked(Math.random).mockReturnValue(drawn)
    await client('http://127.0.0.1:1', { fetch, maxRetries: 6, timeoutMs: 12_345 })
      .account.getBalance()
      .catch(() => {})
    return [...waits]
  }
  expect(await waitsWith(0)).toEqual([0, 0, 0, 0, 0, 0])
  expect(await waitsWith(0.5)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000])
})

test('if a create call fails, its error contains the idempotency key to use for a retry', async () => {
  const { baseUrl, asked } = await service(
    failure(502, 'PROVIDER_ERROR', 'provider error [midtrans]: no answer; repeat the request'),
    ok(aPayment),
  )
  const gapura = client(baseUrl)
  const error = await gapura.payments.create(order).catch(error => error)
  expect(error).toBeInstanceOf(ProviderError)
  await gapura.payments.create(order, { idempotencyKey: error.idempotencyKey })
  expect(asked[1]?.headers['x-idempotency-key']).toBe(asked[0]?.headers['x-idempotency-key'])
})

test('if no service is reachable, the error names the address and the reason', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise(resolve => server.close(resolve))
  await expect(client(baseUrl).account.getBalance()).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    status: undefined,
    message: expect.stringMatching(`no response from ${baseUrl}: .*ECONNREFUSED`),
  })
})

test('the message of a ConnectionError is one line, even if TLS reports its reason with a line break', async () => {
  const cause = new Error('wrong version number:../ssl/record/tlsany_meth.c:78:\n')
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }))
  const error = await client('https://pay.example.com', { fetch, maxRetries: 0 })
    .account.getBalance()
    .catch(e => e)
  expect(error.message).toMatch(/tlsany_meth\.c:78:$/)
})

test("the message of a ConnectionError contains its cause's error code, even a numeric code", async () => {
  const cause = Object.assign(new Error(), { code: 20 })
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }))
  const call = client('https://pay.example.com', { fetch, maxRetries: 0 }).account.getBalance()
  await expect(call).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringMatching(/: 20$/),
  })
})

const refused = () =>
  Promise.reject(
    new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }),
  )

test('the SDK retries a management change if the request did not reach the service', async () => {
  let tries = 0
  const fetch = () => {
    tries++
    return refused()
  }
  const create = client('http://127.0.0.1:1', { fetch }).tenants.create({ name: 'Toko Budi' })
  await expect(create).rejects.toMatchObject({ code: 'CONNECTION_FAILED', outcomeUnknown: false })
  expect(tries).toBe(3)
})

test('a management change, such as redelivering webhooks, is retried after a 429', async () => {
  const limited = failure(429, 'RATE_LIMITED', 'rate limited: slow down')
  const { baseUrl, asked } = await service(limited, ok({ redelivered: 1 }))
  const { redelivered } = await client(baseUrl).webhookDeliveries.redeliverFailed({
    since: '2026-11-20T00:00:00Z',
  })
  expect(redelivered).toBe(1)
  expect(asked).toHaveLength(2)
})

test.each([
  ['a broken connection', hangUp],
  ['a response that ends midway', breakOff],
  ['a response that never ends', stall],
  ["a proxy's 408", json(408, { message: 'Request Timeout' })],
  ['a 500', failure(500, 'INTERNAL_ERROR', 'internal error: req-1')],
  ['a 503', failure(503, 'SERVICE_UNAVAILABLE', 'service unavailable: the database was lost')],
  ["a proxy's 503", json(503, { message: 'Service Unavailable' })],
  ['a successful response that cannot be read', json(200, 'Welcome to the hotel')],
])(
  'a management change without an idempotency key is not retried after %s, and its error says that its outcome is unknown',
  async (_, answer) => {
    const { baseUrl, asked } = await service(answer, ok({}))
    const timeoutMs = answer === stall ? 1_000 : 60_000
    const revoke = client(baseUrl, { timeoutMs }).apiKeys.revoke('tenant', 'key')
    await expect(revoke).rejects.toMatchObject({ outcomeUnknown: true })
    expect(asked).toHaveLength(1)
  },
)

test.each([
  ['a broken connection', hangUp],
  ['a response that ends midway', breakOff],
  ["a proxy's 408", json(408, { message: 'Request Timeout' })],
  ['a 500', failure(500, 'INTERNAL_ERROR', 'internal error: req-1')],
  ["a proxy's 503", json(503, { message: 'Service Unavailable' })],
  [
    'a 409 because the first request is still in progress',
    failure(409, 'IDEMPOTENCY_CONFLICT', 'idempotency conflict: it is still running', { 'retry-after': '0' }),
  ],
])(
  'if a management call, such as creating a tenant, fails because of %s, the SDK retries it with the same generated idempotency key',
  async (_, answer) => {
    const { baseUrl, asked } = await service(answer, answer, ok({ id: 'tenant' }))
    expect(await client(baseUrl).tenants.create({ name: 'Toko Buku' })).toEqual({ id: 'tenant' })
    expect(asked).toHaveLength(3)
    const keys = new Set(asked.map(each => each.headers['x-idempotency-key']))
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
  },
)

test('each of two identical management calls (such as creating a tenant) gets its own idempotency key', async () => {
  const { baseUrl, asked } = await service(ok({ id: '1' }), ok({ id: '2' }))
  const { tenants } = client(baseUrl)
  await tenants.create({ name: 'Toko Buku' })
  await tenants.create({ name: 'Toko Buku' })
  expect(new Set(asked.map(each => each.headers['x-idempotency-key'])).size).toBe(2)
})

test('if all attempts of a management request fail, the error reports an unknown outcome', async () => {
  const { baseUrl, asked } = await service(hangUp, hangUp, hangUp)
  await expect(client(baseUrl).tenants.create({ name: 'Toko Buku' })).rejects.toMatchObject({
    outcomeUnknown: true,
    attempts: 3,
  })
  expect(asked).toHaveLength(3)
})

test('a token refresh whose response was lost is retried, and the session continues', async () => {
  const login = { access_token: 'a', refresh_token: 'r2', token_type: 'Bearer', expires_in: 900 }
  const { baseUrl, asked } = await service(breakOff, ok(login))
  expect(await client(baseUrl).auth.refresh('r1')).toEqual(login)
  expect(asked.map(each => JSON.parse(each.body))).toEqual([{ refresh_token: 'r1' }, { refresh_token: 'r1' }])
})
