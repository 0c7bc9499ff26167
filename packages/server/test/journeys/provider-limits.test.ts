// What a provider does not take is known before it is asked: a 400 that names the limit, and leaves nothing behind.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { merchantWith } from '../support/account.ts'
import { type TestApp, testApp } from '../support/app.ts'

let { app, demo }: TestApp = {} as TestApp
beforeAll(async () => {
  ;({ app, demo } = await testApp({ worker: false }))
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
