// Tests what access API keys and users have, and what the audit log records.

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { type Call, type Managers, managersOf, newTenant, refusal } from '../support/management-api.ts'
import { http, logIn, until } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let as: Managers

beforeAll(async () => {
  ;({ app, demo } = await testApp())
  as = await managersOf(demo)
})

/** Returns the HTTP status of a request made with the key. */
const tried = async (key: string) =>
  (await http('GET', `${demo.base_url}/v1/active-methods`, { auth: `ApiKey ${key}` })).status
const aSecond = () => new Promise(resolve => setTimeout(resolve, 1_000))

describe('the API keys of a tenant can be created, rotated, and revoked through the API', () => {
  const shopWithKey = async (mode = 'test') => {
    const shop = await newTenant(app, demo, 'client')
    const path = `/v1/tenants/${shop.id}/api-keys`
    const { data } = await shop.call('POST', path, { name: 'web shop', mode })
    const listed = async (id: string = data.id) =>
      (await shop.call('GET', '/v1/account/api-keys')).data.items.find(
        (each: { id: string }) => each.id === id,
      )
    return { ...shop, path, made: data, listed }
  }

  test.each(['live', 'test'])(
    'a new API key in %s mode works at once, and only the response to its creation contains the key',
    async mode => {
      const { made, listed, call } = await shopWithKey(mode)
      expect(Object.keys(made).sort()).toEqual(
        ['allowed_ips', 'created_at', 'display_prefix', 'id', 'key', 'mode', 'name', 'scopes'].sort(),
      )
      expect(made.key).toMatch(new RegExp(`^gp_${mode}_`))
      expect(made.key.startsWith(made.display_prefix)).toBe(true)
      const { key, ...rest } = made
      expect(await listed()).toEqual({ ...rest, last_used_at: null, expires_at: null, revoked_at: null })
      expect(await tried(made.key)).toBe(200)
      expect((await call('GET', '/v1/account/api-keys')).text).not.toContain(key)
      const { rows } = await app.db.raw(`select to_jsonb(k)::text as text from api_keys k where id = ?`, [
        made.id,
      ])
      expect(rows[0].text).not.toContain(key)
    },
  )

  test.each<[object, string]>([
    [{}, 'mode: is required'],
    [{ mode: 'production' }, 'mode: must be one of live, test'],
    [{ mode: 'test', name: '' }, 'name: must not be empty'],
    [{ mode: 'test', name: 1 }, 'name: '],
  ])(
    'a request to create an API key with an invalid field is rejected with an error that names the field: %o',
    async (body, message) => {
      const answer = await as.client('POST', `/v1/tenants/${demo.client.tenant_id}/api-keys`, body)
      expect(answer.status).toBe(400)
      expect(answer.error.message).toContain(`bad request: ${message}`)
    },
  )

  test('a revoked API key stops working within a second, but remains in the list of API keys', async () => {
    const { made, path, call, listed } = await shopWithKey()
    expect(await tried(made.key)).toBe(200)
    const { data } = await call('DELETE', `${path}/${made.id}`)
    expect(data).toMatchObject({ id: made.id, revoked_at: expect.any(String) })
    await aSecond()
    expect(await tried(made.key)).toBe(401)
    expect((await call('DELETE', `${path}/${made.id}`)).data.revoked_at).toBe(data.revoked_at)
    expect((await listed()).revoked_at).toBe(data.revoked_at)
  })

  test('rotating an API key without a grace period makes the old key stop working', async () => {
    const { made, path, call, listed } = await shopWithKey('live')
    const { data } = await call('POST', `${path}/${made.id}/rotate`)
    expect(data).toMatchObject({ name: 'web shop', mode: 'live', key: expect.stringMatching(/^gp_live_/) })
    expect(data.id).not.toBe(made.id)
    expect(await tried(data.key)).toBe(200)
    await aSecond()
    expect(await tried(made.key)).toBe(401)
    expect((await listed()).revoked_at).not.toBeNull()
  })

  test('a rotated API key remains valid until its grace period ends', async () => {
    const { made, path, call, listed } = await shopWithKey()
    const { data } = await call('POST', `${path}/${made.id}/rotate`, { grace_minutes: 30 })
    const { expires_at, revoked_at } = await listed()
    expect(revoked_at).toBeNull()
    expect(Date.parse(expires_at) - Date.parse(data.created_at)).toBe(30 * 60_000)
    await aSecond()
    expect([await tried(made.key), await tried(data.key)]).toEqual([200, 200])
    await app.db.raw('update api_keys set expires_at = now() where id = ?', [made.id])
    await aSecond()
    expect([await tried(made.key), await tried(data.key)]).toEqual([401, 200])
  })

  test.each([0, 60])(
    'only one of two concurrent requests rotates an API key (grace period %i)',
    async grace_minutes => {
      const { made, path, call } = await shopWithKey()
      const rotate = () => call('POST', `${path}/${made.id}/rotate`, { grace_minutes })
      const answers = await Promise.all([rotate(), rotate(), rotate()])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
      expect(refusal(await rotate()).slice(0, 2)).toEqual([409, 'CONFLICT'])
      expect((await call('GET', '/v1/account/api-keys')).data.items).toHaveLength(2)
    },
  )

  test.each([-1, 1_441, 1.5, '5'])(
    'rotating an API key with the grace period %o is rejected',
    async grace_minutes => {
      const { made, path, call } = await shopWithKey()
      const answer = await call('POST', `${path}/${made.id}/rotate`, { grace_minutes })
      expect(answer.status).toBe(400)
      expect(answer.error.message).toContain('bad request: grace_minutes: ')
      expect(await tried(made.key)).toBe(200)
    },
  )

  test("a request under one tenant's path does not find another tenant's API keys", async () => {
    const { made } = await shopWithKey()
    for (const id of [made.id, randomUUID(), 'x']) {
      const notFound = [404, 'NOT_FOUND', `not found: API key ${id} not found`]
      const path = `/v1/tenants/${demo.client.tenant_id}/api-keys/${id}`
      expect(refusal(await as.client('DELETE', path))).toEqual(notFound)
      expect(refusal(await as.client('POST', `${path}/rotate`))).toEqual(notFound)
    }
    expect(await tried(made.key)).toBe(200)
  })

  test('an API key shows when it was last used', async () => {
    const { made, listed } = await shopWithKey()
    const before = Date.now()
    await tried(made.key)
    const { last_used_at } = await until('the use of the key is recorded', async () => {
      const key = await listed()
      return key.last_used_at !== null && key
    })
    expect(Date.parse(last_used_at)).toBeGreaterThanOrEqual(before)
  })
})

