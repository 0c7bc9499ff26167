// Tests provider accounts, the tenants that may use them (entitlements), and payment routing to them.

import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { type Call, type Managers, managersOf, newTenant, refusal } from '../support/management-api.ts'
import { merchantOf } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let as: Managers
const logged: string[] = []

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _, done) {
      logged.push(String(chunk))
      done()
    },
  })
  ;({ app, demo } = await testApp({ overrides: { log: pino({ level: 'debug' }, sink) } }))
  as = await managersOf(demo)
})

const aSecond = () => new Promise(resolve => setTimeout(resolve, 1_000))

const SERVER_KEY = 'SB-Mid-server-very-secret'
const accounts = '/v1/providers/midtrans/accounts'
const anAccount = (extra: object = {}) =>
  as.owner('POST', accounts, {
    mode: 'test',
    name: 'Second',
    credentials: { server_key: SERVER_KEY },
    base_url: `${demo.sandbox_url}/midtrans`,
    ...extra,
  })
const accountId = async (): Promise<string> => (await anAccount()).data.id
const items = (...ids: string[]) => ({
  items: ids.map((id, priority) => ({ provider_account_id: id, priority })),
})
const grant = (call: Call, tenantId: string, ...ids: string[]) =>
  call('PUT', `/v1/tenants/${tenantId}/entitlements`, items(...ids))
const granted = async (tenantId: string): Promise<string[]> =>
  (await as.owner('GET', `/v1/tenants/${tenantId}/entitlements`)).data.items.map(
    (each: { provider_account_id: string }) => each.provider_account_id,
  )

