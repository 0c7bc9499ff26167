import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { revokeApiKey } from '../../src/auth/api-keys/revoke-api-key.ts'
import type { AppRouter } from '../../src/router.ts'
import { createTenant } from '../../src/tenants/create-tenant.ts'
import { anyText } from '../support/any-text.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { document, faultsOf, operations, pointerTo, validatorAt } from '../support/contract.ts'
import { type Answer, http, logIn, merchantOf } from '../support/merchant.ts'
import { anOrder } from '../support/order.ts'
import { randomRuns } from '../support/random-runs.ts'

let { app, demo }: TestApp = {} as TestApp
let merchant: ReturnType<typeof merchantOf>
let jwt: string

beforeAll(async () => {
  ;({ app, demo } = await testApp())
  merchant = merchantOf(demo)
  jwt = await logIn(demo, demo.client)
})

const refusal = ({ status, success, error }: Answer) => [status, success, error?.code, error?.message]

test('each kind of invalid credential gets the error that the API specifies for it', async () => {
  const at = (auth?: string) =>
    http('GET', `${demo.base_url}/v1/active-methods`, auth === undefined ? {} : { auth })
  const unauthorized = (detail: string) => [401, false, 'UNAUTHORIZED', `unauthorized: ${detail}`]
  const invalidJwt = [401, false, 'UNAUTHORIZED', 'Invalid JWT token']
  expect(refusal(await at())).toEqual(
    unauthorized('the Authorization header is missing; send `ApiKey <key>` or `Bearer <access token>`'),
  )
  expect(refusal(await at('Basic abc'))).toEqual(
    unauthorized(
      'the Authorization header has an unknown scheme; send `ApiKey <key>` or `Bearer <access token>`',
    ),
  )
  expect(refusal(await at(`ApiKey gp_test_${'a'.repeat(38)}`))).toEqual(
    unauthorized('the API key is invalid or revoked'),
  )
  for (const bearer of [
    `Bearer ${demo.client.test_key}`,
    'Bearer',
    'Bearer ',
    'bearer x.y.z',
    `Bearer ${jwt.slice(7, -3)}`,
  ]) {
    expect(refusal(await at(bearer))).toEqual(invalidJwt)
  }
  expect((await at(`apikey ${demo.client.test_key}`)).status).toBe(200)
})

test('creating a payment with a user’s JWT or reading webhook settings with an API key returns UNAUTHORIZED', async () => {
  const create = (auth: string) =>
    http('POST', `${demo.base_url}/v1/payments/create`, {
      auth,
      body: anOrder(),
      headers: { 'x-idempotency-key': randomUUID() },
    })
  expect(refusal(await create(jwt)).slice(0, 3)).toEqual([401, false, 'UNAUTHORIZED'])
  expect(refusal(await create(await logIn(demo, demo.owner))).slice(0, 3)).toEqual([
    401,
    false,
    'UNAUTHORIZED',
  ])
  expect(refusal(await merchant.call('GET', '/v1/account/webhook')).slice(0, 3)).toEqual([
    401,
    false,
    'UNAUTHORIZED',
  ])
})

test('an API key cannot find a payment that belongs to another tenant or mode', async () => {
  const { data } = await merchant.create()
  const strangers = [merchantOf(demo, demo.client2.test_key), merchantOf(demo, demo.client.live_key)]
  for (const stranger of strangers) {
    for (const answer of [
      await stranger.get(data.id),
      await stranger.cancel(data.id),
      await stranger.ledger(data.id),
    ]) {
      expect(refusal(answer)).toEqual([404, false, 'NOT_FOUND', `not found: payment ${data.id} not found`])
    }
  }
  for (const id of ['none', '%00', '%ff', '../x', randomUUID()])
    expect((await merchant.get(id)).status).toBe(404)
  expect((await merchant.get(data.id)).data.status).toBe('pending')
})