describe('new users of a tenant can log in, and requests to create invalid users are rejected', () => {
  const path = () => `/v1/tenants/${demo.client.tenant_id}/users`

  test('a new user can log in to the tenant in which the user was created', async () => {
    const user = { email: ` Sari.${randomUUID()}@Example.com `, password: 'delapan8' }
    const { data } = await as.partner('POST', path(), user)
    expect(data).toEqual({
      ...{ id: data.id, email: user.email.trim(), created_at: data.created_at },
      ...{ permissions: ['admin'], status: 'active' },
    })
    const auth = await logIn(demo, { ...user, email: data.email.toLowerCase() })
    const account = (await http('GET', `${demo.base_url}/v1/account`, { auth })).data
    expect([account.id, account.user]).toEqual([demo.client.tenant_id, data])
    const listed = (await as.partner('GET', path())).data.items
    expect(listed[0]).toEqual(data)
  })

  test('two users cannot have the same email address, even in different letter case', async () => {
    const { email } = demo.client2
    const answer = await as.partner('POST', path(), { email: email.toUpperCase(), password: 'delapan8' })
    expect(refusal(answer)).toEqual([
      409,
      'CONFLICT',
      `conflict: email: ${email.toUpperCase()} is already in use`,
    ])
  })

  test('of several concurrent requests to create a user with the same email address, only one succeeds', async () => {
    const email = `${randomUUID()}@example.com`
    const other = `/v1/tenants/${demo.client2.tenant_id}/users`
    const answers = await Promise.all(
      [path(), other, path(), other].map((each, i) =>
        as.owner('POST', each, { email: i % 2 ? email : email.toUpperCase(), password: 'delapan8' }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })

  test.each<[object, string]>([
    [{ password: 'delapan8' }, 'email: '],
    [{ email: 'nobody', password: 'delapan8' }, 'email: must be an email address'],
    [{ email: 'a@example.com', permissions: [] }, 'permissions: '],
    [{ email: 'a@example.com', permissions: ['everything'] }, 'permissions.0: '],
    [{ email: 'a@example.com', password: 'tujuh77' }, 'password: must be at least 8 characters'],
    [{ email: 'a@example.com', password: 'x'.repeat(1_025) }, 'password: must be at most 1024 characters'],
  ])('creating a user with an invalid field is rejected: %o', async (body, message) => {
    const answer = await as.owner('POST', path(), body)
    expect(answer.status).toBe(400)
    expect(answer.error.message).toContain(`bad request: ${message}`)
  })
})

test('the audit log contains every management change, with the changed values but without secrets', async () => {
  const secrets: string[] = []
  const partner = await newTenant(app, demo, 'partner')
  const { data: tenant } = await partner.call('POST', '/v1/tenants', { name: 'Audited' })
  const path = `/v1/tenants/${tenant.id}`
  await partner.call('PATCH', path, { name: 'Audited, renamed' })
  secrets.push('katasandi-rahasia')
  await partner.call('POST', `${path}/users`, {
    email: `${randomUUID()}@example.com`,
    password: 'katasandi-rahasia',
  })
  const key = (await partner.call('POST', `${path}/api-keys`, { mode: 'test' })).data
  const rotated = (await partner.call('POST', `${path}/api-keys/${key.id}/rotate`)).data
  await partner.call('DELETE', `${path}/api-keys/${rotated.id}`)
  secrets.push(key.key, rotated.key)
  await partner.call('PUT', `${path}/entitlements`, { items: [] })
  await partner.call('PUT', `${path}/routing-rules`, { items: [] })
  // This change is rejected, so it must not appear in the audit log, which records only executed actions.
  await partner.call('PATCH', path, { tier: 'starter' })

  const { data, text } = await partner.call('GET', '/v1/audit-log?limit=100')
  const entries = data.items.filter((each: { tenant_id: string }) => each.tenant_id === tenant.id).reverse()
  expect(entries.map((each: { action: string }) => each.action)).toEqual([
    'tenant.create',
    'tenant.update',
    'user.create',
    'api_key.create',
    'api_key.rotate',
    'api_key.revoke',
    'entitlements.replace',
    'routing_rules.replace',
  ])
  for (const entry of entries) expect(entry.actor_tenant_id).toBe(partner.id)
  expect(entries[1]).toMatchObject({ before: { name: 'Audited' }, after: { name: 'Audited, renamed' } })
  expect(entries[4]).toMatchObject({
    subject_id: key.id,
    before: { revoked_at: null },
    after: { replaced_by: rotated.id },
  })
  for (const secret of secrets) expect(text).not.toContain(secret)
})

test("the Owner can find a tenant's audit log entries by action and day", async () => {
  const tenant = (await as.owner('POST', '/v1/tenants', { name: 'Sought', role: 'client' })).data
  await as.owner('PATCH', `/v1/tenants/${tenant.id}`, { name: 'Sought, renamed' })
  const acts = async (query: string) =>
    (await as.owner('GET', `/v1/audit-log?tenant_id=${tenant.id}&${query}`)).data.items.map(
      (each: { action: string }) => each.action,
    )
  const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
  expect(await acts('')).toEqual(['tenant.update', 'tenant.create'])
  expect(await acts('action=tenant.create')).toEqual(['tenant.create'])
  expect(await acts(`from=${today}&to=${today}`)).toEqual(['tenant.update', 'tenant.create'])
  expect(await acts('to=2026-01-01')).toEqual([])
  const answer = await as.owner('GET', '/v1/audit-log?from=yesterday')
  expect(answer.error.message).toMatch(/^bad request: from: /)
})

test('only the actor’s own tenant and the Owner see the actor’s email address in the audit log', async () => {
  const partner = await newTenant(app, demo, 'partner')
  const client = await newTenant(app, demo, 'client', partner.id)
  await partner.call('PATCH', `/v1/tenants/${client.id}`, { name: 'Told' })
  await client.call('POST', `/v1/tenants/${client.id}/api-keys`, { mode: 'test' })
  const told = async (call: Call) => {
    const { data } = await call('GET', `/v1/audit-log?tenant_id=${client.id}`)
    const emailOf = (action: string) =>
      data.items.find((each: { action: string }) => each.action === action)?.actor_email
    return [emailOf('tenant.update'), emailOf('api_key.create')]
  }
  expect(await told(client.call)).toEqual([null, client.email])
  expect(await told(partner.call)).toEqual([partner.email, undefined])
  expect(await told(as.owner)).toEqual([partner.email, client.email])
})
