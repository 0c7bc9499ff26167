import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, charge, methods, newOrderId, SERVER_KEY } from '../test/support/merchant.ts'
import { startReceiver } from '../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from './server.ts'

let sandbox: RunningSandbox
let merchant: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  merchant = await startReceiver()
  sandbox = await startSandbox({ port: 0, notificationUrl: merchant.url, pendingNotifications: false })
})
afterAll(async () => {
  await sandbox.close()
  await merchant.close()
})

const page = async (path: string) => (await fetch(`${sandbox.url}${path}`)).text()
const create = async (method = {}, orderId = newOrderId()) =>
  (await call(`${sandbox.url}/midtrans/v2/charge`, charge(method, orderId))).body
const statusOf = async (id: string) =>
  (await call(`${sandbox.url}/midtrans/v2/${id}/status`)).body.transaction_status
const submit = (path: string, form: Record<string, string>, headers = {}) =>
  fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
    headers,
  })

test('the order list page shows the created orders and escapes text sent by merchants', async () => {
  const { order_id } = await create({ customer_details: { first_name: '<img src=x onerror=alert(1)>' } })
  const text = await page('/')
  expect(text).toContain(order_id)
  expect(text).toContain('&lt;img src=x')
  expect(text).not.toContain('<img src=x')
})

test('a search by payment code or payment number finds only the matching payment', async () => {
  const { order_id, va_numbers } = await create()
  const other = await create()
  for (const q of [order_id, order_id.slice(0, 15), va_numbers[0].va_number]) {
    const text = await page(`/?q=${q}`)
    expect(text).toContain(order_id)
    expect(text).not.toContain(other.order_id)
  }
})

test('paging forward and back through the order list shows every payment once', async () => {
  const prefix = newOrderId()
  for (let number = 0; number < 120; number += 1) await create({}, `${prefix}-${number}`)
  const shown = (text: string) => [...text.matchAll(/href="\/orders\/([^"]+)"/g)].map(match => match[1])
  const link = (text: string, rel: string) =>
    new RegExp(`rel="${rel}" href="([^"]+)"`).exec(text)?.[1]?.replaceAll('&amp;', '&')
  const pages = [await page(`/?q=${prefix}`)]
  for (let next = link(pages[0] ?? '', 'next'); next; next = link(pages.at(-1) ?? '', 'next')) {
    pages.push(await page(next))
  }
  const all = pages.flatMap(shown)
  expect(all).toHaveLength(120)
  expect(new Set(all).size).toBe(120)
  const back = await page(link(pages[2] ?? '', 'prev') ?? '')
  expect(shown(back)).toEqual(shown(pages[1] ?? ''))
})

test.each([
  ['paid', 'settlement'],
  ['failed', 'deny'],
  ['expired', 'expire'],
  ['cancelled', 'cancel'],
  ['challenged', 'capture'],
])(
  'on the page of an order, the button %s records this outcome and notifies the merchant',
  async (outcome, recorded) => {
    merchant.received.length = 0
    const { transaction_id: id } = await create()
    expect(await page(`/orders/${id}`)).toContain(`value="${outcome}"`)
    const answer = await submit(`/orders/${id}/simulate`, { outcome })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/orders/${id}`])
    expect(await statusOf(id)).toBe(recorded)
    expect(merchant.received).toHaveLength(1)
  },
)

test("a link that contains a payment code redirects to the sandbox page of the payment's order", async () => {
  const { transaction_id: id, order_id } = await create()
  const answer = await fetch(`${sandbox.url}/payments/${order_id}`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/orders/${id}`])
  expect((await fetch(`${sandbox.url}/payments/unknown`)).status).toBe(404)
})

test("the sandbox page shows only a shortened form of the merchant's key", async () => {
  const { transaction_id: id } = await create()
  const text = await page(`/orders/${id}`)
  expect(text).toContain('SB-Mid-…st')
  expect(text).not.toContain(SERVER_KEY)
})

