import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, type Json, newOrderId } from '../../test/support/merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

// Tests the sandbox with Xendit's official client, a CommonJS module without types.
const { PaymentRequest, Refund } = createRequire(import.meta.url)('xendit-node') as Json

const KEY = 'xnd_development_client'
let sandbox: RunningSandbox
let client: Json
let refunds: Json

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  const options = { secretKey: KEY, xenditURL: `${sandbox.url}/xendit` }
  client = new PaymentRequest(options)
  refunds = new Refund(options)
})
afterAll(() => sandbox.close())

const methods: Record<string, Json> = {
  'a virtual account': {
    type: 'VIRTUAL_ACCOUNT',
    virtualAccount: {
      channelCode: 'BNI',
      channelProperties: { customerName: 'Ahmad Gunawan', expiresAt: new Date(Date.now() + 3_600_000) },
    },
  },
  'a QR code': { type: 'QR_CODE', qrCode: { channelCode: 'QRIS' } },
  'a wallet': {
    type: 'EWALLET',
    ewallet: {
      channelCode: 'SHOPEEPAY',
      channelProperties: { successReturnUrl: 'https://redirect.me/success' },
    },
  },
  'a store': {
    type: 'OVER_THE_COUNTER',
    overTheCounter: { channelCode: 'ALFAMART', channelProperties: { customerName: 'Ahmad Gunawan' } },
  },
}

function data(method: string, over: Json = {}): Json {
  return {
    country: 'ID',
    amount: 15_000,
    currency: 'IDR',
    referenceId: newOrderId(),
    metadata: { sku: 'example-sku-1234' },
    paymentMethod: { reusability: 'ONE_TIME_USE', ...methods[method] },
    ...over,
  }
}

test.each([
  ['a virtual account', 'PENDING', (one: Json) => one.virtualAccount.channelProperties.virtualAccountNumber],
  ['a QR code', 'PENDING', (one: Json) => one.qrCode.channelProperties.qrString],
  ['a store', 'PENDING', (one: Json) => one.overTheCounter.channelProperties.paymentCode],
  ['a wallet', 'REQUIRES_ACTION', (one: Json) => one.ewallet.channelCode],
])(
  'Xendit’s official client creates a payment request for %s, reads it and finds it in the list',
  async (name, status, payerNeeds) => {
    const wanted = data(name)
    const created = await client.createPaymentRequest({ data: wanted })
    expect(created).toMatchObject({
      id: expect.stringMatching(/^pr-/),
      referenceId: wanted.referenceId,
      amount: 15_000,
      status,
      metadata: wanted.metadata,
    })
    expect(payerNeeds(created.paymentMethod)).toMatch(/./)
    expect(await client.getPaymentRequestByID({ paymentRequestId: created.id })).toEqual(created)
    const list = await client.getAllPaymentRequests({ referenceId: [wanted.referenceId] })
    expect(list).toEqual({ data: [created], hasMore: false })
  },
)

test('a Xendit wallet payment contains a payment page link until it is paid', async () => {
  const { id, actions } = await client.createPaymentRequest({ data: data('a wallet') })
  expect(actions[0]).toMatchObject({ action: 'AUTH', urlType: 'WEB', method: 'GET' })
  expect(await (await fetch(actions[0].url)).text()).toContain('value="paid"')
  await client.simulatePaymentRequestPayment({ paymentRequestId: id })
  expect((await client.getPaymentRequestByID({ paymentRequestId: id })).actions).toEqual([])
})

test('a Xendit virtual account keeps its requested expiry; a store payment expires after decades by default', async () => {
  const wanted = data('a virtual account')
  const { expiresAt } = wanted.paymentMethod.virtualAccount.channelProperties
  const { paymentMethod } = await client.createPaymentRequest({ data: wanted })
  expect(paymentMethod.virtualAccount.channelProperties.expiresAt).toEqual(expiresAt)
  const forever = await client.createPaymentRequest({ data: data('a store') })
  const ends = forever.paymentMethod.overTheCounter.channelProperties.expiresAt
  expect(ends.getFullYear()).toBeGreaterThan(new Date().getFullYear() + 29)
})

test("if Xendit's official client simulates the payment of the same payment request twice, the second simulation is rejected", async () => {
  const { id } = await client.createPaymentRequest({ data: data('a virtual account') })
  expect(await client.simulatePaymentRequestPayment({ paymentRequestId: id })).toMatchObject({
    status: 'PENDING',
  })
  expect((await client.getPaymentRequestByID({ paymentRequestId: id })).status).toBe('SUCCEEDED')
  await expect(client.simulatePaymentRequestPayment({ paymentRequestId: id })).rejects.toMatchObject({
    status: 400,
    errorCode: 'INACTIVE_PAYMENT_REQUEST',
  })
})

