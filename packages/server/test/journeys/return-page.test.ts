// Tests /return/<payment code>, this service's page to which an e-wallet sends the payer after the payment.

import { beforeAll, describe, expect, test } from 'vitest'
import { newPaymentCode } from '../../src/payments/payment-code.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { merchantOf, simulate, until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'
import { sentWhile } from '../support/sent-statements.ts'

let { app, demo, advance }: TestApp = {} as TestApp
beforeAll(async () => {
  ;({ app, demo, advance } = await testApp())
})

/** Payer data that is easy to recognize. The return page must not contain any of it. */
const payer = {
  customer_name: 'Wulandari Kusumo',
  customer_email: 'wulan@mail.example',
  customer_phone: '081298765432',
  customer_ip: '198.51.100.27',
}
const wallet = {
  amount: 7_654_300,
  method_type: 'e_wallet',
  method_detail: { type: 'e_wallet', wallet_type: 'gopay' },
  items: [{ id: 'sku-81', name: 'Sepatu', price: 7_654_300, quantity: 1 }],
  ...payer,
}
const personal = [
  ...Object.values(payer),
  /7[.,]?654/,
  /76[.,]?543/,
  'Sepatu',
  'sku-81',
  /gopay/i,
  /midtrans/i,
]

async function page(path: string, headers: Record<string, string> = { 'accept-language': 'en' }) {
  const answer = await fetch(`${demo.base_url}/return/${path}`, { headers })
  const html = await answer.text()
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    html,
    title: /<h1>(.*)<\/h1>/.exec(html)?.[1],
    state: /data-status="(\w+)"/.exec(html)?.[1],
  }
}

const created = async () =>
  (await merchantOf(demo).create(wallet)).data as { id: string; payment_code: string }

test("the payer's return page shows a payment as pending, and as paid once the payer has paid", async () => {
  const payment = await created()
  expect(await page(payment.payment_code)).toMatchObject({
    status: 200,
    state: 'pending',
    title: 'Waiting for your payment',
  })
  await simulate(demo, payment, 'paid')
  const paid = await until('the payment is paid', async () => {
    const shown = await page(payment.payment_code)
    return shown.state === 'paid' && shown
  })
  expect(paid.title).toBe('Payment received')
})

test('an OVO payment has no payment page, so its redirect URL is the status page', async () => {
  const shop = await merchantWith(app, demo, 'midtrans')
  const { data } = await shop.create({
    ...wallet,
    method_detail: { type: 'e_wallet', wallet_type: 'OVO' },
  })
  const payment = data as { payment_code: string; method_data: object }
  expect(payment.method_data).toEqual({
    ...{ type: 'e_wallet', wallet_type: 'OVO', deeplink: '' },
    redirect_url: `${demo.base_url}/return/${payment.payment_code}`,
  })
  const asked = await page(payment.payment_code)
  expect(asked).toMatchObject({ status: 200, state: 'pending', title: 'Confirm in the OVO app' })
  expect((await page(payment.payment_code, { 'accept-language': 'id' })).title).toBe(
    'Konfirmasi di aplikasi OVO',
  )
})

test('the return page links to the return URL only after the payment is no longer pending', async () => {
  const shop = merchantOf(demo)
  const return_url = 'https://toko.example/selesai?order=1001&from="gapura"'
  const [linked, unlinked] = [await shop.create({ ...wallet, return_url }), await shop.create(wallet)].map(
    ({ data }) => data as { id: string; payment_code: string },
  ) as [{ id: string; payment_code: string }, { id: string; payment_code: string }]
  expect((await page(linked.payment_code)).html).not.toContain('toko.example')
  for (const payment of [linked, unlinked]) await simulate(demo, payment, 'paid')
  const paid = (payment: { payment_code: string }) =>
    until('the payment is paid', async () => {
      const shown = await page(payment.payment_code)
      return shown.state === 'paid' && shown
    })
  expect((await paid(linked)).html).toContain(
    '<a class="back" href="https://toko.example/selesai?order=1001&amp;from=&quot;gapura&quot;">Back to the shop</a>',
  )
  expect((await paid(unlinked)).html).not.toContain('<a ')
})

test("opening the payer's return page triggers a status inquiry, so the page shows that the payment is paid", async () => {
  const payment = await created()
  // The page to which the payer returns triggers no inquiry in a payment's first 45 seconds, so the test
  // advances the clock beyond this time. The next scheduled inquiry is an hour away, so only the page can
  // cause an inquiry.
  advance(50_000)
  await app.db.raw("update payments set next_check_at = now() + interval '1 hour' where id = ?", [payment.id])
  await simulate(demo, payment, 'paid', { silently: true })
  await until('the payment is paid', async () => (await page(payment.payment_code)).state === 'paid')
})