test('an invalid request gets an error response in the documented format', async () => {
  const key = { 'x-idempotency-key': 'malformed' }
  const post = (raw: string | Buffer<ArrayBuffer>, headers = {}) =>
    merchant.call('POST', '/v1/payments/create', { raw, headers: { ...key, ...headers } })
  expect(refusal(await post('{"amount":')).slice(0, 4)).toEqual([
    400,
    false,
    'BAD_REQUEST',
    'bad request: body: is not valid JSON',
  ])
  expect(refusal(await post('[]'))).toEqual([
    400,
    false,
    'BAD_REQUEST',
    'bad request: body: must be a JSON object',
  ])
  expect(refusal(await post(Buffer.from([0x7b, 0xff, 0x7d])))).toEqual([
    400,
    false,
    'BAD_REQUEST',
    'bad request: body: is not valid UTF-8',
  ])
  expect(refusal(await post('a=b', { 'content-type': 'text/plain' })).slice(0, 3)).toEqual([
    415,
    false,
    'UNSUPPORTED_MEDIA_TYPE',
  ])
  expect(refusal(await post(JSON.stringify({ x: 'y'.repeat(262_144) }))).slice(0, 3)).toEqual([
    413,
    false,
    'PAYLOAD_TOO_LARGE',
  ])
  expect(refusal(await merchant.call('GET', '/v1/nothing'))).toEqual([
    404,
    false,
    'NOT_FOUND',
    'not found: route /v1/nothing not found',
  ])
  const wrongMethod = await merchant.call('DELETE', '/v1/active-methods')
  expect([...refusal(wrongMethod).slice(0, 3), wrongMethod.headers.get('allow')]).toEqual([
    405,
    false,
    'METHOD_NOT_ALLOWED',
    'GET, HEAD',
  ])
  expect(refusal(await merchant.call('POST', '/v1/payments/create', { body: anOrder() }))[3]).toMatch(
    /^bad request: X-Idempotency-Key: /,
  )
  for (const bad of ['', 'a b', 'ä', 'x'.repeat(256)]) {
    const answer = await http('POST', `${demo.base_url}/v1/payments/create`, {
      auth: `ApiKey ${demo.client.test_key}`,
      body: anOrder(),
      headers: { 'x-idempotency-key': Buffer.from(bad).toString('latin1') },
    })
    expect(answer.status).toBe(400)
  }
})

test('a request with an unknown Expect header is processed as if it had no Expect header', async () => {
  const url = new URL(demo.base_url)
  const socket = connect(Number(url.port), url.hostname)
  socket.write(
    `GET /v1/active-methods HTTP/1.1\r\nHost: ${url.host}\r\nExpect: nothing\r\nConnection: close\r\n\r\n`,
  )
  let text = ''
  for await (const chunk of socket) text += chunk
  expect(text).toMatch(/^HTTP\/1\.1 401 .*"code":"UNAUTHORIZED"/s)
})

test('if a client sends bytes that are not an HTTP request, it gets an HTTP error response', async () => {
  const url = new URL(demo.base_url)
  const socket = connect(Number(url.port), url.hostname)
  socket.write('NONSENSE\r\n\r\n')
  let text = ''
  for await (const chunk of socket) text += chunk
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    success: false,
    error: { code: 'BAD_REQUEST' },
  })
})

test('a valid X-Request-Id is returned unchanged, and an invalid one is replaced', async () => {
  const idOf = async (given?: string) =>
    (
      await http(
        'GET',
        `${demo.base_url}/v1/active-methods`,
        given ? { headers: { 'x-request-id': given } } : {},
      )
    ).headers.get('x-request-id')
  expect(await idOf('order-1:retry.2')).toBe('order-1:retry.2')
  expect(await idOf('with space')).toMatch(/^[0-9a-f-]{36}$/)
  expect(await idOf('x'.repeat(200))).toMatch(/^[0-9a-f-]{36}$/)
})

test('a repeated idempotency key returns the first payment, or a conflict for a different order', async () => {
  const key = randomUUID()
  const first = await merchant.create({}, key)
  const reordered = await merchant.call('POST', '/v1/payments/create', {
    raw: `  ${JSON.stringify(Object.fromEntries(Object.entries({ ...anOrder(), expiry_minutes: 60, unknown: 1 }).reverse()))}`,
    headers: { 'x-idempotency-key': key },
  })
  expect([reordered.data.id, reordered.headers.get('idempotency-replayed')]).toEqual([first.data.id, 'true'])
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  expect(refusal(await merchant.create({ amount: 100 }, key)).slice(0, 3)).toEqual([
    409,
    false,
    'IDEMPOTENCY_CONFLICT',
  ])
  const otherMode = await merchantOf(demo, demo.client.live_key).create({}, key)
  expect([otherMode.status, otherMode.data.id === first.data.id]).toEqual([200, false])
  await merchant.cancel(first.data.id)
  expect((await merchant.create({}, key)).data.status).toBe('cancelled')
})