test('a Xendit call repeated with the same idempotency key does not create a second payment request', async () => {
  const wanted = data('a QR code')
  const request = { data: wanted, idempotencyKey: newOrderId() }
  const first = await client.createPaymentRequest(request)
  expect(await client.createPaymentRequest(request)).toEqual(first)
  const other = new PaymentRequest({ secretKey: `${KEY}2`, xenditURL: `${sandbox.url}/xendit` })
  expect((await other.createPaymentRequest(request)).id).not.toBe(first.id)
  await client.createPaymentRequest({ data: wanted })
  const { data: found } = await client.getAllPaymentRequests({ referenceId: [wanted.referenceId] })
  expect(found).toHaveLength(2)
})

test("Xendit's list of payment requests contains only the merchant's requests with the given reference", async () => {
  const reference_id = newOrderId()
  const v3 = (reference: string, serverKey = KEY) =>
    call(
      `${sandbox.url}/xendit/v3/payment_requests`,
      {
        reference_id: reference,
        type: 'PAY',
        country: 'ID',
        currency: 'IDR',
        request_amount: 15_000,
        channel_code: 'QRIS',
        channel_properties: {},
      },
      { serverKey },
    )
  const older = await v3(reference_id)
  await v3(`${reference_id}-2`)
  await v3(reference_id, 'xnd_development_stranger')
  const newer = await client.createPaymentRequest({ data: data('a QR code', { referenceId: reference_id }) })
  const { data: found } = await client.getAllPaymentRequests({ referenceId: [reference_id] })
  expect(found.map((one: Json) => one.id)).toEqual([newer.id, older.body.payment_request_id])
  const page = await client.getAllPaymentRequests({ referenceId: [reference_id], limit: 1 })
  expect([page.data.length, page.hasMore]).toEqual([1, true])
})

test('Xendit’s official client refunds a payment once per idempotency key, and lists the refund', async () => {
  const { id, referenceId } = await client.createPaymentRequest({ data: data('a wallet') })
  await call(`${sandbox.url}/simulate`, { payment_code: referenceId, outcome: 'paid' }, { serverKey: null })
  const asked = {
    idempotencyKey: `${referenceId}-R1`,
    data: {
      paymentRequestId: id,
      referenceId: `${referenceId}-R1`,
      amount: 4_000,
      currency: 'IDR',
      reason: 'REQUESTED_BY_CUSTOMER',
    },
  }
  const made = await refunds.createRefund(asked)
  expect(made).toMatchObject({ paymentRequestId: id, referenceId: `${referenceId}-R1`, amount: 4_000 })
  expect((await refunds.createRefund(asked)).id).toBe(made.id)
  expect(await refunds.getRefund({ refundID: made.id })).toMatchObject({ id: made.id, amount: 4_000 })
  const { data: listed, hasMore } = await refunds.getAllRefunds({ paymentRequestId: id })
  expect([hasMore, listed.map((each: Json) => each.id)]).toEqual([false, [made.id]])
})

test("Xendit's official client receives the reason a request was rejected", async () => {
  const wrong = data('a wallet', { amount: 20_000_001 })
  await expect(client.createPaymentRequest({ data: wrong })).rejects.toMatchObject({
    status: 400,
    errorCode: 'INVALID_VALUE_ERROR',
  })
  await expect(client.getPaymentRequestByID({ paymentRequestId: 'pr-nothing' })).rejects.toMatchObject({
    status: 404,
    errorCode: 'DATA_NOT_FOUND',
  })
  const nobody = new PaymentRequest({ secretKey: 'wrong', xenditURL: `${sandbox.url}/xendit` })
  await expect(nobody.createPaymentRequest({ data: data('a QR code') })).rejects.toMatchObject({
    status: 401,
    errorCode: 'INVALID_API_KEY',
  })
})

test('a Xendit wallet payment without the properties required by the wallet is rejected', async () => {
  for (const [channelCode, channelProperties] of [
    ['OVO', { successReturnUrl: 'https://redirect.me/success' }],
    ['JENIUSPAY', { successReturnUrl: 'https://redirect.me/success' }],
    ['DANA', { mobileNumber: '+6281234567890' }],
  ] as const) {
    const paymentMethod = {
      type: 'EWALLET',
      reusability: 'ONE_TIME_USE',
      ewallet: { channelCode, channelProperties },
    }
    await expect(
      client.createPaymentRequest({ data: data('a wallet', { paymentMethod }) }),
    ).rejects.toMatchObject({ status: 400, errorCode: 'API_VALIDATION_ERROR' })
  }
})
