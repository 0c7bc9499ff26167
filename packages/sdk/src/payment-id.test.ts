import { expect, test } from 'vitest'
import { aPayment, failure, ok, service } from '../test/service.ts'
import { Gapura } from './index.ts'

const code = aPayment.payment_code
const list = ok({ items: [aPayment], next_cursor: null })
const lookUp = `GET /v1/payments?q=${code}&mode=all&limit=10`

async function asking(...answers: Parameters<typeof service>) {
  const { baseUrl, asked } = await service(...answers)
  const gapura = new Gapura({ apiKey: 'gp_test_key', baseUrl, maxRetries: 0 })
  return { gapura, sent: () => asked.map(({ method, path }) => `${method} ${path}`) }
}

test.each([
  ['get', ''],
  ['cancel', '/cancel'],
  ['listLedger', '/ledger'],
  ['listTimeline', '/timeline'],
  ['listAttempts', '/attempts'],
] as const)('payments.%s accepts a payment code, which costs one additional request', async (name, rest) => {
  const { gapura, sent } = await asking(list, ok(aPayment))
  await gapura.payments[name](code)
  const method = name === 'cancel' ? 'POST' : 'GET'
  expect(sent()).toEqual([lookUp, `${method} /v1/payments/${aPayment.id}${rest}`])
})

test('the SDK can filter webhook deliveries by payment code, with one additional request for the ID', async () => {
  const { gapura, sent } = await asking(list, ok({ items: [], next_cursor: null }))
  await gapura.webhookDeliveries.list({ payment_id: code, limit: 1 })
  expect(sent()).toEqual([lookUp, `GET /v1/webhook-deliveries?payment_id=${aPayment.id}&limit=1`])
})

test('the SDK also finds a payment if its payment code is written in lowercase', async () => {
  const { gapura, sent } = await asking(list, ok(aPayment))
  await gapura.payments.get(code.toLowerCase())
  expect(sent().at(-1)).toBe(`GET /v1/payments/${aPayment.id}`)
})

test('the SDK sends a payment id to the service unchanged', async () => {
  const { gapura, sent } = await asking(ok(aPayment))
  await gapura.payments.get(aPayment.id)
  expect(sent()).toEqual([`GET /v1/payments/${aPayment.id}`])
})

test("for a payment code, waitUntilPaid looks up the payment's ID only once", async () => {
  const paid = { ...aPayment, status: 'paid', paid_at: aPayment.created_at, amount_paid: 10_000_000 }
  const { gapura, sent } = await asking(list, ok(aPayment), ok(aPayment), ok(paid))
  await gapura.payments.waitUntilPaid(code, { pollMs: 1 })
  expect(sent()).toEqual([lookUp, ...Array(3).fill(`GET /v1/payments/${aPayment.id}`)])
})

test('the SDK throws a NotFoundError with the code in its message if a payment code is unknown', async () => {
  const unknown = 'GP261120-0000000000'
  const missing = failure(404, 'NOT_FOUND', `not found: payment ${unknown} not found`)
  const { gapura, sent } = await asking(ok({ items: [], next_cursor: null }), missing)
  await expect(gapura.payments.get(unknown)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining(unknown),
  })
  expect(sent().at(-1)).toBe(`GET /v1/payments/${unknown}`)
})

test("a lookup by payment code ignores payments whose customer's name begins with the code", async () => {
  const other = { ...aPayment, id: 'other', payment_code: 'GP261120-0000000001', customer_name: code }
  const { gapura, sent } = await asking(ok({ items: [other], next_cursor: null }), ok(aPayment))
  await gapura.payments.get(code)
  expect(sent().at(-1)).toBe(`GET /v1/payments/${code}`)
})