test('a repeated request returns the same provider error as the first request with its idempotency key', async () => {
  const key = randomUUID()
  const first = await merchant.create({ customer_name: 'SANDBOX REJECT' }, key)
  expect(refusal(first).slice(0, 3)).toEqual([502, false, 'PROVIDER_ERROR'])
  expect(refusal(await merchant.create({ customer_name: 'SANDBOX REJECT' }, key))).toEqual(refusal(first))
})

test("an API key that exceeds its tier's rate limit gets RATE_LIMITED, but other keys do not", async () => {
  const { id } = await createTenant(app, null, {
    role: 'client',
    tier: 'starter',
    name: 'Fast',
    parentId: null,
  })
  const { key } = await createApiKey(app, null, id, { name: 'fast', mode: 'test' })
  // Calls fetch directly, because the tests' usual HTTP client is too slow to exceed the rate limit.
  const call = () =>
    fetch(`${demo.base_url}/v1/active-methods`, { headers: { authorization: `ApiKey ${key}` } })
  const answers: Response[] = []
  const refusals = () => answers.filter(answer => answer.status !== 200)
  // The rate limit's token bucket is refilled while the service handles requests. A slow service therefore needs more
  // requests to empty the bucket, so the test sends batches until a request is rejected.
  for (let batch = 0; batch < 20 && refusals().length === 0; batch++)
    answers.push(...(await Promise.all(Array.from({ length: 400 }, call))))
  const refused = refusals()
  // The token bucket of the tier's rate limit holds 100 requests (two seconds at 50 per second) and is
  // refilled during the test. At least 100 requests therefore succeed.
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(100)
  const [first] = refused as [Response]
  expect([first.status, await first.json()]).toMatchObject([
    429,
    {
      success: false,
      error: {
        code: 'RATE_LIMITED',
        message: 'rate limited: this key may send 50 requests a second; slow down',
      },
    },
  ])
  expect(first.headers.get('retry-after')).toBe('1')
  expect((await merchant.call('GET', '/v1/active-methods')).status).toBe(200)
})

test('a revoked API key, and all keys of a suspended tenant, stop working within a second', async () => {
  const tenantId = demo.client2.tenant_id
  const { id, key } = await createApiKey(app, null, tenantId, { name: 'leaked', mode: 'live' })
  const leaked = merchantOf(demo, key)
  expect((await leaked.call('GET', '/v1/active-methods')).status).toBe(200)
  await revokeApiKey(app, null, tenantId, id)
  await new Promise(resolve => setTimeout(resolve, 1_000))
  expect(refusal(await leaked.call('GET', '/v1/active-methods'))).toEqual([
    401,
    false,
    'UNAUTHORIZED',
    'unauthorized: the API key is invalid or revoked',
  ])

  const other = merchantOf(demo, demo.client2.test_key)
  const user = await logIn(demo, demo.client2)
  await app.db.raw(`update tenants set status = 'suspended' where id = ?`, [tenantId])
  await new Promise(resolve => setTimeout(resolve, 1_000))
  expect(refusal(await other.call('GET', '/v1/active-methods')).slice(0, 3)).toEqual([
    403,
    false,
    'FORBIDDEN',
  ])
  expect(
    refusal(await http('GET', `${demo.base_url}/v1/active-methods`, { auth: user })).slice(0, 3),
  ).toEqual([403, false, 'FORBIDDEN'])
  await app.db.raw(`update tenants set status = 'active' where id = ?`, [tenantId])
})

