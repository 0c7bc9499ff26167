import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, charge, methods, newOrderId } from '../test/support/merchant.ts'
import { startReceiver } from '../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from './server.ts'

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.close())

const create = (orderId: string, over = {}) =>
  call(`${sandbox.url}/midtrans/v2/charge`, charge(over, orderId))
const orders = async (query: string) => (await call(`${sandbox.url}/orders${query}`)).body

test('GET /orders with a payment code lists every charge attempt for the payment', async () => {
  const code = newOrderId()
  const first = (await create(code)).body
  await create(`${code}-2`, methods.gopay)
  await create(`${code}X`)
  await call(`${sandbox.url}/simulate/silently`, { payment_code: `${code}-2`, outcome: 'paid', amount: 100 })
  const listed = await orders(`?payment_code=${code}`)
  expect(listed).toEqual({
    count: 2,
    orders: [
      expect.objectContaining({
        provider: 'midtrans',
        reference: `${code}-2`,
        method: 'gopay',
        number: '',
        status: 'paid',
        asked_cents: 4_400_000,
        recorded_cents: 100,
        held_cents: 100,
        receipts: [{ id: expect.any(String), amount_cents: 100, at: expect.any(String) }],
        settled_at: expect.stringMatching(/^\d{4}-.*Z$/),
      }),
      {
        seq: expect.any(Number),
        provider: 'midtrans',
        id: first.transaction_id,
        reference: code,
        method: 'bank_transfer bca',
        number: first.va_numbers[0].va_number,
        status: 'pending',
        asked_cents: 4_400_000,
        recorded_cents: 4_400_000,
        held_cents: 0,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
        settled_at: null,
        receipts: [],
        returns: [],
      },
    ],
  })
})

test('GET /orders lists every order exactly once across all pages, with the oldest order first', async () => {
  for (let number = 0; number < 7; number += 1) await create(newOrderId())
  const whole = (await orders('')).orders as { seq: number; reference: string }[]
  const seen: typeof whole = []
  for (;;) {
    const page = await orders(`?after=${seen.at(-1)?.seq ?? 0}&limit=3`)
    seen.push(...page.orders)
    if (page.count < 3) break
  }
  expect(seen).toEqual(whole)
  expect(whole.map(one => one.seq)).toEqual(whole.map((_, index) => index + 1))
})

test('GET /orders never returns a merchant’s key', async () => {
  await create(newOrderId())
  expect(JSON.stringify(await orders(''))).not.toContain('Mid-server-')
})

test('GET /notifications lists every notification with its request and response', async () => {
  const hook = await startReceiver()
  const code = newOrderId()
  await call(`${sandbox.url}/midtrans/v2/charge`, charge({}, code), {
    headers: { 'x-override-notification': hook.url },
  })
  await call(`${sandbox.url}/simulate`, { payment_code: code, outcome: 'paid', copies: 3 })
  const listed = async (query: string) => (await call(`${sandbox.url}/notifications${query}`)).body
  const { count, notifications } = await listed('')
  const ours = notifications.filter((one: { reference: string }) => one.reference === code)
  // The log contains four attempts to notify the merchant: one with the `pending` notification, and three
  // with the copies of the outcome notification.
  expect(ours.map((one: { answered_status: number }) => one.answered_status)).toEqual([200, 200, 200, 200])
  expect(ours.map((one: { request_body: string }) => one.request_body).toSorted()).toEqual(
    hook.received.map(({ text }) => text).toSorted(),
  )
  expect((await listed(`?after=${notifications.at(-2).seq}`)).notifications).toEqual(notifications.slice(-1))
  expect((await listed('?limit=1')).notifications).toEqual(notifications.slice(0, 1))
  expect(count).toBe(notifications.length)
  await hook.close()
})

const faulty = ['after=-1', 'after=x', 'limit=0', 'limit=1001']
const lists = ['orders', 'notifications']
test.each(lists.flatMap(list => faulty.map(query => [list, query])))(
  'the request GET /%s?%s gets a 400 error that names the invalid query parameter',
  async (list, query) => {
    const answer = await call(`${sandbox.url}/${list}?${query}`)
    expect([answer.status, answer.body.field]).toEqual([400, query?.split('=')[0]])
  },
)
