import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, charge, type Json, methods, newOrderId, SERVER_KEY } from '../../test/support/merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

// Tests the sandbox with Midtrans' official client, which has no types.
const { CoreApi } = createRequire(import.meta.url)('midtrans-client') as Json

let sandbox: RunningSandbox
let client: Json

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  client = new CoreApi({ isProduction: false, serverKey: SERVER_KEY, clientKey: 'SB-Mid-client-test' })
  client.apiConfig.getCoreApiBaseUrl = () => `${sandbox.url}/midtrans`
})
afterAll(() => sandbox.close())

test('Midtrans’ official client creates a charge and reads its status', async () => {
  const orderId = newOrderId()
  const created = await client.charge(charge({}, orderId))
  expect(created.transaction_status).toBe('pending')
  for (const id of [orderId, created.transaction_id]) {
    const status = await client.transaction.status(id)
    expect(status).toMatchObject({ status_code: '201', order_id: orderId, va_numbers: created.va_numbers })
  }
})

test('Midtrans’ official client can cancel a payment, and a second cancellation of the same payment is rejected', async () => {
  const orderId = newOrderId()
  await client.charge(charge(methods.gopay, orderId))
  expect(await client.transaction.cancel(orderId)).toMatchObject({
    status_code: '200',
    status_message: 'Success, transaction is canceled',
    transaction_status: 'cancel',
  })
  await expect(client.transaction.cancel(orderId)).rejects.toMatchObject({ httpStatusCode: '412' })
})

test('Midtrans’ official client expires a payment, and treats status code 407 as success', async () => {
  const orderId = newOrderId()
  await client.charge(charge(methods.mandiri, orderId))
  const expired = { status_code: '407', transaction_status: 'expire' }
  expect(await client.transaction.expire(orderId)).toMatchObject(expired)
  expect(await client.transaction.status(orderId)).toMatchObject(expired)
  await expect(client.transaction.expire(orderId)).rejects.toMatchObject({ httpStatusCode: '412' })
})

test.each([
  ['approve', '200', 'capture', 'accept'],
  ['deny', '200', 'deny', 'deny'],
])(
  'with Midtrans’ official client, a merchant can %s a challenged card payment (one that is held for fraud review) once',
  async (action, code, status, fraud) => {
    const orderId = newOrderId()
    const card = { payment_type: 'credit_card', credit_card: { token_id: '451111-1117-x' } }
    expect((await client.charge(charge(card, orderId))).fraud_status).toBe('challenge')
    expect(await client.transaction[action](orderId)).toMatchObject({
      status_code: code,
      transaction_status: status,
      fraud_status: fraud,
      masked_card: '45111111-1117',
    })
    await expect(client.transaction[action](orderId)).rejects.toMatchObject({ httpStatusCode: '412' })
  },
)

test("each of the two calls for refunds in Midtrans' official client refunds a payment in the sandbox", async () => {
  const orderId = newOrderId()
  await client.charge(charge(methods.gopay, orderId))
  await call(
    `${sandbox.url}/simulate/silently`,
    { payment_code: orderId, outcome: 'paid' },
    { serverKey: null },
  )
  const refund = { refund_key: `${orderId}-R1`, amount: 5_000, reason: 'one item' }
  const made = await client.transaction.refund(orderId, refund)
  expect(made).toMatchObject({ status_code: '200', transaction_status: 'partial_refund' })
  expect(await client.transaction.refund(orderId, refund)).toMatchObject({
    refund_chargeback_id: made.refund_chargeback_id,
  })
  await expect(client.transaction.refund(orderId, { ...refund, amount: 6_000 })).rejects.toMatchObject({
    httpStatusCode: '406',
  })
  const direct = await client.transaction.refundDirect(orderId, {
    refund_key: `${orderId}-R2`,
    amount: 6_000,
  })
  expect(direct).toMatchObject({ status_code: '200', refund_key: `${orderId}-R2` })
  const { refunds, refund_amount } = await client.transaction.status(orderId)
  expect([refund_amount, refunds.map((each: Json) => [each.refund_key, each.refund_amount])]).toEqual([
    '11000.00',
    [
      [`${orderId}-R1`, '5000.00'],
      [`${orderId}-R2`, '6000.00'],
    ],
  ])
})

test("Midtrans' official client receives the reason a request was rejected", async () => {
  await expect(client.charge(charge({ bank_transfer: { bank: 'x' } }))).rejects.toMatchObject({
    httpStatusCode: '400',
    ApiResponse: { validation_messages: ['bank_transfer.bank is not supported'] },
  })
  await expect(client.transaction.status('nothing')).rejects.toMatchObject({ httpStatusCode: 404 })
  client.apiConfig.set({ serverKey: 'wrong' })
  await expect(client.transaction.status('nothing')).rejects.toMatchObject({ httpStatusCode: 401 })
})
