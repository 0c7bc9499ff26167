// What a provider does not take is known before it is asked: a 400 that names the limit, and leaves nothing behind.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { MAX_AMOUNT } from '../../src/money.ts'
import { methodTypes } from '../../src/payments/method.ts'
import { providers } from '../../src/providers/registry.ts'
import { merchantWith } from '../support/account.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { simulate, until } from '../support/merchant.ts'
import { detailOf } from '../support/provider-bench.ts'

let { app, demo }: TestApp = {} as TestApp
beforeAll(async () => {
  ;({ app, demo } = await testApp())
})

const ovo = {
  amount: 5_000_000,
  method_type: 'e_wallet',
  method_detail: { type: 'e_wallet', wallet_type: 'OVO' },
}

const paymentsOf = async (key: string): Promise<unknown[]> =>
  (await app.db.raw('select id from payments where idempotency_key = ?', [key])).rows

test.each([undefined, '', '0812', 'abc', '0217654321'])(
  'OVO at Xendit for a payer whose number is %j is a 400 that names the field and leaves the key free',
  async customer_phone => {
    const merchant = await merchantWith(app, demo, 'xendit')
    const key = randomUUID()
    const refused = await merchant.create({ ...ovo, customer_phone }, key)
    expect(refused).toMatchObject({
      status: 400,
      error: {
        code: 'BAD_REQUEST',
        message: expect.stringMatching(/^bad request: customer_phone: Xendit needs .+ for OVO$/),
      },
    })
    expect(await paymentsOf(key)).toEqual([])
    const created = await merchant.create({ ...ovo, customer_phone: '081234567890' }, key)
    expect(created).toMatchObject({ status: 200, data: { status: 'pending', provider: 'xendit' } })
  },
)

test.each([...providers.values()])(
  'the largest amount of all is a payment at $code that can be paid, or a 400 that names the limit of the channel',
  async provider => {
    const merchant = await merchantWith(app, demo, provider.code)
    const offered = methodTypes.flatMap(type =>
      (provider.methods.find(method => method.type === type)?.channels ?? []).map(channel => ({
        type,
        channel,
      })),
    )
    for (const { type, channel } of offered) {
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
        const told = `bad request: amount: ${provider.name} takes at most ${maxAmount} cents for ${channel.name}`
        expect([status, error.message]).toEqual([400, told])
        expect(await paymentsOf(key)).toEqual([])
      }
    }
  },
)
