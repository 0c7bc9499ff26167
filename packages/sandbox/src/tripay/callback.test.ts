import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call, type Json, newOrderId } from '../../test/support/merchant.ts'
import { type Received, startReceiver, until } from '../../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

const credentials = { api_key: 'DEV-key', private_key: 'private', merchant_code: 'T0001' }
let sandbox: RunningSandbox
let merchant: Awaited<ReturnType<typeof startReceiver>>
let reply: { status: number; body: string }

const taken = { status: 200, body: JSON.stringify({ success: true }) }
const control = (path: string, body?: unknown) => call(`${sandbox.url}${path}`, body, { serverKey: null })
const hmac = (text: string) => createHmac('sha256', credentials.private_key).update(text).digest('hex')

beforeAll(async () => {
  merchant = await startReceiver(() => reply)
  sandbox = await startSandbox({ port: 0, retryScale: 0, scanMs: 10 })
  await control('/merchants', {
    provider: 'tripay',
    credentials,
    notification_url: `${merchant.url}/default`,
  })
})
beforeEach(() => {
  reply = taken
  merchant.received.length = 0
})
afterAll(async () => {
  await sandbox.close()
  await merchant.close()
})

async function created(over: Json = {}): Promise<Json> {
  const merchant_ref = newOrderId()
  const amount = 44_000
  const { body } = await call(
    `${sandbox.url}/tripay/transaction/create`,
    {
      method: 'BCAVA',
      merchant_ref,
      amount,
      customer_name: 'Budi',
      customer_email: 'budi@example.com',
      order_items: [{ name: 'Shoes', price: amount, quantity: 1 }],
      signature: hmac(`${credentials.merchant_code}${merchant_ref}${amount}`),
      ...over,
    },
    { serverKey: null, headers: { authorization: `Bearer ${credentials.api_key}` } },
  )
  return body.data
}

async function told(outcome: string, simulated: Json = {}, over: Json = {}): Promise<Received | undefined> {
  const { merchant_ref } = await created(over)
  await control('/simulate', { payment_code: merchant_ref, outcome, ...simulated })
  return merchant.received[0]
}

test('a Tripay payment callback has every field of the published callback', async () => {
  const data = await created()
  await control('/simulate', { payment_code: data.merchant_ref, outcome: 'paid' })
  const [callback] = merchant.received as [Received]
  expect(callback.headers).toMatchObject({
    'content-type': 'application/json',
    'x-callback-event': 'payment_status',
    'x-callback-signature': hmac(callback.text),
  })
  expect(callback.body).toEqual({
    reference: data.reference,
    merchant_ref: data.merchant_ref,
    payment_method: 'BCA Virtual Account',
    payment_method_code: 'BCAVA',
    total_amount: 44_000,
    fee_merchant: 5_500,
    fee_customer: 0,
    total_fee: 5_500,
    amount_received: 38_500,
    is_closed_payment: 1,
    status: 'PAID',
    paid_at: expect.any(Number),
    note: null,
  })
})

test('the total_amount in a Tripay callback includes the fee paid by the customer', async () => {
  const callback = await told('paid', {}, { method: 'ALFAMART' })
  expect(callback?.body).toMatchObject({
    total_amount: 47_500,
    fee_customer: 3_500,
    fee_merchant: 0,
    amount_received: 44_000,
  })
})

test("if the payer pays a wrong amount, the Tripay callback's total_amount includes the customer's fee", async () => {
  const store = await told('paid', { amount: 1_000_000 }, { method: 'ALFAMART' })
  expect(store?.body).toMatchObject({ total_amount: 13_500, fee_customer: 3_500 })
})

test.each([
  ['failed', 'FAILED'],
  ['expired', 'EXPIRED'],
  ['cancelled', 'FAILED'],
])(
  'for the outcome %s, Tripay sends a callback with the status %s and no time of payment',
  async (outcome, status) => {
    const callback = await told(outcome)
    expect(callback?.body).toMatchObject({ status, paid_at: null })
    expect(callback?.headers['x-callback-signature']).toBe(hmac(callback?.text ?? ''))
  },
)

test('Tripay sends no callback for a payment under fraud review, because it has no status for a review', async () => {
  expect(await told('challenged')).toBeUndefined()
})

