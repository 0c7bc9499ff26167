// Tests rate limits over HTTP, and the headers that report them.

import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { beforeEach, expect, test } from 'vitest'
import { newApiKey } from '../../src/auth/api-keys/api-key.ts'
import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { defaultLimits } from '../../src/limits/limits.ts'
import type { AppRouter } from '../../src/router.ts'
import { createTenant } from '../../src/tenants/create-tenant.ts'
import { updateTenant } from '../../src/tenants/update-tenant.ts'
import { testApp } from '../support/app.ts'
import { usersOf } from '../support/user.ts'

/** Replaces the default of 50 requests per second with a lower limit, which even a slow machine can exceed. */
defaultLimits.starter.requestsPerSecond = 5

const service = await testApp({ worker: false })
const { app, demo } = service

let key: string
beforeEach(async () => {
  const { id } = await createTenant(app, null, {
    role: 'client',
    tier: 'starter',
    name: 'Shop',
    parentId: null,
  })
  ;({ key } = await createApiKey(app, null, id, { name: 'mine', mode: 'test' }))
})
const call = (path = '/v1/active-methods', authorization = `ApiKey ${key}`) =>
  fetch(demo.base_url + path, { headers: { authorization } })
const remaining = ({ headers }: Response) =>
  Number(/^"starter";r=(\d+);t=\d$/.exec(headers.get('ratelimit') ?? '')?.[1])

/**
 * Returns the response to the first rejected request. Sends 100 requests at a time, because the token bucket would
 * refill between requests that are sent one by one.
 */
async function untilRefused(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => send()))
    const refused = answers.find(({ status }) => status === 429)
    if (refused) return refused
  }
}

test('every response to a request with an API key (success, error or 429) has rate-limit headers', async () => {
  const success = await call()
  const missing = await call('/v1/payments/none')
  for (const [answer, status] of [
    [success, 200],
    [missing, 404],
  ] as const) {
    expect([answer.status, answer.headers.get('ratelimit-policy')]).toEqual([status, '"starter";q=10;w=2'])
    expect(remaining(answer)).toBeGreaterThanOrEqual(8)
  }
  const refused = await untilRefused(() => call())
  expect([remaining(refused), refused.headers.get('retry-after')]).toEqual([0, '1'])
  expect(refused.headers.get('access-control-expose-headers')).toContain('RateLimit')
})

test('a tRPC batch counts toward the rate limit as one request per call', async () => {
  const left: number[] = []
  const client = createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `${demo.base_url}/trpc`,
        headers: { authorization: `ApiKey ${key}` },
        async fetch(url, options) {
          const response = await fetch(url, options as RequestInit)
          left.push(remaining(response))
          return response
        },
      }),
    ],
  })
  await Promise.all(Array.from({ length: 10 }, () => client.methods.activeMethods.query({})))
  expect(left).toEqual([0])
})

test('a tRPC batch that exceeds the remaining rate limit is rejected as a whole', async () => {
  const batch = Array.from({ length: 10 }, () => 'methods.activeMethods').join()
  const refused = await untilRefused(() =>
    call(`/trpc/${batch}?batch=1&input=${encodeURIComponent('{"0":{}}')}`),
  )
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(2)
  expect(await refused.text()).toContain('RATE_LIMITED')
})

test('a tRPC batch that can never fit within the rate limit is rejected as a bad request', async () => {
  const names = Array(50).fill('methods.activeMethods').join(',')
  const answer = await call(`/trpc/${names}?batch=1&input=%7B%7D`)
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('BAD_REQUEST')])
})

test("the tenant's current tier determines a user's rate limit, even if the access token contains an earlier tier", async () => {
  const { makeUser, startSession } = usersOf(service)
  const user = await makeUser()
  const { access_token } = await startSession(user)
  const callAsUser = () => call('/v1/active-methods', `Bearer ${access_token}`)
  await updateTenant(app, null, user.tenantId, { tier: 'growth' })
  const policy = async () => (await callAsUser()).headers.get('ratelimit-policy')
  await expect.poll(policy).toBe('"growth";q=400;w=2')
  await updateTenant(app, null, user.tenantId, { tier: 'starter' })
  await expect.poll(policy).toBe('"starter";q=10;w=2')
  const refused = await untilRefused(callAsUser)
  expect([await refused.json(), refused.headers.get('retry-after')]).toMatchObject([
    { error: { code: 'RATE_LIMITED', message: expect.stringContaining('this user may send 5 requests') } },
    '1',
  ])
  expect((await call()).status).toBe(200)
})

test('responses to health checks and to requests with an invalid credential have no rate-limit headers', async () => {
  expect((await call('/v1/active-methods', 'ApiKey x')).headers.has('ratelimit')).toBe(false)
  expect((await call('/healthz')).headers.has('ratelimit')).toBe(false)
})

test('requests with invalid API keys are limited by IP address without affecting valid keys from that address', async () => {
  expect((await call()).status).toBe(200)
  const guess = () => call('/v1/active-methods', `ApiKey ${newApiKey('live')}`)
  expect((await guess()).status).toBe(401)
  const refused = await untilRefused(guess)
  expect([refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
    expect.stringMatching(/^[12]$/),
    { success: false, error: { code: 'RATE_LIMITED' } },
  ])
  expect((await call()).status).toBe(200)
})
