// Tests that the responses of every operation meet the requirements of the HTTP standard.

import { expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { operations } from '../support/contract.ts'
import { http, logIn } from '../support/merchant.ts'
import { exchange, type RawAnswer } from '../support/raw-http.ts'

const { demo } = await testApp({ worker: false })
const key = `ApiKey ${demo.client.test_key}`
const bearer = await logIn(demo, demo.client)
const send = (lines: string[]) =>
  exchange(demo.base_url, `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
const codeOf = ({ status, body }: RawAnswer) => [status, JSON.parse(body).error?.code]
const challengeOf = async (path: string, authorization?: string, method = 'GET') => {
  const { status, headers } = await fetch(demo.base_url + path, {
    method,
    headers: { ...(authorization && { authorization }), 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{"email":"nobody@example.com","password":"wrong"}' }),
  })
  return [status, headers.get('www-authenticate')]
}

const schemes = 'Bearer realm="gapura", ApiKey realm="gapura"'
const invalid = 'Bearer realm="gapura", error="invalid_token", ApiKey realm="gapura"'

test.each([
  ['/v1/active-methods', undefined, schemes],
  ['/v1/active-methods', 'ApiKey gp_test_wrong', schemes],
  ['/v1/active-methods', 'Basic eDp5', schemes],
  ['/v1/active-methods', 'Bearer wrong', invalid],
  ['/v1/tenants', key, schemes],
  ['/trpc/methods.activeMethods?input=%7B%7D', undefined, schemes],
  ['/trpc/methods.activeMethods?input=%7B%7D', 'Bearer wrong', invalid],
])(
  'if %s responds with 401 to the Authorization header %s, the response names the authentication schemes',
  async (path, authorization, challenge) => {
    expect(await challengeOf(path, authorization)).toEqual([401, challenge])
  },
)

test('after a wrong password, the 401 response names the authentication schemes of the API', async () => {
  expect(await challengeOf('/v1/auth/login', undefined, 'POST')).toEqual([401, schemes])
})

test('if an operation requires an API key, the 401 response does not call a valid access token invalid', async () => {
  expect(await challengeOf('/v1/payments/create', bearer, 'POST')).toEqual([401, schemes])
})

test("a HEAD request gets the same headers as a GET request, including the body's length, but no body", async () => {
  const paths = operations()
    .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
    .map(({ path }) => path)
  expect(paths.length).toBeGreaterThan(10)
  for (const path of [...paths, '/healthz', '/readyz', '/openapi.json', '/v1/payments/none']) {
    // Skips the operation that returns webhook events, because the request would wait for an event.
    if (path === '/v1/account/webhook/events') continue
    const ask = async (method: string) => {
      const response = await fetch(demo.base_url + path, { method, headers: { authorization: bearer } })
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        text: await response.text(),
      }
    }
    const [head, get] = [await ask('HEAD'), await ask('GET')]
    expect([path, head]).toEqual([path, { ...get, text: '' }])
  }
})

test('a HEAD request gets a 405 if GET is not allowed', async () => {
  const allowOf = async (method: string, path: string) => {
    const { status, headers } = await fetch(demo.base_url + path, { method })
    return [status, headers.get('allow')]
  }
  expect(await allowOf('HEAD', '/v1/payments/create')).toEqual([405, 'POST'])
  expect(await allowOf('PATCH', '/v1/account/webhook')).toEqual([405, 'GET, HEAD, PUT'])
})

test.each([
  ['missing in HTTP/1.1', ['GET /v1/active-methods HTTP/1.1', `Authorization: ${key}`]],
  ['two different values', ['GET /healthz HTTP/1.1', 'Host: a', 'Host: b']],
  ['two equal values', ['GET /trpc/x HTTP/1.1', 'Host: a', 'host: a']],
])('a request is rejected because of its Host header: %s', async (_, lines) => {
  const [answer] = await send(lines)
  expect(answer?.status).toBe(400)
  expect(JSON.parse(answer?.body ?? '').error.message).toBe(
    'bad request: Host: exactly one header is required',
  )
})

test('a request over HTTP/1.0 needs no Host header', async () => {
  const [answer] = await send(['GET /v1/active-methods HTTP/1.0', `Authorization: ${key}`])
  expect(answer && codeOf(answer)).toEqual([200, undefined])
})

test.each(['0x10', '1e1', '05', '5.0', '+5', ' 5', '5 ', '', '-1', '٥', '1_0', 'NaN', '101', '0'])(
  'an invalid integer in a query, such as a limit of %j, is rejected with an error that states which integers are valid',
  async text => {
    const value = encodeURIComponent(text)
    for (const [path, name, auth] of [
      ['/v1/payments', 'limit', key],
      ['/v1/account/api-keys', 'limit', bearer],
      ['/v1/account/webhook/events', 'wait_seconds', key],
    ] as const) {
      // The value 0 is skipped for wait_seconds, because it is valid there.
      if (name === 'wait_seconds' && text === '0') continue
      const { status, error } = await http('GET', `${demo.base_url}${path}?${name}=${value}`, { auth })
      expect([status, error?.message]).toEqual([
        400,
        expect.stringMatching(
          new RegExp(
            `^bad request: ${name}: must be a whole number from \\d+ to \\d+, written with digits only$`,
          ),
        ),
      ])
    }
  },
)

test.each(['1', '10', '100'])('a list of payments accepts a limit of %s', async text => {
  expect((await http('GET', `${demo.base_url}/v1/payments?limit=${text}`, { auth: key })).status).toBe(200)
})

const trpc = async (method: string, path: string, init: RequestInit = {}) => {
  const response = await fetch(`${demo.base_url}/trpc/${path}`, { method, ...init })
  return { status: response.status, body: (await response.json()) as { error: object } }
}
const json = { 'content-type': 'application/json', authorization: bearer }

test.each([
  ['an unknown procedure', 'GET', 'no.such', {}, [404, 'NOT_FOUND', -32004, 'NOT_FOUND']],
  ['an encoded path', 'GET', 'a%2525b', {}, [404, 'NOT_FOUND', -32004, 'NOT_FOUND']],
  [
    'a method that tRPC lacks',
    'PUT',
    'payments.get',
    {},
    [405, 'METHOD_NOT_SUPPORTED', -32005, 'METHOD_NOT_ALLOWED'],
  ],
  [
    'a query by POST',
    'POST',
    'payments.get',
    { headers: json, body: '{}' },
    [405, 'METHOD_NOT_SUPPORTED', -32005, 'METHOD_NOT_ALLOWED'],
  ],
  [
    'a body that is too large',
    'POST',
    'webhooks.configure',
    { headers: json, body: JSON.stringify({ callback_url: 'x'.repeat(300_000) }) },
    [413, 'PAYLOAD_TOO_LARGE', -32013, 'PAYLOAD_TOO_LARGE'],
  ],
  [
    'a form body',
    'POST',
    'webhooks.configure',
    { headers: { 'content-type': 'text/plain' }, body: '{}' },
    [415, 'UNSUPPORTED_MEDIA_TYPE', -32015, 'UNSUPPORTED_MEDIA_TYPE'],
  ],
  [
    'a body that is not JSON',
    'POST',
    'webhooks.configure',
    { headers: json, body: '{' },
    [400, 'BAD_REQUEST', -32600, 'BAD_REQUEST'],
  ],
  ['no credential', 'GET', 'tenants.account?input=%7B%7D', {}, [401, 'UNAUTHORIZED', -32001, 'UNAUTHORIZED']],
  [
    'an unknown event',
    'POST',
    'webhooks.redeliver',
    { headers: json, body: '{"event_id":"x"}' },
    [404, 'NOT_FOUND', -32004, 'NOT_FOUND'],
  ],
] as const)(
  '%s over tRPC is rejected with tRPC’s error code and format',
  async (_, method, path, init, expected) => {
    const [status, name, number, errorCode] = expected
    const answer = await trpc(method, path, init)
    expect(answer).toMatchObject({
      status,
      body: {
        error: {
          code: number,
          message: expect.any(String),
          data: { code: name, httpStatus: status, errorCode },
        },
      },
    })
    expect(Object.keys(answer.body)).toEqual(['error'])
  },
)