test.each([
  ['failed', 'Payment failed', 'Pembayaran gagal'],
  ['cancelled', 'Payment cancelled', 'Pembayaran dibatalkan'],
  ['challenged', 'Payment under review', 'Pembayaran sedang ditinjau'],
  ['expired', 'Payment expired', 'Waktu pembayaran habis'],
])(
  'if a payment is %s, the title of the payer’s return page is "%s" in English and "%s" in Indonesian',
  async (outcome, english, indonesian) => {
    const payment = await created()
    await simulate(demo, payment, outcome)
    const { title } = await until('the page shows the status', async () => {
      const shown = await page(payment.payment_code)
      return shown.state === outcome && shown
    })
    expect(title).toBe(english)
    expect((await page(payment.payment_code, { 'accept-language': 'id-ID,id;q=0.9,en;q=0.8' })).title).toBe(
      indonesian,
    )
  },
)

test.each([
  ['en-GB,en;q=0.9,id;q=0.8', 'en'],
  ['id', 'id'],
  ['zh-CN', 'id'],
  ['de, en;q=0.5', 'en'],
])('with Accept-Language: %s the payer’s return page is in %s', async (accepted, language) => {
  const { html, headers } = await page((await created()).payment_code, { 'accept-language': accepted })
  expect(html).toContain(`<html lang="${language}">`)
  expect(headers.vary).toMatch(/accept-language/i)
})

test("the payer's return page never shows data about the payer, the order, or the provider", async () => {
  for (const outcome of ['pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged']) {
    const payment = await created()
    if (outcome !== 'pending') await simulate(demo, payment, outcome)
    const { html } = await until('the page shows the status', async () => {
      const shown = await page(`${payment.payment_code}?order_id=1`)
      return shown.state === outcome && shown
    })
    expect(html).toContain(payment.payment_code)
    expect(html).not.toContain(payment.id)
    const { rows } = await app.db.raw('select name from tenants')
    for (const part of [...personal, ...rows.map(({ name }: { name: string }) => name)])
      expect(html).not.toMatch(part)
  }
})

test("query parameters that an e-wallet adds to the return page's URL do not change the page", async () => {
  const { payment_code: code } = await created()
  expect(await page(`${code}?order_id=${code}&result=success&status=paid`)).toMatchObject({
    status: 200,
    state: 'pending',
  })
})

test("the payer's return page is not cached or indexed, and sends no referrer", async () => {
  const { headers, html } = await page((await created()).payment_code)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';/),
  })
  expect(headers['content-security-policy']).not.toContain('unsafe')
  expect(html).not.toMatch(/https?:|<script(?! src="assets\/)|<style| style=| on\w+=/)
})

test("the payer's return page loads its assets from relative paths and needs only one database statement", async () => {
  const { payment_code: code } = await created()
  const { html } = await page(code)
  const parts = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path)
  expect(parts).toEqual(['assets/icon.svg', 'assets/return.css', 'assets/return.js'])
  for (const path of parts) {
    const answer = await fetch(new URL(path as string, `${demo.base_url}/return/${code}`))
    expect([path, answer.status]).toEqual([path, 200])
  }
  const sent = await sentWhile(() => page(code))
  // The worker also sends statements at this time. Only the page's statements read `payment_references`.
  expect(sent.filter(({ text }) => text.includes('payment_references'))).toHaveLength(1)
})

test('the payer’s return page polls the payment’s status only while the payment is open', async () => {
  const payment = await created()
  expect((await page(payment.payment_code)).html).toMatch(/<noscript><meta http-equiv="refresh"/)
  await simulate(demo, payment, 'paid')
  const { html } = await until('the payment is paid', async () => {
    const shown = await page(payment.payment_code)
    return shown.state === 'paid' && shown
  })
  expect(html).not.toMatch(/refresh|return\.js|data-open/)
})

test('the payer’s return page shows a test notice only for a test payment', async () => {
  const live = await merchantOf(demo, demo.client.live_key).create(wallet)
  expect((await page(live.data.payment_code)).html).not.toContain('This is a test payment')
  expect((await page((await created()).payment_code)).html).toContain('This is a test payment')
})

describe('the return page for an unknown payment code reveals no information', () => {
  const expectMissing = async (path: string) => {
    const shown = await page(path)
    expect([path, shown.status, shown.title]).toEqual([path, 404, 'Payment not found'])
    expect(shown.headers['x-robots-tag']).toBe('noindex')
    return shown.html
  }

  test("the payer's return page for an unknown payment code shows nothing from the URL", async () => {
    const pages = new Set<string>()
    for (const path of [newPaymentCode(new Date()), 'nothing', '%3Cscript%3E', `${'x'.repeat(1_000)}`, '%00'])
      pages.add(await expectMissing(path))
    expect(pages.size).toBe(1)
  })

  test('the return page is the same for a rejected payment and an unknown payment code', async () => {
    const merchant = await merchantWith(app, demo, 'midtrans')
    await merchant.create({ ...wallet, customer_name: 'SANDBOX REJECT' }, 'refused')
    const { rows } = await app.db.raw("select payment_code from payments where idempotency_key = 'refused'")
    await expectMissing(rows[0].payment_code)
  })
})
