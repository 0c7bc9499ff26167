// Tests that the Owner (the operator's tenant) can change tier and tenant limits at run time. Every process must
// apply the change.

import { beforeEach, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { createTenant } from '../../src/tenants/create-tenant.ts'
import { testApp } from '../support/app.ts'
import { http, logIn, until } from '../support/merchant.ts'
import { secondProcess } from '../support/second-process.ts'

const service = await testApp({ worker: false })
const { app, demo } = service
const another = await secondProcess(service)
const owner = await logIn(demo, demo.owner)
const asOwner = (method: string, path: string, body?: object) =>
  http(method, demo.base_url + path, { auth: owner, ...(body && { body }) })

let tenantId: string
let key: string
beforeEach(async () => {
  await app.db.raw(
    'update tier_limits set requests_per_second = null, burst_seconds = null, requests_in_flight = null',
  )
  ;({ id: tenantId } = await createTenant(app, null, {
    role: 'client',
    tier: 'starter',
    name: 'Shop',
    parentId: null,
  }))
  ;({ key } = await createApiKey(app, null, tenantId, { name: 'mine', mode: 'test' }))
})
const ofTenant = (id = tenantId) => `/v1/tenants/${id}/limits`
const policyAt = async (url: string) => {
  const { headers } = await fetch(`${url}/v1/active-methods`, { headers: { authorization: `ApiKey ${key}` } })
  return headers.get('ratelimit-policy')
}
/** Waits until both processes send the given rate limit policy in their response headers. */
const followed = (policy: string) =>
  until(`both processes send the rate limit policy ${policy}`, async () => {
    const policies = await Promise.all([demo.base_url, another.url].map(policyAt))
    return policies.every(each => each === policy)
  })

const byDefault = (value: number) => ({ value, source: 'default', inherited: value })

describe('changed limits for a tier or tenant apply without a restart', () => {
  test("changed limits apply in every process, and a tenant's limits take precedence over those of its tier", async () => {
    await followed('"starter";q=100;w=2')
    expect(await asOwner('PATCH', '/v1/limits/starter', { requests_per_second: 60 })).toMatchObject({
      status: 200,
      data: {
        tier: 'starter',
        requests_per_second: { value: 60, source: 'tier', inherited: 50 },
        burst_seconds: byDefault(2),
      },
    })
    await followed('"starter";q=120;w=2')
    expect(await asOwner('PATCH', ofTenant(), { requests_per_second: 200, burst_seconds: 3 })).toMatchObject({
      status: 200,
      data: {
        tenant_id: tenantId,
        tier: 'starter',
        requests_per_second: { value: 200, source: 'tenant', inherited: 60 },
        burst_seconds: { value: 3, source: 'tenant', inherited: 2 },
        requests_in_flight: byDefault(128),
      },
    })
    await followed('"starter";q=600;w=3')

    // A limit omitted from the request stays unchanged. A limit set to null is inherited from the tier again.
    await asOwner('PATCH', ofTenant(), { requests_per_second: null })
    await followed('"starter";q=180;w=3')
    expect((await asOwner('GET', ofTenant())).data.requests_per_second).toEqual({
      value: 60,
      source: 'tier',
      inherited: 60,
    })

    await asOwner('DELETE', ofTenant())
    await followed('"starter";q=120;w=2')
    await asOwner('DELETE', '/v1/limits/starter')
    await followed('"starter";q=100;w=2')
    const { data } = await asOwner('GET', '/v1/limits')
    expect(data.items.map((each: { tier: string }) => each.tier)).toEqual(['starter', 'growth', 'enterprise'])
    expect(data.items[0]).toEqual({
      tier: 'starter',
      requests_per_second: byDefault(50),
      burst_seconds: byDefault(2),
      requests_in_flight: byDefault(128),
    })
  })

  test('a changed limit on the number of requests in flight applies to requests that start after the change', async () => {
    const leaving = new AbortController()
    const call = (path: string) =>
      fetch(demo.base_url + path, { headers: { authorization: `ApiKey ${key}` }, signal: leaving.signal })
    // Two requests that stay in flight until the test aborts them.
    for (let n = 0; n < 2; n++) call('/v1/account/webhook/events?wait_seconds=25').catch(() => {})
    await asOwner('PATCH', ofTenant(), { requests_in_flight: 1 })
    const statusOfNext = async () => (await call('/v1/active-methods')).status
    await until('the next request is rejected', async () => (await statusOfNext()) === 429)
    await asOwner('DELETE', ofTenant())
    await until('the next request is served', async () => (await statusOfNext()) === 200)
    leaving.abort()
  })

  test('the audit log records a limit change with the values before and after', async () => {
    await asOwner('PATCH', '/v1/limits/growth', { burst_seconds: 4 })
    await asOwner('PATCH', ofTenant(), { requests_in_flight: 32 })
    const { data } = await asOwner('GET', '/v1/audit-log?limit=2')
    const none = { requests_per_second: null, burst_seconds: null, requests_in_flight: null }
    expect(data.items).toMatchObject([
      {
        action: 'tenant_limits.update',
        tenant_id: tenantId,
        before: none,
        after: { ...none, requests_in_flight: 32 },
      },
      {
        action: 'tier_limits.update',
        tenant_id: null,
        before: { tier: 'growth', ...none },
        after: { tier: 'growth', ...none, burst_seconds: 4 },
      },
    ])
  })
})

test.each([
  ['requests_per_second', 9, 'must be an integer from 10 to 10000, or null for the default'],
  ['requests_per_second', 10_001, 'must be an integer from 10 to 10000, or null for the default'],
  ['burst_seconds', 0, 'must be an integer from 1 to 10, or null for the default'],
  ['burst_seconds', 1.5, 'must be an integer from 1 to 10, or null for the default'],
  ['requests_in_flight', '5', 'must be an integer from 1 to 512, or null for the default'],
  ['requests_in_flight', 513, 'must be an integer from 1 to 512, or null for the default'],
])(
  'setting the limit %s to %s is rejected with an error that names the field, and the limit stays unchanged',
  async (field, value, rule) => {
    for (const path of ['/v1/limits/starter', ofTenant()])
      expect(await asOwner('PATCH', path, { [field]: value })).toMatchObject({
        status: 400,
        error: { code: 'BAD_REQUEST', message: `bad request: ${field}: ${rule}` },
      })
    expect((await asOwner('GET', ofTenant())).data[field].source).toBe('default')
    if (typeof value === 'number' && Number.isInteger(value))
      await expect(app.db.raw('update tier_limits set ?? = ?', [field, value])).rejects.toThrow(
        'violates check',
      )
  },
)

test('changing the limits for an unknown tier or tenant is rejected', async () => {
  expect(await asOwner('PATCH', '/v1/limits/gold', {})).toMatchObject({
    status: 400,
    error: { message: 'bad request: tier: must be one of starter, growth, enterprise' },
  })
  expect((await asOwner('PATCH', ofTenant('none'), {})).status).toBe(404)
})

test('Clients and Partners can neither read nor change limits, not even their own', async () => {
  const client = await logIn(demo, demo.client)
  const partner = await logIn(demo, demo.partner)
  for (const [auth, id] of [
    [client, demo.client.tenant_id],
    [partner, demo.partner.tenant_id],
    [partner, demo.client.tenant_id],
  ] as const)
    for (const path of ['/v1/limits', '/v1/limits/starter', ofTenant(id)])
      for (const method of path === '/v1/limits' ? ['GET'] : ['PATCH', 'DELETE']) {
        const body = method === 'PATCH' ? { requests_per_second: 10_000 } : undefined
        const answer = await http(method, demo.base_url + path, { auth, ...(body && { body }) })
        expect([method, path, answer.status]).toEqual([method, path, 403])
      }
})

test('concurrent changes to different limits of one tenant are all stored, and none overwrites another', async () => {
  await Promise.all([
    asOwner('PATCH', ofTenant(), { requests_per_second: 70 }),
    asOwner('PATCH', ofTenant(), { burst_seconds: 4 }),
    asOwner('PATCH', ofTenant(), { requests_in_flight: 32 }),
  ])
  expect((await asOwner('GET', ofTenant())).data).toMatchObject({
    requests_per_second: { value: 70 },
    burst_seconds: { value: 4 },
    requests_in_flight: { value: 32 },
  })
})