describe('the Owner can manage provider accounts', () => {
  test('a provider account can be created, listed, and changed, but no response contains its credentials', async () => {
    const made = await anAccount()
    expect(made.data).toMatchObject({
      provider_code: 'midtrans',
      mode: 'test',
      name: 'Second',
      enabled: true,
    })
    const { id } = made.data
    const changed = await as.owner('PATCH', `${accounts}/${id}`, {
      name: 'Renamed',
      credentials: { server_key: `${SERVER_KEY}-2` },
      base_url: null,
    })
    expect(changed.data).toEqual({
      ...made.data,
      name: 'Renamed',
      base_url: null,
      updated_at: expect.any(String),
      previous_credentials: [{ replaced_at: expect.any(String), valid_until: expect.any(String) }],
    })
    const kept = await as.owner('PATCH', `${accounts}/${id}`, { enabled: false })
    expect(kept.data).toMatchObject({ name: 'Renamed', base_url: null, enabled: false })
    const list = await as.owner('GET', `${accounts}?limit=100`)
    expect(list.data.items[0]).toEqual(kept.data)
    const audit = await as.owner('GET', '/v1/audit-log?limit=100')
    expect(audit.text).toContain('provider_account.update')
    for (const { text } of [made, changed, kept, list, audit]) expect(text).not.toContain(SERVER_KEY)
    expect(logged.join('')).toContain('PATCH')
    expect(logged.join('')).not.toContain(SERVER_KEY)
    const { rows } = await app.db.raw(
      'select to_jsonb(a)::text as text from provider_accounts a where id = ?',
      [id],
    )
    expect(rows[0].text).not.toContain(SERVER_KEY)
  })

  test.each<[object, string]>([
    [{ mode: 'sandbox' }, 'mode: must be one of live, test'],
    [{ name: ' ' }, 'name: must not be empty'],
    [{ credentials: undefined }, 'credentials: '],
    [{ credentials: { server_key: 7 } }, 'credentials.server_key: '],
    [{ credentials: {} }, 'credentials.server_key: '],
    [{ base_url: 'ftp://example.com' }, 'base_url: must be an http or https URL'],
    [{ base_url: 'file:///etc/passwd' }, 'base_url: must be an http or https URL'],
    [
      { base_url: 'https://user:secret@example.com' },
      'base_url: must be an http or https URL without a user name',
    ],
    [{ base_url: 'example.com' }, 'base_url: must be an http or https URL'],
    [{ enabled: 'yes' }, 'enabled: '],
  ])(
    'creating or changing a provider account with an invalid field is rejected: %o',
    async (fields, message) => {
      const refused = [await anAccount(fields)]
      if (!('mode' in fields) && Object.values(fields).some(value => value !== undefined))
        refused.push(await as.owner('PATCH', `${accounts}/${demo.provider_accounts[0]?.id}`, fields))
      for (const answer of refused) {
        expect(answer.status).toBe(400)
        expect(answer.error.message).toContain(`bad request: ${message}`)
        expect(answer.text).not.toContain(SERVER_KEY)
      }
    },
  )

  test("a provider account's base URL is stored with a lowercase host and without trailing slashes", async () => {
    expect((await anAccount({ base_url: ' HTTPS://Api.Example.com/v1// ' })).data.base_url).toBe(
      'https://api.example.com/v1',
    )
    expect((await anAccount({ base_url: undefined })).data.base_url).toBeNull()
  })

  test('requests for provider accounts with an unknown provider or ID return NOT_FOUND', async () => {
    const none = [404, 'NOT_FOUND', 'not found: provider paypal not found']
    expect(refusal(await as.owner('GET', '/v1/providers/paypal/accounts'))).toEqual(none)
    expect(
      refusal(await as.owner('POST', '/v1/providers/paypal/accounts', (await anAccount()).data)),
    ).toEqual([400, 'BAD_REQUEST', expect.stringContaining('credentials')])
    expect(
      refusal(
        await as.owner('POST', '/v1/providers/paypal/accounts', { mode: 'test', name: 'x', credentials: {} }),
      ),
    ).toEqual(none)
    for (const id of [randomUUID(), 'x'])
      expect(refusal(await as.owner('PATCH', `${accounts}/${id}`, { enabled: true }))).toEqual([
        404,
        'NOT_FOUND',
        `not found: provider account ${id} not found`,
      ])
  })

  test('a disabled provider account gets no new payments after one second, but its payments remain readable', async () => {
    const shop = await newTenant(app, demo, 'client')
    const id = await accountId()
    await grant(as.owner, shop.id, id)
    const { key } = (await shop.call('POST', `/v1/tenants/${shop.id}/api-keys`, { mode: 'test' })).data
    const merchant = merchantOf(demo, key)
    const payment = (await merchant.create()).data
    expect(payment.provider).toBe('midtrans')
    await as.owner('PATCH', `${accounts}/${id}`, { enabled: false })
    await aSecond()
    expect((await merchant.create()).status).toBe(400)
    expect((await merchant.get(payment.id)).data.status).toBe('pending')
  })
})

test("the provider list shows each provider's channels and credential names", async () => {
  const { data } = await as.owner('GET', '/v1/providers')
  expect(data.items.map((each: { code: string }) => each.code)).toEqual([...app.providers.keys()])
  const midtrans = data.items.find((each: { code: string }) => each.code === 'midtrans')
  expect(midtrans.credentials).toEqual({
    type: 'object',
    properties: { server_key: {} },
    required: ['server_key'],
  })
  // docs.midtrans.com states that a BCA virtual account accepts amounts from Rp10,000 to Rp20,000,000,000.
  expect(midtrans.methods[0].channels[0]).toEqual({
    code: 'bca',
    name: 'BCA',
    limits: {
      whole_rupiah: true,
      min_amount: 1_000_000,
      max_amount: 2_000_000_000_000,
      min_expiry_minutes: 1,
      max_expiry_minutes: 259_200,
    },
  })
})

