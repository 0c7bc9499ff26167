// Tests, for every provider, where an e-wallet's page sends the payer: to the merchant's return_url, or to this
// service's return page.

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AnyProvider } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { merchantOf, simulate } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'

let { app, demo }: TestApp = {} as TestApp
const merchants = new Map<string, Awaited<ReturnType<typeof merchantWith>>>()
beforeAll(async () => {
  ;({ app, demo } = await testApp())
  for (const code of providers.keys()) merchants.set(code, await merchantWith(app, demo, code))
})

const merchantAt = (code: string) => merchants.get(code) as NonNullable<ReturnType<typeof merchants.get>>

const shop = 'https://shop.example.com/done?order=1001&from=wallet'

const payer = {
  customer_name: 'Budi Santoso',
  customer_email: 'budi@example.com',
  customer_phone: '081234567890',
  customer_ip: '198.51.100.27',
}

const walletOrder = (wallet: string, extra: object = {}) => ({
  amount: 7_654_300,
  method_type: 'e_wallet',
  method_detail: { type: 'e_wallet', wallet_type: wallet },
  ...payer,
  ...extra,
})

const walletsOf = (provider: AnyProvider) =>
  provider.methods.find(({ type }) => type === 'e_wallet')?.channels.map(({ code }) => code) ?? []
/**
 * OVO is not tested at these providers. The payer confirms the payment in the OVO app and does not leave the
 * shop's page.
 */
const pushes = ['midtrans', 'xendit']
const wallets = [...providers.values()].flatMap(provider =>
  walletsOf(provider)
    .filter(wallet => !(wallet === 'ovo' && pushes.includes(provider.code)))
    .map(wallet => ({ provider: provider.code, wallet })),
)

/** Returns the merchant's return URL without the query parameters that some wallets append to it. */
const withoutHints = (url: string): string => url.replace(/[?&](order_id|merchantOrderId)=.*$/, '')

/** Returns the link back to the merchant that the sandbox's payment page shows after the payment. */
async function linkBack(payment: { method_data: { redirect_url: string } }): Promise<string> {
  const page = await (await fetch(payment.method_data.redirect_url)).text()
  const href = /<a class="button" href="([^"]*)"/.exec(page)?.[1] ?? 'no link back'
  return withoutHints(href.replaceAll('&amp;', '&'))
}

describe.each(wallets)(
  'after the payment, the payment page of $wallet at $provider sends the payer to the return_url or, without one, to the return page of the service',
  ({ provider, wallet }) => {
    const created = async (extra: object = {}) => {
      const answer = await merchantAt(provider).create(walletOrder(wallet, extra))
      expect([answer.status, answer.error]).toEqual([200, undefined])
      return answer.data as { payment_code: string; method_data: { redirect_url: string } }
    }

    test.each(['paid', 'failed'])(
      'the wallet’s payment page sends the payer of a payment that is %s to the merchant’s return_url',
      async outcome => {
        const payment = await created({ return_url: shop })
        await simulate(demo, payment, outcome)
        expect(await linkBack(payment)).toBe(shop)
      },
    )

    test('without a return_url, the wallet’s payment page sends the payer to the service’s return page', async () => {
      const payment = await created()
      await simulate(demo, payment, 'paid')
      expect(await linkBack(payment)).toBe(`${demo.base_url}/return/${payment.payment_code}`)
    })
  },
)

describe("a payment's return_url is validated and never returned", () => {
  const created = (returnUrl: unknown, key = demo.client.test_key) =>
    merchantOf(demo, key).create({ return_url: returnUrl })

  test.each([
    'http://shop.example.com/done',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'shop://done',
    'javascript:alert(1)',
    '//shop.example.com/done',
    'shop.example.com/done',
    'https://budi:secret@shop.example.com/',
    'https://budi@shop.example.com/',
    'https://shop.example.com/a b',
    'https://shop.example.com/\nSet-Cookie: a=b',
    'https://shop.example.com/pesanan/ñ',
    'https://',
    `https://shop.example.com/${'x'.repeat(231)}`,
    '',
    7,
    null,
  ])('the return_url %j is rejected with an error that names the field', async returnUrl => {
    const { status, error } = await created(returnUrl)
    expect([status, error.message]).toEqual([400, expect.stringMatching(/^bad request: return_url: /)])
  })

  test.each([
    'http://localhost:3000/done',
    'http://127.0.0.1/done',
    'http://[::1]:3000/',
    'http://shop.localhost/',
  ])('the return_url %s is accepted in test mode but rejected in live mode', async returnUrl => {
    expect((await created(returnUrl)).status).toBe(200)
    const { status, error } = await created(returnUrl, demo.client.live_key)
    expect([status, error.message]).toEqual([
      400,
      'bad request: return_url: must be an https URL for a live payment',
    ])
  })

  test('a return_url of 255 characters is accepted in both test and live mode', async () => {
    const longest = `https://shop.example.com/${'x'.repeat(230)}`
    expect(longest).toHaveLength(255)
    expect((await created(longest)).status).toBe(200)
    expect((await created(longest, demo.client.live_key)).status).toBe(200)
  })

  test('a request with a repeated idempotency key is rejected unless it has the same return_url', async () => {
    const merchant = merchantOf(demo)
    const key = randomUUID()
    const first = await merchant.create({ return_url: shop, customer_ip: '198.51.100.27' }, key)
    expect(first.text).not.toMatch(/return_url|customer_ip|shop\.example\.com|198\.51\.100\.27/)
    const again = await merchant.create({ return_url: shop, customer_ip: '198.51.100.27' }, key)
    expect([again.status, again.data.id]).toEqual([200, first.data.id])
    expect((await merchant.create({ return_url: shop }, key)).status).toBe(409)
    expect((await merchant.create({}, key)).status).toBe(409)
  })
})

test.each(['1.2.3', '1.2.3.4.5', 'localhost', '', '198.51.100.27:443', null])(
  'a payment with the customer_ip %j is rejected with an error that names the field',
  async customer_ip => {
    const { status, error } = await merchantOf(demo).create({ customer_ip })
    expect([status, error.message]).toEqual([400, expect.stringMatching(/^bad request: customer_ip: /)])
  },
)

test('a payment whose charge can be retried stores its return_url and the payer’s IP address', async () => {
  const merchant = merchantAt('doku')
  const key = randomUUID()
  const order = walletOrder('dana', { return_url: shop, customer_name: 'SANDBOX OUTAGE' })
  expect(await merchant.create(order, key)).toMatchObject({ status: 502 })
  const { rows } = await app.db.raw(
    'select return_url, customer_ip from payments where idempotency_key = ?',
    [key],
  )
  expect(rows).toEqual([{ return_url: shop, customer_ip: '198.51.100.27' }])
})
