// Tests the list of payment channels (banks, stores and wallets). In the dashboard, this list shows merchants how their
// customers can pay.

import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { beforeAll, expect, test, vi } from 'vitest'
import type { AppRouter } from '../../src/router.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { logIn, merchantOf } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let channelsIn: (mode: 'live' | 'test') => Promise<Listed>
type Listed = Awaited<
  ReturnType<ReturnType<typeof createTRPCClient<AppRouter>>['methods']['channels']['query']>
>['methods']

beforeAll(async () => {
  ;({ app, demo } = await testApp())
  const authorization = await logIn(demo, demo.client)
  const client = createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${demo.base_url}/trpc`, headers: { authorization } })],
  })
  channelsIn = async mode => (await client.methods.channels.query({ mode })).methods
})

const codesOf = (methods: { type: string; channels: { code: string }[] }[]) =>
  methods.flatMap(({ type, channels }) => channels.map(({ code }) => `${type} ${code}`)).toSorted()

test.each(['live', 'test'] as const)(
  'the list of channels in %s mode contains the channels that an API key of this mode may use, except cardless credit',
  async mode => {
    const shop = merchantOf(demo, demo.client[`${mode}_key`])
    const { data } = await shop.call('GET', '/v1/active-methods')
    const active = (data.providers as { methods: { type: string; channels: { code: string }[] }[] }[])
      .flatMap(({ methods }) => methods)
      .filter(({ type }) => type !== 'cardless_credit')
    expect(codesOf(await channelsIn(mode))).toEqual([...new Set(codesOf(active))])
  },
)

test('a payment is accepted up to the maximum amount and expiry listed for its channel, and rejected above them', async () => {
  const [qris] = (await channelsIn('test')).find(({ type }) => type === 'qris')?.channels ?? []
  const { max_amount, max_expiry_minutes } = qris ?? expect.fail('QRIS is not offered')
  const create = async (order: object) =>
    (await merchantOf(demo).create({ method_type: 'qris', method_detail: { type: 'qris' }, ...order })).status
  const max = max_amount ?? expect.fail('QRIS has a maximum')
  expect(await create({ amount: max })).toBe(200)
  expect(await create({ amount: max + 100 })).toBe(400)
  expect(await create({ expiry_minutes: max_expiry_minutes })).toBe(200)
  expect(await create({ expiry_minutes: max_expiry_minutes + 1 })).toBe(400)
})

test("a channel is marked as unavailable while its provider account's circuit breaker is open", async () => {
  const isAvailable = async () =>
    (await channelsIn('test')).flatMap(({ channels }) => channels.map(each => each.is_available))
  expect(new Set(await isAvailable())).toEqual(new Set([true]))
  const open = demo.provider_accounts.map(({ id }) => ({ accountId: id, circuit: 'open' }))
  using _ = vi.spyOn(app.health, 'all').mockReturnValue(open as never)
  expect(new Set(await isAvailable())).toEqual(new Set([false]))
})