test('a random request body never causes a 5xx response or an error without the error envelope', async () => {
  const bodies = fc.oneof(
    fc.json().map(text => ({ text, type: 'application/json' })),
    fc.jsonValue().map(value => ({
      text: JSON.stringify({ ...anOrder(), method_detail: value }),
      type: 'application/json',
    })),
    fc
      .tuple(
        fc.constantFrom('amount', 'currency', 'method_type', 'customer_email', 'items', 'expiry_minutes'),
        fc.jsonValue(),
      )
      .map(([field, value]) => ({
        text: JSON.stringify({ ...anOrder(), amount: -1, [field]: value }),
        type: 'application/json',
      })),
    fc.record({
      text: anyText(),
      type: fc.constantFrom('application/json', 'text/plain', 'x', ''),
    }),
    fc.constant({
      text: '{"__proto__":{"amount":1},"constructor":{"prototype":{}}}',
      type: 'application/json',
    }),
    fc.nat(9).map(depth => ({ text: '['.repeat(10 ** 4 * (depth + 1)), type: 'application/json' })),
  )
  for (const { path, method } of operations()) {
    const auth = method === 'POST' && path.endsWith('/create') ? `ApiKey ${demo.client.test_key}` : jwt
    await fc.assert(
      fc.asyncProperty(bodies, anyText(), async ({ text, type }, id) => {
        const filled = path.replace(/\{\w+\}/g, encodeURIComponent(id.isWellFormed() && id ? id : 'x'))
        // The query parameter wait_seconds=0 makes this operation respond at once. By default, the operation
        // waits for a webhook event.
        const url = demo.base_url + filled + (path.endsWith('/events') ? '?wait_seconds=0' : '')
        const options =
          method === 'GET'
            ? {}
            : { raw: text, headers: { 'content-type': type, 'x-idempotency-key': randomUUID() } }
        const answer = await http(method, url, { auth, ...options })
        // Operations that read no body, or whose body fields are all optional, may succeed with a random body. All
        // other operations must reject such a body.
        const harmless =
          method === 'GET' ||
          /^\/v1\/account\/(webhook|second-factor|sessions|notifications|security|erase-customer)/.test(path)
        expect(answer.status, `${method} ${path}: ${answer.text}`).toBeGreaterThanOrEqual(
          harmless ? 200 : 400,
        )
        expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(500)
        expect(answer.success).toBe(answer.status === 200)
        if (!answer.success)
          expect(answer.error).toEqual({ code: expect.any(String), message: expect.any(String) })
      }),
      // GET requests have no body, so a few random paths are enough here. `npm run test:heavy` sends many more
      // requests.
      { numRuns: randomRuns(method === 'GET' ? 10 : 30), includeErrorInReport: true },
    )
  }
})

test('every example in the API document matches its schema', () => {
  let count = 0
  const walk = (value: unknown, path: string[]): void => {
    if (value === null || typeof value !== 'object') return
    const media = value as {
      schema?: object
      example?: unknown
      examples?: Record<string, { value: unknown }>
    }
    if (media.schema && path.at(-2) === 'content') {
      const validator = validatorAt(pointerTo(...path, 'schema'))
      for (const example of [media.example, ...Object.values(media.examples ?? {}).map(each => each.value)]) {
        if (example === undefined) continue
        expect(validator(example), `${path.join(' ')}: ${faultsOf(validator)}`).toBe(true)
        count++
      }
    }
    for (const [key, each] of Object.entries(value)) walk(each, [...path, key])
  }
  walk(document, [])
  expect(count).toBeGreaterThan(operations().length)
})

test('TypeScript callers can call the REST API’s operations as tRPC procedures on /trpc', async () => {
  const client = (headers: Record<string, string>) =>
    createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${demo.base_url}/trpc`, headers })] })
  const shop = client({ authorization: `ApiKey ${demo.client.test_key}`, 'x-idempotency-key': randomUUID() })
  const payment = await shop.payments.create.mutate(
    anOrder() as Parameters<typeof shop.payments.create.mutate>[0],
  )
  expect((await shop.payments.get.query({ payment_id: payment.id })).payment_code).toBe(payment.payment_code)
  await expect(shop.payments.get.query({ payment_id: randomUUID() })).rejects.toMatchObject({
    message: expect.stringMatching(/^not found: /),
    data: { code: 'NOT_FOUND', httpStatus: 404 },
  })
  const raw = await fetch(`${demo.base_url}/trpc/methods.activeMethods?input=%7B%7D`, {
    headers: { authorization: `ApiKey ${demo.client.test_key}` },
  })
  expect(raw.status).toBe(200)
  const refused = await shop.payments.create
    .mutate({ ...anOrder(), amount: '10' as unknown as number } as never)
    .catch(error => error)
  expect(refused.data).toMatchObject({ code: 'BAD_REQUEST' })
  expect(JSON.stringify(refused)).not.toMatch(/node_modules/)
})
