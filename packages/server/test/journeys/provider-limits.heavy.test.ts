// Tests that an order outside a provider's limits is rejected without calling the provider. The response is a 400
// that names the limit, and nothing is stored.

import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { methodTypes } from '../../src/payments/method.ts'
import { createProviderAccount } from '../../src/provider-accounts/create-provider-account.ts'
import type { AnyProvider } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { replaceEntitlements } from '../../src/routing/replace-entitlements.ts'
import { MAX_AMOUNT } from '../../src/values/money.ts'
import { detailOf } from '../support/adapter-with-sandbox.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { tamper } from '../support/ledger.ts'
import { simulate, until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'

let { app, demo, databaseUrl }: TestApp = {} as TestApp
beforeAll(async () => {
  ;({ app, demo, databaseUrl } = await testApp())
})

const ovo = {
  amount: 5_000_000,
  method_type: 'e_wallet',
  method_detail: { type: 'e_wallet', wallet_type: 'OVO' },
}

/**
 * Returns one channel for each combination of method and limits, because channels of a method with the same
 * limits need only one test.
 */
function channelsWithOwnLimits({ methods }: AnyProvider) {
  const byLimits = new Map(
    methodTypes.flatMap(type =>
      (methods.find(method => method.type === type)?.channels ?? []).map(
        channel => [`${type} ${inspect(channel.limits)}`, { type, channel }] as const,
      ),
    ),
  )
  return [...byLimits.values()]
}

const paymentsOf = async (key: string): Promise<unknown[]> =>
  (await app.db.raw('select id from payments where idempotency_key = ?', [key])).rows

const noNumbers = [undefined, '', '0812', 'abc', '0217654321']
test.each(
  [
    ['xendit', 'Xendit'],
    ['midtrans', 'Midtrans'],
  ].flatMap(([code, name]) => noNumbers.map(phone => [code as string, name as string, phone] as const)),
)(
  'an OVO payment at %s (%s) with the unusable phone number %j is rejected with an error about this field, and nothing is stored',
  async (code, name, customer_phone) => {
    const merchant = await merchantWith(app, demo, code)
    const key = randomUUID()
    const refused = await merchant.create({ ...ovo, customer_phone }, key)
    expect(refused).toMatchObject({
      status: 400,
      error: {
        code: 'BAD_REQUEST',
        message: expect.stringMatching(new RegExp(`^bad request: customer_phone: ${name} needs .+ for OVO$`)),
      },
    })
    expect(await paymentsOf(key)).toEqual([])
    const created = await merchant.create({ ...ovo, customer_phone: '081234567890' }, key)
    expect(created).toMatchObject({ status: 200, data: { status: 'pending', provider: code } })
  },
)

test.each([...providers.values()])(
  'a payment of the API’s largest amount can be paid at $code, or the create request returns a 400 with the channel’s own lower limit',
  async provider => {
    const merchant = await merchantWith(app, demo, provider.code)
    for (const { type, channel } of channelsWithOwnLimits(provider)) {
      const key = randomUUID()
      const { status, data, error } = await merchant.create(
        {
          amount: Number(MAX_AMOUNT),
          method_type: type,
          method_detail: detailOf(type, channel.code),
          customer_phone: '081234567890',
        },
        key,
      )
      const { maxAmount } = channel.limits
      if (maxAmount === undefined) {
        expect([channel.code, status, data?.amount]).toEqual([channel.code, 200, Number(MAX_AMOUNT)])
        await simulate(demo, data, 'paid')
        const paid = await until(`${channel.code} is paid`, async () => {
          const now = (await merchant.get(data.id)).data
          return now.status === 'paid' && now
        })
        expect(paid.amount_paid).toBe(Number(MAX_AMOUNT))
      } else {
        const told = `bad request: amount: ${provider.name} accepts at most ${maxAmount} cents for ${channel.name}`
        expect([status, error.message]).toEqual([400, told])
        expect(await paymentsOf(key)).toEqual([])
      }
    }
  },
)

test.each([...providers.values()])(
  'if an amount or expiry is outside the limits of a channel of the provider $code, the 400 response names the provider and the limit',
  async provider => {
    const merchant = await merchantWith(app, demo, provider.code)
    for (const { type, channel } of channelsWithOwnLimits(provider)) {
      const { minAmount = 1n, maxAmount, minExpiryMinutes, maxExpiryMinutes } = channel.limits
      const fits = { amount: Number(minAmount > 5_000_000n ? minAmount : 5_000_000n) }
      const beyond: [field: string, limit: string, body: object][] = []
      if (minAmount > 100n)
        beyond.push(['amount', `accepts at least ${minAmount} cents`, { amount: Number(minAmount - 100n) }])
      if (maxAmount !== undefined)
        beyond.push(['amount', `accepts at most ${maxAmount} cents`, { amount: Number(maxAmount + 100n) }])
      const [shorter, longer] = [minExpiryMinutes - 1, maxExpiryMinutes + 1]
      if (shorter >= 2)
        beyond.push([
          'expiry_minutes',
          `needs an expiry of at least ${minExpiryMinutes} minutes`,
          { ...fits, expiry_minutes: shorter },
        ])
      if (longer <= 43_200)
        beyond.push([
          'expiry_minutes',
          `allows an expiry of at most ${maxExpiryMinutes} minutes`,
          { ...fits, expiry_minutes: longer },
        ])
      for (const [field, limit, body] of beyond) {
        const key = randomUUID()
        const method = { method_type: type, method_detail: detailOf(type, channel.code) }
        const refused = await merchant.create({ ...method, customer_phone: '081234567890', ...body }, key)
        const told = `bad request: ${field}: ${provider.name} ${limit} for ${channel.name}`
        expect([refused.status, refused.error?.message]).toEqual([400, told])
        expect(await paymentsOf(key)).toEqual([])
      }
    }
  },
)

test.each([...providers.values()])(
  'the provider $code rejects a QRIS payment above the legal limit of Rp10,000,000',
  async provider => {
    const merchant = await merchantWith(app, demo, provider.code)
    const qris = { method_type: 'qris', method_detail: { type: 'qris' } }
    const { status, error } = await merchant.create({ ...qris, amount: 5_000_000_000 })
    expect([status, error.message]).toEqual([
      400,
      expect.stringMatching(
        /^bad request: amount: .+ accepts at most (1000000000|500000000) cents for QRIS$/,
      ),
    ])
  },
)

test('an OVO payment at Midtrans is paid once the payer confirms it in the OVO app', async () => {
  const merchant = await merchantWith(app, demo, 'midtrans')
  const { data } = await merchant.create({ ...ovo, customer_phone: '081234567890' })
  expect(data.method_data).toEqual({
    ...{ type: 'e_wallet', wallet_type: 'OVO', deeplink: '' },
    redirect_url: `${demo.base_url}/return/${data.payment_code}`,
  })
  await simulate(demo, data, 'paid')
  await until('the payment is paid', async () => (await merchant.get(data.id)).data.status === 'paid')
})

test('an OVO payment for a phone number without an OVO account is rejected with this reason', async () => {
  const merchant = await merchantWith(app, demo, 'midtrans')
  const { status, error } = await merchant.create({ ...ovo, customer_phone: '080000000404' })
  expect([status, error.message]).toEqual([
    502,
    expect.stringContaining("User with requested phone number doesn't exist"),
  ])
})

test('JeniusPay is no longer offered by any provider, but an existing JeniusPay payment can be read and paid', async () => {
  const merchant = await merchantWith(app, demo, 'xendit')
  const wallet = (wallet_type: string) => ({
    amount: 5_000_000,
    method_type: 'e_wallet',
    method_detail: { type: 'e_wallet', wallet_type },
  })
  const { status, error } = await merchant.create(wallet('JENIUSPAY'))
  expect([status, error.message]).toEqual([400, expect.stringMatching(/jeniuspay/)])

  const { data } = await merchant.create(wallet('DANA'))
  await tamper(databaseUrl, [
    `update payments set channel = 'jeniuspay', method_detail = jsonb_set(method_detail, '{wallet_type}', '"JENIUSPAY"')
     where id = $1`,
    [data.id],
  ])
  expect((await merchant.get(data.id)).data).toMatchObject({ status: 'pending', method_type: 'e_wallet' })
  await simulate(demo, data, 'paid')
  await until('the payment is paid', async () => (await merchant.get(data.id)).data.status === 'paid')
})

test('for a QRIS payment, routing skips DOKU accounts without QRIS credentials', async () => {
  const known = demo.provider_accounts.find(({ provider, mode }) => provider === 'doku' && mode === 'test')
  const { qris_merchant_id, qris_terminal_id, qris_postal_code, ...rest } = {
    ...known?.ours,
    ...known?.issued,
  }
  const doku = providers.get('doku') as AnyProvider
  const { id } = await createProviderAccount(app, null, doku, {
    mode: 'test',
    name: 'Without QRIS',
    credentials: rest,
    baseUrl: `${demo.sandbox_url}/doku`,
    enabled: true,
    callbackSources: [],
    inquireAbove: null,
  })
  const merchant = await merchantWith(app, demo, 'midtrans')
  const qris = { amount: 5_000_000, method_type: 'qris', method_detail: { type: 'qris' } }
  const entitle = (...ids: string[]) =>
    replaceEntitlements(
      app,
      null,
      merchant.tenantId,
      ids.map((providerAccountId, priority) => ({ providerAccountId, priority })),
    )
  await entitle(id, merchant.accountId)
  const taken = await until('the new account is tried first', async () => {
    const { data } = await merchant.create(qris)
    const { rows } = await app.db.raw('select attempt from payments where id = ?', [data.id])
    return rows[0].attempt === 2 && data
  })
  expect(taken).toMatchObject({ status: 'pending', provider: 'midtrans' })

  await entitle(id)
  const refused = await until('the new account is the only one', async () => {
    const answer = await merchant.create(qris)
    return answer.status === 502 && answer
  })
  expect(refused.error.message).toContain('qris_merchant_id, qris_terminal_id and qris_postal_code')
})