test('a refund by Tripay triggers a callback with status REFUND and the fields of a published callback', async () => {
  const vector = new URL(
    '../../../server/src/providers/tripay/fixtures/refund-notif-qris.json',
    import.meta.url,
  )
  const published = JSON.parse(JSON.parse(readFileSync(vector, 'utf8')).raw_body)
  const data = await created()
  await control('/simulate', { payment_code: data.merchant_ref, outcome: 'paid' })
  const asked = { payment_code: data.merchant_ref, outcome: 'partially_refunded', amount: 100_000 }
  expect((await control('/simulate', asked)).body.callbacks).toHaveLength(1)
  const callback = merchant.received.at(-1) as Received
  expect(Object.keys(callback.body)).toEqual(Object.keys(published))
  // The callback about the refund contains only the amounts of the original payment, not the refunded amount.
  expect(callback.body).toMatchObject({ status: 'REFUND', total_amount: 44_000 })
  expect(callback.headers['x-callback-signature']).toBe(hmac(callback.text))
  const detail = `${sandbox.url}/tripay/transaction/detail?reference=${data.reference}`
  const headers = { authorization: `Bearer ${credentials.api_key}` }
  expect((await call(detail, undefined, { serverKey: null, headers })).body.data.status).toBe('REFUND')
})

test('Tripay sends no callback for a chargeback, because it has no status for one', async () => {
  const data = await created()
  await control('/simulate', { payment_code: data.merchant_ref, outcome: 'paid' })
  const asked = { payment_code: data.merchant_ref, outcome: 'chargeback' }
  expect((await control('/simulate', asked)).body.callbacks).toEqual([])
})

test('the callback_url in a Tripay create request replaces the registered address', async () => {
  expect((await told('paid'))?.path).toBe('/default')
  merchant.received.length = 0
  expect((await told('paid', {}, { callback_url: `${merchant.url}/own` }))?.path).toBe('/own')
})

describe('a Tripay callback with changed values has a valid signature, unless a test forges it', () => {
  test('a forged Tripay callback has an invalid signature and does not change the payment', async () => {
    const data = await created()
    await control('/simulate', { payment_code: data.merchant_ref, outcome: 'paid', bad_signature: true })
    const [callback] = merchant.received as [Received]
    const signature = callback.headers['x-callback-signature'] as string
    const expected = hmac(callback.text)
    expect(signature).toHaveLength(64)
    expect([...signature].filter((digit, index) => digit !== expected[index])).toHaveLength(1)
    const { body } = await call(
      `${sandbox.url}/tripay/transaction/detail?reference=${data.reference}`,
      undefined,
      { serverKey: null, headers: { authorization: `Bearer ${credentials.api_key}` } },
    )
    expect(body.data.status).toBe('UNPAID')
  })

  test('if a test changes the fields of a Tripay callback, the signature covers the changed fields', async () => {
    const callback = await told('paid', { currency: 'USD', status: 'REFUND', unknown_fields: true })
    expect(callback?.body).toMatchObject({
      currency: 'USD',
      status: 'REFUND',
      sandbox_new_field: 'undocumented',
    })
    expect(callback?.headers['x-callback-signature']).toBe(hmac(callback?.text ?? ''))
  })
})

describe('the sandbox retries a Tripay callback until the merchant confirms it, but at most three times', () => {
  test.each([
    ['an error status', { status: 500, body: 'down' }],
    ['HTTP 200 with incomplete JSON', { status: 200, body: '{"success":true' }],
    ['HTTP 200 with another body', { status: 200, body: 'OK' }],
    ['HTTP 200 with success false', { status: 200, body: '{"success":false}' }],
    ['HTTP 200 with null', { status: 200, body: 'null' }],
  ])(
    'if the merchant’s response is %s, the sandbox sends the Tripay callback three more times',
    async (_, answer) => {
      reply = answer
      await told('paid')
      await until(() => merchant.received.length >= 4)
      // This wait is long enough for any further retry to arrive.
      await sleep(100)
      expect(merchant.received).toHaveLength(4)
      expect(new Set(merchant.received.map(one => one.text)).size).toBe(1)
    },
  )

  test('a Tripay callback is not sent again after the merchant responds with {"success":true}', async () => {
    await told('paid')
    const later = await created()
    await control('/simulate', { payment_code: later.merchant_ref, outcome: 'paid' })
    expect(merchant.received).toHaveLength(2)
  })
})
