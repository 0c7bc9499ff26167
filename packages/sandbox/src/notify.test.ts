import { afterEach, beforeEach, expect, test } from 'vitest'
import { call, charge, methods, newOrderId } from '../test/support/merchant.ts'
import { startReceiver, until } from '../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from './server.ts'

const open: { close: () => Promise<void> }[] = []
let sandbox: RunningSandbox

async function receiver(...args: Parameters<typeof startReceiver>) {
  const started = await startReceiver(...args)
  open.push(started)
  return started
}

async function chargeWith(
  headers: Record<string, string>,
  over = {},
  orderId = newOrderId(),
): Promise<string> {
  await call(`${sandbox.url}/midtrans/v2/charge`, charge(over, orderId), { headers })
  return orderId
}

beforeEach(async () => {
  sandbox = await startSandbox({ port: 0, scanMs: 5, retryScale: 0 })
  open.push(sandbox)
})
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close()))
})

test.each([
  [200, 0],
  [204, 0],
  [500, 1],
  [400, 2],
  [404, 2],
  [503, 4],
  [418, 5],
  [301, 0],
  [302, 0],
])('a response of %i to a notification is followed by %i more attempts', async (status, retries) => {
  const merchant = await receiver(() => ({ status, body: '', headers: { location: '/elsewhere' } }))
  const orderId = await chargeWith({ 'x-override-notification': merchant.url })
  const { received } = merchant
  await merchant.waitFor(1 + retries)
  // Waits until the notification of a second order has been retried. By then, any unwanted retry of the first order's
  // notification would have arrived.
  const marker = await receiver(() => ({ status: 418, body: '' }))
  await chargeWith({ 'x-override-notification': marker.url })
  await marker.waitFor(6)
  expect(received).toHaveLength(1 + retries)
  expect(new Set(received.map(one => one.text)).size).toBe(1)
  expect(received[0]?.body.order_id).toBe(orderId)
})

test('a notification is not sent again after a successful attempt', async () => {
  const merchant = await receiver((_, count) => ({ status: count < 3 ? 503 : 200 }))
  await chargeWith({ 'x-override-notification': merchant.url })
  await merchant.waitFor(3)
  const marker = await receiver(() => ({ status: 418, body: '' }))
  await chargeWith({ 'x-override-notification': marker.url })
  await marker.waitFor(6)
  expect(merchant.received).toHaveLength(3)
})

test.each([307, 308])(
  "if a merchant's server redirects a notification with status %i, the sandbox sends the same body to the new address",
  async status => {
    const merchant = await receiver(({ path }) =>
      path === '/old' ? { status, headers: { location: '/new' } } : { status: 200 },
    )
    await chargeWith({ 'x-override-notification': `${merchant.url}/old` })
    const [first, second] = await merchant.waitFor(2)
    expect([first?.path, second?.path]).toEqual(['/old', '/new'])
    expect(second?.text).toBe(first?.text)
  },
)

test('Midtrans’ override header replaces the default notification address, and its append header adds an address', async () => {
  const [configured, override, append] = await Promise.all([receiver(), receiver(), receiver()])
  sandbox = await startSandbox({ port: 0, scanMs: 5, notificationUrl: configured.url })
  open.push(sandbox)
  await chargeWith({ 'x-override-notification': override.url, 'x-append-notification': append.url })
  await override.waitFor(1)
  expect([configured.received.length, append.received.length]).toEqual([0, 0])
  await chargeWith({ 'x-append-notification': append.url })
  await Promise.all([configured.waitFor(1), append.waitFor(1)])
  await chargeWith({ 'x-override-notification': `${override.url}/a, ${override.url}/b` })
  await override.waitFor(3)
  expect(
    override.received
      .slice(1)
      .map(one => one.path)
      .sort(),
  ).toEqual(['/a', '/b'])
})

test('a merchant is notified of a pending charge unless such notifications are disabled', async () => {
  const merchant = await receiver()
  await chargeWith({ 'x-override-notification': merchant.url })
  const [pending] = await merchant.waitFor(1)
  expect(pending?.body).toMatchObject({ status_code: '201', transaction_status: 'pending' })
  sandbox = await startSandbox({ port: 0, scanMs: 5, pendingNotifications: false })
  open.push(sandbox)
  const orderId = await chargeWith({ 'x-override-notification': merchant.url })
  await call(`${sandbox.url}/midtrans/v2/${orderId}/cancel`, '')
  const [, next] = await merchant.waitFor(2)
  expect(next?.body.transaction_status).toBe('cancel')
})

test('a cancel, expire, approve or deny request to Midtrans causes only one notification, even if it is repeated', async () => {
  const merchant = await receiver()
  const card = { payment_type: 'credit_card', credit_card: { token_id: '451111-1117-x' } }
  const cases = [
    ['cancel', {}, 'cancel', '202'],
    ['expire', methods.mandiri, 'expire', '202'],
    ['approve', card, 'capture', '200'],
    ['deny', card, 'deny', '202'],
  ] as const
  for (const [action, method, reported, code] of cases) {
    merchant.received.length = 0
    const orderId = await chargeWith({ 'x-override-notification': merchant.url }, method)
    await merchant.waitFor(1)
    await call(`${sandbox.url}/midtrans/v2/${orderId}/${action}`, '')
    await call(`${sandbox.url}/midtrans/v2/${orderId}/${action}`, '')
    const [, next] = await merchant.waitFor(2)
    expect(next?.body).toMatchObject({ order_id: orderId, transaction_status: reported, status_code: code })
    expect(merchant.received).toHaveLength(2)
  }
})

test('an unpaid order expires automatically and the merchant is notified', async () => {
  const merchant = await receiver()
  const short = { ...methods.gopay, custom_expiry: { expiry_duration: 1, unit: 'second' } }
  const orderId = await chargeWith({ 'x-override-notification': merchant.url }, short)
  const [, expired] = await merchant.waitFor(2)
  expect(expired?.body).toMatchObject({ order_id: orderId, status_code: '202', transaction_status: 'expire' })
  expect((await call(`${sandbox.url}/midtrans/v2/${orderId}/status`)).body.status_code).toBe('407')
})

test("an order's page shows each notification attempt with its response", async () => {
  const merchant = await receiver(() => ({ status: 500, body: '<script>alert(1)</script>' }))
  const headers = { 'x-override-notification': merchant.url }
  const { body } = await call(`${sandbox.url}/midtrans/v2/charge`, charge(), { headers })
  const page = async () => (await fetch(`${sandbox.url}/orders/${body.transaction_id}`)).text()
  await until(async () => (await page()).includes('attempt 2'))
  expect(await page()).toContain('HTTP 500')
  expect(await page()).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(await page()).not.toContain('<script>alert')
})
