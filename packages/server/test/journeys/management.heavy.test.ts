import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { type TestApp, testApp } from '../support/app.ts'
import {
  type Call,
  callsAs,
  type Managers,
  managersOf,
  newTenant,
  refusal,
} from '../support/management-api.ts'
import { type Answer, http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let as: Managers

beforeAll(async () => {
  ;({ app, demo } = await testApp())
  as = await managersOf(demo)
})

const aUser = () => ({ email: `${randomUUID()}@example.com`, password: 'correct horse' })

describe('each operation accepts callers with a permitted role and rejects all others', () => {
  type Situation =
    | 'nobody'
    | 'a key'
    | 'a client for itself'
    | 'a client for another'
    | 'a partner for itself'
    | 'a partner for its client'
    | 'a partner for another'
    | 'the owner'

  const onlyUsers = { nobody: 401, 'a key': 401 }
  const aboveClients = { ...onlyUsers, 'a client for itself': 403, 'a client for another': 403 }
  const below = { 'a partner for its client': 200, 'a partner for another': 404, 'the owner': 200 }
  const ofOwner = {
    'a partner for itself': 403,
    'a partner for its client': 403,
    'a partner for another': 403,
  }
  const looksAt: Record<Situation, number> = { ...aboveClients, ...below, 'a partner for itself': 200 }
  const manages: Record<Situation, number> = { ...aboveClients, ...below, 'a partner for itself': 403 }
  const anybodyAbove: Record<Situation, number> = { ...looksAt, 'a partner for another': 200 }
  const looksAfter: Record<Situation, number> = {
    ...onlyUsers,
    ...below,
    'a client for itself': 200,
    'a client for another': 404,
    'a partner for itself': 200,
  }
  const owns: Record<Situation, number> = { ...aboveClients, ...ofOwner, 'the owner': 200 }

  const keyOf = async (tenantId: string) =>
    (await createApiKey(app, null, tenantId, { name: 'x', mode: 'test' })).id
  const entitlementsOf = async (id: string) => (await as.owner('GET', `/v1/tenants/${id}/entitlements`)).data

  type Asked = (call: Call, tenantId: string) => Promise<Answer>
  const operations: [string, Record<Situation, number>, Asked][] = [
    ['GET tenants', anybodyAbove, call => call('GET', '/v1/tenants')],
    ['POST tenants', anybodyAbove, call => call('POST', '/v1/tenants', { name: 'x' })],
    ['GET tenant', looksAt, (call, id) => call('GET', `/v1/tenants/${id}`)],
    ['PATCH tenant', manages, (call, id) => call('PATCH', `/v1/tenants/${id}`, { status: 'active' })],
    ['GET users', looksAt, (call, id) => call('GET', `/v1/tenants/${id}/users`)],
    ['POST users', looksAfter, (call, id) => call('POST', `/v1/tenants/${id}/users`, aUser())],
    ['GET api-keys', looksAt, (call, id) => call('GET', `/v1/tenants/${id}/api-keys`)],
    ['POST api-keys', looksAfter, (call, id) => call('POST', `/v1/tenants/${id}/api-keys`, { mode: 'test' })],
    [
      'DELETE api-keys',
      looksAfter,
      async (call, id) => call('DELETE', `/v1/tenants/${id}/api-keys/${await keyOf(id)}`),
    ],
    [
      'POST rotate',
      looksAfter,
      async (call, id) => call('POST', `/v1/tenants/${id}/api-keys/${await keyOf(id)}/rotate`),
    ],
    ['GET entitlements', looksAt, (call, id) => call('GET', `/v1/tenants/${id}/entitlements`)],
    [
      'PUT entitlements',
      manages,
      async (call, id) => call('PUT', `/v1/tenants/${id}/entitlements`, await entitlementsOf(id)),
    ],
    ['GET routing-rules', looksAt, (call, id) => call('GET', `/v1/tenants/${id}/routing-rules`)],
    [
      'PUT routing-rules',
      manages,
      (call, id) => call('PUT', `/v1/tenants/${id}/routing-rules`, { items: [] }),
    ],
    ['GET providers', owns, call => call('GET', '/v1/providers')],
    ['GET accounts', owns, call => call('GET', '/v1/providers/midtrans/accounts')],
    [
      'POST accounts',
      owns,
      call =>
        call('POST', '/v1/providers/midtrans/accounts', {
          mode: 'test',
          name: 'x',
          credentials: { server_key: 'k' },
        }),
    ],
    [
      'PATCH account',
      owns,
      call => {
        const path = `/v1/providers/midtrans/accounts/${demo.provider_accounts[0]?.id}`
        return call('PATCH', path, { enabled: true })
      },
    ],
  ]

  test.each(operations)(
    'the operation %s is allowed for exactly the roles that this test lists for it',
    async (_, expected, ask) => {
      const { partner, client, client2 } = demo
      const key = callsAs(demo, `ApiKey ${client.live_key}`)
      const situations: Record<Situation, [Call, string]> = {
        nobody: [callsAs(demo), client.tenant_id],
        'a key': [key, client.tenant_id],
        'a client for itself': [as.client, client.tenant_id],
        'a client for another': [as.client, client2.tenant_id],
        'a partner for itself': [as.partner, partner.tenant_id],
        'a partner for its client': [as.partner, client.tenant_id],
        'a partner for another': [as.partner, client2.tenant_id],
        'the owner': [as.owner, client2.tenant_id],
      }
      const got: Record<string, number> = {}
      for (const [situation, [call, tenantId]] of Object.entries(situations)) {
        const answer = await ask(call, tenantId)
        got[situation] = answer.status
        if (answer.status === 404)
          expect(answer.error).toEqual({
            code: 'NOT_FOUND',
            message: `not found: tenant ${tenantId} not found`,
          })
        if (answer.status === 403) expect(answer.error.message).toMatch(/^forbidden: /)
      }
      expect(got).toEqual(expected)
    },
  )

  test('every user can read the account of their own tenant, but an API key cannot', async () => {
    for (const path of ['/v1/account', '/v1/account/api-keys']) {
      for (const call of Object.values(as)) expect((await call('GET', path)).status).toBe(200)
      expect((await callsAs(demo, `ApiKey ${demo.client.test_key}`)('GET', path)).status).toBe(401)
    }
    const { data } = await as.client('GET', '/v1/account')
    expect(data).toMatchObject({
      id: demo.client.tenant_id,
      role: 'client',
      parent_id: demo.partner.tenant_id,
    })
    expect(data.user.email).toBe(demo.client.email)
  })

  test('a Client sees the name of its Partner in its account, but cannot read the Partner’s account', async () => {
    const { data: partner } = await as.partner('GET', '/v1/account')
    expect(partner.partner_name).toBeNull()
    expect((await as.client('GET', '/v1/account')).data.partner_name).toBe(partner.name)
    expect((await as.client('GET', `/v1/tenants/${partner.id}`)).status).toBe(403)
  })

  test('a request for an unknown tenant returns 404, even if the id is not a UUID', async () => {
    for (const id of [randomUUID(), 'x', '%20', `${demo.client.tenant_id}0`])
      expect((await as.owner('GET', `/v1/tenants/${id}/users`)).status).toBe(404)
  })
})

describe('only the Owner and Partners can create a tenant', () => {
  const made = (call: Call, body: object) => call('POST', '/v1/tenants', body)

  test('a tenant created by the Owner is a Client in the lowest tier by default', async () => {
    const { data } = await made(as.owner, { name: ' Toko Sari ' })
    expect(data).toMatchObject({
      name: 'Toko Sari',
      role: 'client',
      tier: 'starter',
      parent_id: null,
      status: 'active',
    })
    expect((await as.owner('GET', `/v1/tenants/${data.id}`)).data).toEqual(data)
    const partner = await made(as.owner, { name: 'Reseller', role: 'partner', tier: 'growth' })
    const client = await made(as.owner, { name: 'Shop', parent_id: partner.data.id })
    expect([partner.data.role, client.data.parent_id]).toEqual(['partner', partner.data.id])
  })

  test("a tenant created by a Partner is the Partner's Client and has at most the Partner's tier", async () => {
    const { data } = await made(as.partner, { name: 'Warung', tier: 'growth' })
    expect(data).toMatchObject({ role: 'client', tier: 'growth', parent_id: demo.partner.tenant_id })
    for (const body of [
      { role: 'partner' },
      { role: 'owner' },
      { tier: 'enterprise' },
      { parent_id: demo.client2.tenant_id },
    ])
      expect(refusal(await made(as.partner, { name: 'Warung', ...body })).slice(0, 2)).toEqual([
        403,
        'FORBIDDEN',
      ])
  })

  test('a new tenant cannot have the role Owner, and a Client cannot create a tenant', async () => {
    expect((await made(as.owner, { name: 'Second', role: 'owner' })).status).toBe(403)
    expect((await made(as.client, { name: 'Mine' })).status).toBe(403)
  })

  test('a new tenant has balances and a webhook secret immediately', async () => {
    const { id, call } = await newTenant(app, demo, 'client')
    expect((await call('GET', '/v1/account/balance?mode=live')).data.balance).toBe(0)
    const { rows } = await app.db.raw('select secret_sealed from webhook_endpoints where tenant_id = ?', [id])
    expect(rows).toHaveLength(1)
  })

  test.each<[object, string]>([
    [{}, 'name: '],
    [{ name: '  ' }, 'name: must not be empty'],
    [{ name: 'x'.repeat(256) }, 'name: must be at most 255 characters'],
    [{ name: 'a\0b' }, 'name: must be well-formed'],
    [{ name: 'x', role: 'king' }, 'role: '],
    [{ name: 'x', tier: 1 }, 'tier: '],
    [{ name: 'x', parent_id: 'y' }, 'parent_id: must be a UUID'],
    [{ name: 'x', parent_id: randomUUID() }, 'parent_id: must be a partner tenant'],
    [
      { name: 'x', role: 'partner', parent_id: randomUUID() },
      'parent_id: must be null: a partner has no parent',
    ],
  ])('a new tenant with an invalid field is rejected: %o', async (body, message) => {
    const [status, code, told] = refusal(await made(as.owner, body))
    expect([status, code]).toEqual([400, 'BAD_REQUEST'])
    expect(told).toContain(`bad request: ${message}`)
  })

  test("the API and the database reject a Client as a new tenant's parent", async () => {
    const answer = await made(as.owner, { name: 'x', parent_id: demo.client.tenant_id })
    expect(refusal(answer)[2]).toBe('bad request: parent_id: must be a partner tenant')
    await expect(
      app.db.raw('update tenants set parent_id = ? where id = ?', [
        demo.client.tenant_id,
        demo.client2.tenant_id,
      ]),
    ).rejects.toMatchObject({ constraint: 'tenants_parent_is_a_partner' })
  })
})

test('the Owner lists all tenants and a Partner lists its own Clients, in pages', async () => {
  const partner = await newTenant(app, demo, 'partner')
  const clients: string[] = []
  for (let i = 0; i < 5; i++) clients.unshift((await newTenant(app, demo, 'client', partner.id)).id)
  const seen: string[] = []
  let cursor: string | null = ''
  do {
    const { data } = await partner.call('GET', `/v1/tenants?limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...data.items.map((each: { id: string }) => each.id))
    cursor = data.next_cursor
  } while (cursor !== null)
  expect(seen).toEqual(clients)
  const all = await as.owner('GET', '/v1/tenants?limit=100')
  expect(all.data.items.map((each: { id: string }) => each.id)).toEqual(
    expect.arrayContaining([...clients, partner.id, demo.owner.tenant_id, demo.client2.tenant_id]),
  )
  expect((await as.owner('GET', '/v1/tenants?limit=0')).status).toBe(400)
  expect((await as.owner('GET', '/v1/tenants?cursor=x')).status).toBe(400)
})

test('the tenant list can be filtered by role and by part of the name', async () => {
  const name = `Toko 100%_${randomUUID()}`
  const partner = (await as.owner('POST', '/v1/tenants', { name: name.toUpperCase(), role: 'partner' })).data
  const client = (await as.owner('POST', '/v1/tenants', { name, parent_id: partner.id })).data
  const found = async (query: Record<string, string>) =>
    (await as.owner('GET', `/v1/tenants?${new URLSearchParams(query)}`)).data.items
  expect(await found({ q: name.slice(3) })).toEqual([client, partner])
  expect(await found({ q: name, role: 'partner' })).toEqual([partner])
  expect(await found({ q: randomUUID() })).toEqual([])
  expect((await as.owner('GET', '/v1/tenants?role=none')).status).toBe(400)
})

describe("a tenant's managers can change and suspend the tenant", () => {
  test("a suspended tenant's API keys and logins stop working within a second, but its open payments can still be paid", async () => {
    const shop = merchantOf(demo, demo.client2.test_key)
    const payment = (await shop.create()).data
    const path = `/v1/tenants/${demo.client2.tenant_id}`
    expect((await as.owner('PATCH', path, { status: 'suspended' })).data.status).toBe('suspended')
    const login = { email: demo.client2.email, password: demo.client2.password }
    const refused = await http('POST', `${demo.base_url}/v1/auth/login`, { body: login })
    expect(refusal(refused)).toEqual([403, 'FORBIDDEN', 'forbidden: this tenant is suspended'])
    await new Promise(resolve => setTimeout(resolve, 1_000))
    for (const answer of [await shop.get(payment.id), await as.client2('GET', '/v1/account')])
      expect(refusal(answer)).toEqual([403, 'FORBIDDEN', 'forbidden: this tenant is suspended'])

    const [callback] = await simulate(demo, payment, 'paid')
    expect(callback?.status).toBe(200)
    await as.owner('PATCH', path, { status: 'active' })
    await until('the payment is paid', async () => (await shop.get(payment.id)).data?.status === 'paid')
    await logIn(demo, demo.client2)
  })

  test('updating a tenant leaves fields that the request omits unchanged', async () => {
    const { id } = await newTenant(app, demo, 'client')
    const before = (await as.owner('GET', `/v1/tenants/${id}`)).data
    const renamed = (await as.owner('PATCH', `/v1/tenants/${id}`, { name: 'Renamed' })).data
    expect(renamed).toEqual({ ...before, name: 'Renamed', updated_at: expect.any(String) })
    const raised = (await as.owner('PATCH', `/v1/tenants/${id}`, { tier: 'enterprise' })).data
    expect(raised).toEqual({ ...renamed, tier: 'enterprise', updated_at: expect.any(String) })
  })

  test("only the Owner can change a tenant's tier", async () => {
    const path = `/v1/tenants/${demo.client.tenant_id}`
    expect(refusal(await as.partner('PATCH', path, { tier: 'starter' }))).toEqual([
      403,
      'FORBIDDEN',
      "forbidden: tier: must stay the same: only the Owner can change a tenant's tier",
    ])
    expect((await as.partner('PATCH', path, { name: 'Toko Budi' })).data.tier).toBe('enterprise')
  })

  test('a Partner gets 403 if it reactivates a Client that the Owner suspended', async () => {
    const path = `/v1/tenants/${demo.client.tenant_id}`
    expect((await as.owner('PATCH', path, { status: 'suspended' })).data.suspended_by_owner).toBe(true)
    expect(refusal(await as.partner('PATCH', path, { name: 'Renamed', status: 'active' }))).toEqual([
      403,
      'FORBIDDEN',
      `forbidden: the Owner suspended tenant ${demo.client.tenant_id}; ask the operator of the service to reactivate it`,
    ])
    expect((await as.partner('GET', path)).data).toMatchObject({
      ...{ name: 'Toko Budi', status: 'suspended', suspended_by_owner: true },
    })
    const reactivated = (await as.owner('PATCH', path, { status: 'active' })).data
    expect(reactivated).toMatchObject({ status: 'active', suspended_by_owner: false })
  })

  test('users cannot suspend their own tenant, even if the request contains the tenant ID in uppercase', async () => {
    for (const id of [demo.owner.tenant_id, demo.owner.tenant_id.toUpperCase()])
      expect(refusal(await as.owner('PATCH', `/v1/tenants/${id}`, { status: 'suspended' }))).toEqual([
        409,
        'CONFLICT',
        'conflict: you cannot suspend your own tenant',
      ])
  })

  test.each<[object, string]>([
    [{ name: '' }, 'name'],
    [{ status: 'gone' }, 'status'],
    [{ tier: 'gold' }, 'tier'],
  ])('a change of a tenant with an invalid field is rejected: %o', async (body, field) => {
    const answer = await as.owner('PATCH', `/v1/tenants/${demo.client.tenant_id}`, body)
    expect(answer.status).toBe(400)
    expect(answer.error.message).toContain(`bad request: ${field}: `)
  })

  test('the last active Owner cannot be suspended, even if two Owners suspend each other concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = await Promise.all([newTenant(app, demo, 'owner'), newTenant(app, demo, 'owner')])
      await app.db.raw(`update tenants set status = 'suspended' where role = 'owner' and id not in (?, ?)`, [
        one.id,
        other.id,
      ])
      const answers = await Promise.all([
        one.call('PATCH', `/v1/tenants/${other.id}`, { status: 'suspended' }),
        other.call('PATCH', `/v1/tenants/${one.id}`, { status: 'suspended' }),
      ])
      const statuses = answers.map(({ status }) => status).sort()
      expect([
        [200, 409],
        [200, 403],
      ]).toContainEqual(statuses)
      const { rows } = await app.db.raw(
        `select count(*)::int as left from tenants where role = 'owner' and status = 'active'`,
      )
      expect(rows).toEqual([{ left: 1 }])
    }
    await app.db.raw(`update tenants set status = 'active' where id = ?`, [demo.owner.tenant_id])
    await until(
      'the Owner can log in again',
      async () => (await as.owner('GET', '/v1/account')).status === 200,
    )
  })
})
