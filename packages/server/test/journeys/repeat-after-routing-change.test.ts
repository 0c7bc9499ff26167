// Tests repeated create requests for payments that no provider account has accepted, after the operator has changed the
// tenant's provider accounts.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type AnyProvider, ProviderError } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { managersOf } from '../support/management-api.ts'
import { merchantOf, until } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let merchant: ReturnType<typeof merchantOf>
const isAway = { midtrans: false }

beforeAll(async () => {
  const midtrans = providers.get('midtrans') as AnyProvider
  const guarded: AnyProvider = {
    ...midtrans,
    async charge(account, order) {
      if (isAway.midtrans) throw new ProviderError('unavailable', 'could not be reached')
      return midtrans.charge(account, order)
    },
  }
  ;({ app, demo } = await testApp({
    overrides: { providers: new Map([...providers, ['midtrans', guarded]]) },
  }))
  merchant = merchantOf(demo)
})

/** Lets the tenant use only its accounts at these providers, in this order, and waits until this applies. */
async function routeTo(codes: string[]): Promise<void> {
  const tenantId = demo.client.tenant_id
  const { owner } = await managersOf(demo)
  const items = await Promise.all(
    codes.map(async (code, priority) => {
      const { data } = await owner('GET', `/v1/providers/${code}/accounts`)
      const { id } = data.items.find(({ mode }: { mode: string }) => mode === 'test')
      return { provider_account_id: id, priority }
    }),
  )
  await owner('PUT', `/v1/tenants/${tenantId}/entitlements`, { items })
  const wanted = items.map(item => item.provider_account_id).join()
  await until('the routing applies', async () => {
    const { accounts } = await app.routesOf(tenantId)
    return accounts.map(({ id }) => id).join() === wanted
  })
}

/** Creates a GoPay payment without an expiry. Midtrans allows the default of 60 minutes, Xendit at most 30 minutes. */
const create = (key: string) =>
  merchant.create({ method_type: 'e_wallet', method_detail: { type: 'e_wallet', wallet_type: 'gopay' } }, key)

test("a repeated request is charged at the first account that allows the payment's default expiry", async () => {
  const key = randomUUID()
  await routeTo(['midtrans'])
  isAway.midtrans = true
  expect(await create(key)).toMatchObject({ status: 502, error: { code: 'PROVIDER_ERROR' } })
  await routeTo(['xendit', 'midtrans'])
  isAway.midtrans = false
  expect(await create(key)).toMatchObject({
    status: 200,
    data: { status: 'pending', provider: 'midtrans' },
  })
})

test("if no account allows an uncharged payment's default expiry, a repeated request gets the last charge's error", async () => {
  const key = randomUUID()
  await routeTo(['midtrans'])
  isAway.midtrans = true
  const first = await create(key)
  await routeTo(['xendit'])
  const repeated = await create(key)
  expect(repeated).toMatchObject({ status: 502, error: first.error })
  expect((await create(randomUUID())).data).toMatchObject({ status: 'pending', provider: 'xendit' })
})