test("a tester can simulate a payment of a different amount on an order's page", async () => {
  const { transaction_id: id } = await create()
  await submit(`/orders/${id}/simulate`, { outcome: 'paid', amount: '1000.50' })
  expect((await call(`${sandbox.url}/midtrans/v2/${id}/status`)).body.gross_amount).toBe('1000.50')
  expect((await submit(`/orders/${id}/simulate`, { outcome: 'paid', amount: 'much' })).status).toBe(400)
})

test('after a payment, the payment page links to the merchant and offers no second payment', async () => {
  const { transaction_id: id, order_id } = await create(methods.gopay)
  await submit(`/pay/${id}`, { outcome: 'paid' })
  expect(await statusOf(id)).toBe('settlement')
  const text = await page(`/pay/${id}`)
  expect(text).toContain(`href="someapps://callback?order_id=${order_id}&amp;result=success"`)
  expect(text).not.toContain('value="paid"')
  await submit(`/pay/${id}`, { outcome: 'failed' })
  expect(await statusOf(id)).toBe('settlement')
})

test('a return URL that would run a script is not shown as a link', async () => {
  const { transaction_id: id } = await create({
    payment_type: 'shopeepay',
    shopeepay: { callback_url: 'javascript:alert(1)' },
  })
  await submit(`/pay/${id}`, { outcome: 'paid' })
  expect(await page(`/pay/${id}`)).not.toContain('javascript:')
})

test("the sandbox's page rejects a form sent by another website", async () => {
  const { transaction_id: id } = await create()
  const answer = await submit(
    `/orders/${id}/simulate`,
    { outcome: 'paid' },
    { 'sec-fetch-site': 'cross-site' },
  )
  expect(answer.status).toBe(403)
  expect(await statusOf(id)).toBe('pending')
})

test('the sandbox pages allow no inline code and load nothing from other sites', async () => {
  const { transaction_id: id } = await create(methods.gopay)
  for (const path of ['/', `/orders/${id}`, `/pay/${id}`, '/orders/unknown']) {
    const answer = await fetch(`${sandbox.url}${path}`)
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(answer.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('payment=()'),
    })
    const text = await answer.text()
    expect(text).not.toMatch(/ style=| on[a-z]+="|<script>|<style>/)
    expect(text).not.toMatch(/(?:src|href)="https?:/)
  }
  for (const asset of ['page.css', 'page.js', 'icon.svg']) {
    expect((await fetch(`${sandbox.url}/assets/${asset}`)).status).toBe(200)
  }
})

test('the page for a nonexistent payment returns 404', async () => {
  for (const path of [
    '/orders/unknown',
    '/orders/unknown/qr.png',
    '/pay/unknown',
    '/assets/../package.json',
  ]) {
    expect((await fetch(`${sandbox.url}${path}`)).status).toBe(404)
  }
})

test('the sandbox’s /healthz returns 200 while the sandbox is running', async () => {
  expect((await fetch(`${sandbox.url}/healthz`)).status).toBe(200)
})

test('a tester can simulate a partial refund and a chargeback on the page of a paid order', async () => {
  const { order_id, transaction_id } = await create(methods.gopay)
  const path = `/orders/${transaction_id}`
  expect(await page(path)).not.toContain('Refund all')
  await submit(`${path}/simulate`, { outcome: 'paid' })
  expect(await page(path)).toContain('Refund all')
  await submit(`${path}/simulate`, { outcome: 'partially_refunded', amount: '4000' })
  expect(await statusOf(order_id)).toBe('partial_refund')
  expect(await page(path)).toContain('The provider still holds Rp 40.000.')
  const tooMuch = await submit(`${path}/simulate`, { outcome: 'partially_refunded', amount: '40000.01' })
  expect([tooMuch.status, await tooMuch.text()]).toEqual([
    400,
    expect.stringContaining('up to the amount the provider still holds'),
  ])
  await submit(`${path}/simulate`, { outcome: 'chargeback' })
  const text = await page(path)
  expect(text).toContain('Rp 44.000 returned')
  expect(text).not.toContain('Refund all')
})
