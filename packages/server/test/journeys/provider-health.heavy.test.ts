// Tests what happens while a provider is unreachable. The Owner and Prometheus can see that its account is
// unavailable, and the account gets payments again after the provider recovers. If only one merchant's charges fail,
// the account stays in use.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import type { Demo } from '../../src/demo/demo.ts'
import { type AnyProvider, ProviderError } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { testApp } from '../support/app.ts'
import { managersOf, newTenant } from '../support/management-api.ts'
import { type Answer, merchantOf, until } from '../support/merchant.ts'

/**
 * Returns the test account at Midtrans. The returned function `useOnly` makes it a tenant's only account, so that
 * every charge goes to it.
 */
async function testAccount(demo: Demo) {
  const { owner } = await managersOf(demo)
  const { data: accounts } = await owner('GET', '/v1/providers/midtrans/accounts')
  const account = accounts.items.find((each: { mode: string }) => each.mode === 'test')
  const items = [{ provider_account_id: account.id, priority: 1 }]
  const useOnly = (tenantId: string) => owner('PUT', `/v1/tenants/${tenantId}/entitlements`, { items })
  return { owner, account, useOnly }
}

test('routing avoids an account whose provider is unreachable until a probe succeeds', async () => {
  const { demo, app, advance } = await testApp({ worker: false })
  const { owner, account, useOnly } = await testAccount(demo)
  await useOnly(demo.client.tenant_id)
  const shop = merchantOf(demo)
  const health = async () => {
    const { data } = await owner('GET', '/v1/provider-health')
    return data.items.find((each: { account_id: string }) => each.account_id === account.id)
  }
  const gauge = async () => {
    const text = await (await fetch(`${demo.base_url}/metrics`)).text()
    const [, value] =
      new RegExp(`^gapura_provider_circuit_open{.*${account.id}.*} (.*)$`, 'm').exec(text) ?? []
    return value
  }
  const moveTo = async (baseUrl: string) => {
    await owner('PATCH', `/v1/providers/midtrans/accounts/${account.id}`, { base_url: baseUrl })
    await until(
      'the service uses the new address of the account',
      async () => (await app.accountOf(account.id))?.account.baseUrl === baseUrl,
    )
  }

  const { data } = await owner('GET', '/v1/provider-health')
  expect(data.items.length).toBe(demo.provider_accounts.length)
  expect(await health()).toMatchObject({ circuit: 'closed', since: null, calls: 0, p50_latency_ms: null })
  await until('the new entitlement is in use', async () => {
    await shop.create()
    return (await health()).calls > 0
  })
  expect(await gauge()).toBe('0')

  // Nothing listens on port 1, so it is certain that a charge creates nothing at the provider.
  await moveTo('http://127.0.0.1:1')
  const refused = await Promise.all(Array.from({ length: 20 }, () => shop.create()))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([502]))
  const avoided = await health()
  expect(avoided).toMatchObject({ circuit: 'open', failures: 20, next_probe_at: expect.any(String) })
  expect(avoided.failure_rate).toBe(20 / avoided.calls)
  expect(await gauge()).toBe('1')

  await moveTo(account.base_url)
  advance(10_000)
  await until('a probe closes the circuit', async () => (await health()).circuit === 'closed')
  expect(await gauge()).toBe('0')
  expect((await shop.create()).status).toBe(200)
})

test('a provider account stays in use if only one of its merchants gets unreadable charge responses', async () => {
  const { demo, app } = await testApp({ worker: false })
  const { account, useOnly } = await testAccount(demo)
  const third = await newTenant(app, demo, 'client')
  const { key } = await createApiKey(app, null, third.id, { name: 'unlucky', mode: 'test' })
  await useOnly(third.id)
  const [unlucky, ...others] = [key, demo.client.test_key, demo.client2.test_key].map(each =>
    merchantOf(demo, each),
  )
  const circuit = () => app.health.all().find(({ accountId }) => accountId === account.id)
  const badly = (shop = unlucky) => shop?.create({ customer_name: 'SANDBOX NOT JSON' })

  for (const shop of others) expect((await shop.create()).data.provider).toBe('midtrans')
  await until('the new entitlement is in use', async () => (await unlucky?.create())?.status === 200)
  await Promise.all(Array.from({ length: 20 }, () => badly()))
  expect(circuit()).toMatchObject({ circuit: 'closed', failures: 20 })

  await badly(others[0])
  expect(circuit()).toMatchObject({ circuit: 'open', failures: 21 })
})

test("create requests above an unresponsive account's charge limit get 429 and store nothing", async () => {
  const midtrans = providers.get('midtrans') as AnyProvider
  let charge = midtrans.charge
  const provider: AnyProvider = { ...midtrans, charge: (account, order) => charge(account, order) }
  const { demo, app } = await testApp({
    worker: false,
    overrides: { providers: new Map([...providers, ['midtrans', provider]]) },
  })
  const { useOnly } = await testAccount(demo)
  await useOnly(demo.client.tenant_id)
  const shop = merchantOf(demo)
  const stored = async () => (await app.db.raw('select count(*)::int as n from payments')).rows[0].n
  const noAnswer = () => Promise.reject(new ProviderError('unknown', 'no answer within 10 s'))
  charge = noAnswer
  await until('the new entitlement is in use', async () => (await shop.create()).status === 502)

  const gate = Promise.withResolvers<void>()
  charge = () => gate.promise.then(noAnswer)
  const before = await stored()
  const refused: Answer[] = []
  const requests = Array.from({ length: 80 }, async () => {
    const answer = await shop.create()
    if (answer.status === 429) refused.push(answer)
    return answer.status
  })
  await until('all requests above the limit are rejected', async () => refused.length === 16)
  for (const { error } of refused) expect(error.message).toContain('are waiting for the provider')
  expect(await stored()).toBe(before + 64)
  gate.resolve()
  expect((await Promise.all(requests)).filter(status => status === 502)).toHaveLength(64)
})

test.each([
  ['own', 429],
  ['all', 503],
] as const)(
  'if too many charges are waiting for the provider (limit %s), a create request gets the HTTP status %i, stores nothing, and can be repeated',
  async (bound, status) => {
    const { demo, app } = await testApp({ worker: false })
    const shop = merchantOf(demo)
    const { exceededChargeLimit } = app.health
    const countOf = async (table: string) =>
      (await app.db.raw(`select count(*)::int as n from ${table}`)).rows[0].n
    const stored = () => Promise.all(['payments', 'payment_references', 'payment_transitions'].map(countOf))
    const before = await stored()
    const key = randomUUID()
    app.health.exceededChargeLimit = () => bound
    const refused = await shop.create({}, key)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([status, '1'])
    expect(refused.error?.message).toContain(
      'are waiting for the provider; the request was not processed, retry',
    )
    expect(await stored()).toEqual(before)
    app.health.exceededChargeLimit = exceededChargeLimit
    expect((await shop.create({}, key)).status).toBe(200)
  },
)
