// Tests the route preview, which shows a tenant's managers which provider account a payment would use. A real
// payment must take the previewed route.

import { beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Managers, managersOf, newTenant } from '../support/management-api.ts'
import { type Answer, merchantOf, until } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let as: Managers
let shop: ReturnType<typeof merchantOf>
let tenantId: string
/** The tenant's two Midtrans accounts, in order of priority. */
let accounts: [first: string, second: string]

const open = new Set<string>()
let asked = 0

beforeAll(async () => {
  ;({ app, demo } = await testApp({ worker: false }))
  as = await managersOf(demo)
  const { isOpen, all } = app.health
  app.health.isOpen = id => {
    asked += 1
    return open.has(id) || isOpen(id)
  }
  app.health.all = () => [
    ...all().filter(({ accountId }) => !open.has(accountId)),
    ...[...open].map(
      accountId => ({ accountId, circuit: 'open' as const }) as ReturnType<typeof all>[number],
    ),
  ]
  ;({ id: tenantId } = await newTenant(app, demo, 'client', demo.partner.tenant_id))
  shop = merchantOf(demo, (await createApiKey(app, null, tenantId, { name: 'shop', mode: 'test' })).key)
  const account = async (name: string): Promise<string> => {
    const credentials = { server_key: 'SB-Mid-server-of-mine' }
    const body = { mode: 'test', name, credentials, base_url: `${demo.sandbox_url}/midtrans` }
    return (await as.owner('POST', '/v1/providers/midtrans/accounts', body)).data.id
  }
  accounts = [await account('The first'), await account('The second')]
  const items = accounts.map((provider_account_id, priority) => ({ provider_account_id, priority }))
  await as.owner('PUT', `/v1/tenants/${tenantId}/entitlements`, { items })
  // Waits until the service has read the tenant's new list of provider accounts that it may use.
  await until('the account can be used', async () => (await shop.create()).status === 200)
})

const order = { mode: 'test', method_type: 'virtual_account', channel: 'bca', amount: '10000000' }
const path = (wanted: object = {}, of = tenantId) =>
  `/v1/tenants/${of}/route?${new URLSearchParams({ ...order, ...wanted })}`
const preview = async (wanted: object = {}): Promise<Answer['data'][]> =>
  (await as.owner('GET', path(wanted))).data.items
const setRules = (...items: object[]) => as.owner('PUT', `/v1/tenants/${tenantId}/routing-rules`, { items })
const accountOf = async ({ id }: { id: string }): Promise<string> => {
  const { rows } = await app.db.raw('select provider_account_id as id from payments where id = ?', [id])
  return rows[0].id
}

describe('a route preview shows which provider accounts a payment would use, and creates nothing', () => {
  test('a route preview lists every provider account in order, with its health and the reason for its position', async () => {
    await setRules({ provider_account_id: accounts[1], weight: 3, position: 5 })
    const shared = { provider: 'midtrans', chance: 1, circuit: 'closed', refusal: null }
    expect(await preview()).toEqual([
      {
        ...shared,
        place: 1,
        provider_account_id: accounts[1],
        name: 'The second',
        source: 'rule',
        rule_position: 5,
        weight: 3,
        priority: 1,
      },
      {
        ...shared,
        place: 2,
        provider_account_id: accounts[0],
        name: 'The first',
        source: 'priority',
        rule_position: null,
        weight: null,
        priority: 0,
      },
    ])
  })

  test('a payment goes to the provider account that the route preview lists first', async () => {
    for (const [index, other] of [1, 0].entries()) {
      await setRules({ provider_account_id: accounts[index], position: 1, channel: 'bca' })
      expect((await preview({ channel: 'BCA' }))[0].provider_account_id).toBe(accounts[index])
      expect((await preview({ channel: 'BCA' }))[1].provider_account_id).toBe(accounts[other])
      await until('the new routing rule is in use', async () => {
        const { data } = await shop.create()
        return (await accountOf(data)) === accounts[index]
      })
    }
  })

  test('for rules at one position, a route preview shows how likely each account is to be tried first', async () => {
    await setRules(
      { provider_account_id: accounts[0], position: 1, weight: 1 },
      { provider_account_id: accounts[1], position: 1, weight: 3 },
    )
    expect((await preview()).map(({ place, chance, name }) => [place, chance, name])).toEqual([
      [1, 0.75, 'The second'],
      [1, 0.25, 'The first'],
    ])
    await setRules()
  })

  test('a route preview shows an open circuit breaker without using up its trial charge', async () => {
    open.add(accounts[0])
    const before = asked
    expect((await preview()).map(({ circuit }) => circuit)).toEqual(['open', 'closed'])
    expect(asked).toBe(before)
    open.delete(accounts[0])
  })

  test('a route preview shows the error message that creating the payment would return', async () => {
    const [{ refusal }] = await preview({ amount: '150' })
    const { error } = await shop.create({ amount: 150 })
    expect(error.message).toBe(`bad request: ${refusal}`)
    expect(refusal).toMatch(/^amount: Midtrans accepts only whole rupiah/)
  })

  test.each([
    ['an unknown channel', { channel: 'bogus' }],
    ['the other mode', { mode: 'live' }],
    ['a method that does not match the channel', { method_type: 'qris' }],
  ])(
    'a route preview for %s contains no account, because no account can process such a payment',
    async (_, wanted) => {
      expect(await preview(wanted)).toEqual([])
    },
  )

  test('a route preview creates no payment and calls no provider', async () => {
    const count = async () => (await app.db.raw('select count(*) from payments')).rows[0].count
    const before = await count()
    await preview()
    expect(await count()).toBe(before)
  })

  test.each([
    [{ mode: 'sandbox' }, 'mode: must be one of live, test'],
    [{ method_type: 'cash' }, 'method_type: must be one of '],
    [{ channel: ' ' }, 'channel: must not be empty'],
    [{ amount: '0' }, 'amount: '],
    [{ amount: '1.5' }, 'amount: '],
    [{ amount: 'all' }, 'amount: '],
  ])(
    'a route preview for an invalid payment is rejected, and the error names the field: %o',
    async (wanted, message) => {
      const { status, error } = await as.owner('GET', path(wanted))
      expect([status, error.message]).toEqual([400, expect.stringContaining(`bad request: ${message}`)])
    },
  )
})

describe("the Owner and Partners can preview their tenants' routes, but Clients cannot", () => {
  test("a Partner sees the same route preview as the Owner, but without the names of the Owner's accounts", async () => {
    const { status, data } = await as.partner('GET', path())
    expect(status).toBe(200)
    expect(data.items).toEqual((await preview()).map(item => ({ ...item, name: null })))
  })

  test('a Partner gets NOT_FOUND for the route preview of an unknown tenant or another Partner’s Client', async () => {
    const other = await newTenant(app, demo, 'partner')
    const none = newId()
    for (const answer of [await other.call('GET', path()), await as.owner('GET', path({}, none))])
      expect([answer.status, answer.error.code]).toEqual([404, 'NOT_FOUND'])
    expect((await as.owner('GET', path({}, 'none'))).status).toBe(404)
  })

  test('a Client cannot use route previews, not even for its own payments', async () => {
    expect((await as.client('GET', path())).status).toBe(403)
    expect((await as.client('GET', path({}, demo.client.tenant_id))).status).toBe(403)
  })
})