describe('entitlements decide which provider accounts a tenant may use', () => {
  test("a new list of a tenant's entitlements (the provider accounts that it may use) replaces the previous list", async () => {
    const { id } = await newTenant(app, demo, 'client')
    const [one, two, three] = [await accountId(), await accountId(), await accountId()]
    const listed = (...ids: string[]) => ({
      items: items(...ids).items.map(item => ({
        ...item,
        provider: 'midtrans',
        name: 'Second',
        mode: 'test',
        enabled: true,
      })),
      next_cursor: null,
    })
    expect((await grant(as.owner, id, one, two)).data).toEqual(listed(one, two))
    expect((await grant(as.owner, id, three, one)).data).toEqual(listed(three, one))
    expect(await granted(id)).toEqual([three, one])
    expect((await grant(as.owner, id)).data.items).toEqual([])
    expect(await granted(id)).toEqual([])
  })

  test.each<[unknown, string]>([
    [undefined, 'items: '],
    [[{}], 'items.0.provider_account_id: is required'],
    [
      [{ provider_account_id: randomUUID() }],
      'items.0.provider_account_id: is not a provider account that you can grant',
    ],
    [[{ provider_account_id: 'A', priority: -1 }], 'items.0.provider_account_id: '],
  ])(
    'a request to set the entitlements of a tenant is rejected if one of its fields is invalid: %o',
    async (list, message) => {
      const answer = await as.owner('PUT', `/v1/tenants/${demo.client.tenant_id}/entitlements`, {
        items: list,
      })
      expect(answer.status).toBe(400)
      expect(answer.error.message).toContain(`bad request: ${message}`)
    },
  )

  test("a tenant's entitlements cannot contain a provider account twice, even in another letter case", async () => {
    const { id } = await newTenant(app, demo, 'client')
    const account = await accountId()
    expect(refusal(await grant(as.owner, id, account, account.toUpperCase()))).toEqual([
      400,
      'BAD_REQUEST',
      'bad request: items.1.provider_account_id: is already in the list',
    ])
  })

  test('a Partner can give a Client only its own provider accounts and accounts the Client already has', async () => {
    const partner = await newTenant(app, demo, 'partner')
    const { id: client } = await newTenant(app, demo, 'client', partner.id)
    const [own, given, foreign] = [await accountId(), await accountId(), await accountId()]
    await grant(as.owner, partner.id, own)
    await grant(as.owner, client, given)
    // The names in the response are null, because a Partner must not see the names of the Owner's accounts.
    expect((await grant(partner.call, client, own, given)).data.items).toEqual(
      [own, given].map((id, priority) => ({
        provider_account_id: id,
        ...{ priority, provider: 'midtrans', name: null, mode: 'test', enabled: true },
      })),
    )
    expect(refusal(await grant(partner.call, client, own, foreign))).toEqual([
      400,
      'BAD_REQUEST',
      'bad request: items.1.provider_account_id: is not a provider account that you can grant',
    ])
    expect(await granted(client)).toEqual([own, given])
    expect((await grant(partner.call, partner.id, own, foreign)).status).toBe(403)
  })

  test('simultaneous requests that replace a tenant’s entitlements leave the provider accounts of only one request', async () => {
    const { id } = await newTenant(app, demo, 'client')
    const sets = [
      [await accountId(), await accountId()],
      [await accountId(), await accountId()],
    ]
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(sets.map(set => grant(as.owner, id, ...set)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(sets).toContainEqual(await granted(id))
    }
  })
})

describe("a tenant's routing rules can be replaced and apply to new payments", () => {
  const put = (tenantId: string, ...rules: object[]) =>
    as.owner('PUT', `/v1/tenants/${tenantId}/routing-rules`, { items: rules })
  const rulesOf = async (tenantId: string) =>
    (await as.owner('GET', `/v1/tenants/${tenantId}/routing-rules`)).data.items
  const entitled = async () => {
    const shop = await newTenant(app, demo, 'client')
    const [first, second] = [await accountId(), await accountId()]
    await grant(as.owner, shop.id, first, second)
    return { ...shop, first, second }
  }

  test('a new list of routing rules replaces all existing rules', async () => {
    const { id, first, second } = await entitled()
    const defaults = { method_type: null, channel: null, min_amount: null, max_amount: null, weight: 1 }
    await put(id, { provider_account_id: first })
    const { data } = await put(
      id,
      { position: 7, provider_account_id: second, method_type: 'qris', weight: 3 },
      { provider_account_id: first, channel: ' BCA ', min_amount: 0, max_amount: 100_000_000_000_000 },
    )
    expect(data).toEqual({
      items: [
        {
          ...defaults,
          position: 2,
          provider_account_id: first,
          channel: 'bca',
          min_amount: 0,
          max_amount: 100_000_000_000_000,
        },
        { ...defaults, position: 7, provider_account_id: second, method_type: 'qris', weight: 3 },
      ],
      next_cursor: null,
    })
    expect(await rulesOf(id)).toEqual(data.items)
    await put(id)
    expect(await rulesOf(id)).toEqual([])
  })

  test('changed routing rules apply to new payments within a second', async () => {
    const { id, second, call } = await entitled()
    const { key } = (await call('POST', `/v1/tenants/${id}/api-keys`, { mode: 'test' })).data
    const shop = merchantOf(demo, key)
    const accountOf = async (paymentId: string) =>
      (await app.db.raw('select provider_account_id as id from payments where id = ?', [paymentId])).rows[0]
        .id
    await put(id, { provider_account_id: second, method_type: 'virtual_account', channel: 'BCA' })
    await aSecond()
    expect(await accountOf((await shop.create()).data.id)).toBe(second)
  })

  test.each<[object, string]>([
    [{ provider_account_id: randomUUID() }, 'provider_account_id: is not a provider account that the tenant'],
    [{ provider_account_id: 'x' }, 'provider_account_id: must be a UUID'],
    [{ position: -1 }, 'position: '],
    [{ method_type: 'cash' }, 'method_type: '],
    [{ method_type: 'cardless_credit' }, 'method_type: '],
    [{ channel: '' }, 'channel: must not be empty'],
    [{ method_type: 'virtual_account', channel: 'bbca' }, 'channel: bbca is not offered by Midtrans'],
    [{ method_type: 'qris', channel: 'bca' }, 'channel: bca is not offered by Midtrans'],
    [{ min_amount: -1 }, 'min_amount: '],
    [{ min_amount: 2, max_amount: 1 }, 'max_amount: must not be below min_amount'],
    [{ weight: 0 }, 'weight: '],
    [{ weight: 1.5 }, 'weight: '],
  ])('routing rules with an invalid field are rejected: %o', async (fault, message) => {
    const { id, first } = await entitled()
    await put(id, { provider_account_id: first })
    const before = await rulesOf(id)
    const answer = await put(
      id,
      { provider_account_id: first, weight: 9 },
      { provider_account_id: first, ...fault },
    )
    expect(answer.status).toBe(400)
    expect(answer.error.message).toContain(`bad request: items.1.${message}`)
    expect(await rulesOf(id)).toEqual(before)
  })

  test('removing the entitlement to a provider account deletes only the routing rules for this account', async () => {
    const { id, first, second } = await entitled()
    await put(id, { provider_account_id: first }, { provider_account_id: second })
    await grant(as.owner, id, second)
    expect(await rulesOf(id)).toMatchObject([{ provider_account_id: second }])
  })

  test('a routing rule never refers to a provider account whose entitlement a concurrent request removes', async () => {
    const { id, first, second } = await entitled()
    for (let round = 0; round < 10; round++) {
      await grant(as.owner, id, first, second)
      const [taken, ruled] = await Promise.all([
        grant(as.owner, id, second),
        put(id, { provider_account_id: first }),
      ])
      expect(taken.status).toBe(200)
      expect([200, 400]).toContain(ruled.status)
      expect(await rulesOf(id)).toEqual([])
    }
  })
})

test("after a change of entitlements, the tenant's users see the new active payment methods within a second", async () => {
  const shop = await newTenant(app, demo, 'client')
  const offered = async () => (await shop.call('GET', '/v1/active-methods')).data.providers.length
  expect(await offered()).toBe(0)
  await grant(as.owner, shop.id, await accountId())
  await aSecond()
  expect(await offered()).toBe(1)
})
