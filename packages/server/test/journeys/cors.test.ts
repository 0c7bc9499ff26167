import { type Logger, pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { createTenant } from '../../src/tenants/create-tenant.ts'
import { type TestApp, testApp } from '../support/app.ts'

const lines: string[] = []
let { app, demo }: TestApp = {} as TestApp

beforeAll(async () => {
  const log = pino({ base: null }, { write: line => void lines.push(line) }) as Logger
  ;({ app, demo } = await testApp({ worker: false, overrides: { log } }))
})

const origin = 'https://shop.example.com'
const payments = '/v1/payments?limit=1'
const missing = '/v1/payments/019a0000-0000-7000-8000-000000000000'

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${demo.base_url}${path}`, { method, headers: { origin, ...headers } })

const preflight = (path: string, method: string, headers = 'authorization') =>
  ask('OPTIONS', path, { 'access-control-request-method': method, 'access-control-request-headers': headers })

const corsHeadersOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

const readable = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Request-Id, Retry-After, Idempotency-Replayed, RateLimit, RateLimit-Policy',
}

test('a web page of another origin can read responses to requests with an API key or token', async () => {
  const read = await ask('GET', payments, { authorization: `ApiKey ${demo.client.test_key}` })
  expect([read.status, corsHeadersOf(read)]).toEqual([200, readable])
  const document = await ask('GET', '/openapi.json')
  expect([document.status, corsHeadersOf(document)]).toEqual([200, readable])
})

test('a web page from another origin can read the error for a rejected request', async () => {
  const authorization = `ApiKey ${demo.client.test_key}`
  const refused = [
    [401, await ask('GET', payments)],
    [400, await ask('GET', '/v1/payments?limit=0', { authorization })],
    [404, await ask('GET', missing, { authorization })],
    [404, await ask('GET', '/v1/nowhere')],
    [405, await ask('GET', '/v1/payments/create')],
  ] as const
  for (const [status, answer] of refused) {
    expect([answer.status, corsHeadersOf(answer)]).toEqual([status, readable])
    expect(answer.headers.get('x-request-id')).toBeTruthy()
  }
})

test('a CORS preflight for GET needs no credential, and the browser may cache its response', async () => {
  const answer = await preflight(payments, 'GET', 'authorization,accept,x-request-id')
  expect([answer.status, await answer.text(), corsHeadersOf(answer)]).toEqual([
    204,
    '',
    {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'Authorization, Accept, X-Request-Id',
      'access-control-max-age': '86400',
    },
  ])
})

test('a CORS preflight request with an API key is not rejected because of a rate limit', async () => {
  const shop = { name: 'small shop', role: 'client', tier: 'starter', parentId: null } as const
  const { id } = await createTenant(app, null, shop)
  const { key } = await createApiKey(app, null, id, { name: 'page', mode: 'test' })
  // Sends three times as many requests as the tier's rate limit allows in one burst.
  const answers = await Promise.all(
    Array.from({ length: 300 }, () =>
      ask('OPTIONS', payments, { 'access-control-request-method': 'GET', authorization: `ApiKey ${key}` }),
    ),
  )
  expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([204]))
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a CORS preflight for %s is rejected', async method => {
  for (const path of ['/v1/payments/create', payments, '/v1/account/webhook', missing]) {
    const answer = await preflight(path, method)
    expect([answer.status, corsHeadersOf(answer)]).toEqual([405, {}])
  }
})

test('only GET requests to /v1 and /openapi.json, and CORS preflights for them, get CORS headers', async () => {
  const others = [
    ask('POST', '/v1/payments/create', { authorization: `ApiKey ${demo.client.test_key}` }),
    ask('POST', '/v1/auth/login'),
    ask('OPTIONS', payments),
    ask('GET', '/healthz'),
    ask('GET', '/readyz'),
    ask('GET', '/metrics'),
    ask('GET', '/.well-known/jwks.json'),
    ask('GET', '/trpc/payments.list'),
    preflight('/trpc/payments.list', 'GET'),
    preflight('/v1', 'GET'),
    preflight('/openapi.json', 'POST'),
  ]
  for (const answer of await Promise.all(others))
    expect([answer.url, corsHeadersOf(answer)]).toEqual([answer.url, {}])
})

test('a CORS preflight is logged like any other request', async () => {
  lines.length = 0
  const answer = await preflight(payments, 'GET')
  expect(lines.map(line => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'request', method: 'OPTIONS', status: 204 }),
  ])
  expect(answer.headers.get('x-request-id')).toBeTruthy()
})
