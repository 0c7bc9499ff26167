import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { call, type Json, newOrderId } from '../../test/support/merchant.ts'
import { startReceiver, until } from '../../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

const KEY = 'xnd_development_notified'
let sandbox: RunningSandbox
let merchant: Awaited<ReturnType<typeof startReceiver>>
let token: string
let answerStatus = 200

const register = (body: unknown) => call(`${sandbox.url}/merchants`, body, { serverKey: null })
const simulate = (body: unknown) => call(`${sandbox.url}/simulate`, body, { serverKey: null })
const at = (path: string, body?: unknown, options = {}) =>
  call(`${sandbox.url}/xendit${path}`, body, { serverKey: KEY, ...options })

beforeAll(async () => {
  merchant = await startReceiver(() => ({ status: answerStatus, body: 'OK' }))
  sandbox = await startSandbox({ port: 0, retryScale: 0, scanMs: 10 })
  const { body } = await register({
    provider: 'xendit',
    credentials: { secret_key: KEY },
    notification_url: `${merchant.url}/hook`,
  })
  token = body.credentials.callback_token
})
beforeEach(() => {
  answerStatus = 200
  merchant.received.length = 0
})
afterAll(async () => {
  await sandbox.close()
  await merchant.close()
})

type Product = { path: string; reference: string; body: Json; headers?: Record<string, string> }

const products: Record<string, Product> = {
  v3: {
    path: '/v3/payment_requests',
    reference: 'reference_id',
    body: {
      type: 'PAY',
      country: 'ID',
      currency: 'IDR',
      request_amount: 44_000,
      channel_code: 'BRI_VIRTUAL_ACCOUNT',
      channel_properties: { display_name: 'Budi' },
    },
  },
  v2: {
    path: '/payment_requests',
    reference: 'reference_id',
    body: {
      amount: 44_000,
      currency: 'IDR',
      payment_method: {
        type: 'VIRTUAL_ACCOUNT',
        reusability: 'ONE_TIME_USE',
        virtual_account: { channel_code: 'BNI', channel_properties: { customer_name: 'Budi' } },
      },
    },
  },
  account: {
    path: '/callback_virtual_accounts',
    reference: 'external_id',
    body: { bank_code: 'BNC', name: 'Budi', expected_amount: 44_000, is_closed: true, is_single_use: true },
  },
  qr: {
    path: '/qr_codes',
    reference: 'external_id',
    body: { type: 'DYNAMIC', amount: 44_000 },
  },
  'qr of 2022': {
    path: '/qr_codes',
    reference: 'reference_id',
    body: { type: 'DYNAMIC', amount: 44_000, currency: 'IDR' },
    headers: { 'api-version': '2022-07-31' },
  },
  wallet: {
    path: '/ewallets/charges',
    reference: 'reference_id',
    body: {
      currency: 'IDR',
      amount: 44_000,
      checkout_method: 'ONE_TIME_PAYMENT',
      channel_code: 'ID_OVO',
      channel_properties: { mobile_number: '+6281234567890' },
    },
  },
}

async function created(
  name: string,
  over: Json = {},
  serverKey = KEY,
): Promise<{ code: string; body: Json }> {
  const product = products[name] as Product
  const code = newOrderId()
  const callback = name === 'qr' ? { callback_url: `${merchant.url}/own` } : {}
  const wanted = { ...product.body, ...callback, ...over, [product.reference]: code }
  const { body } = await at(product.path, wanted, { serverKey, headers: product.headers })
  expect(body).not.toHaveProperty('error_code')
  return { code, body }
}

/**
 * Simulates an outcome. Returns the webhook that Xendit sends for this outcome, or undefined if Xendit does
 * not send one.
 */
async function told(name: string, outcome: string, over: Json = {}): Promise<Json> {
  const { code, body } = await created(name)
  const answer = await simulate({ payment_code: code, outcome, ...over })
  expect(merchant.received).toHaveLength(answer.body.callbacks.length)
  const sent = merchant.received[0]
  return sent && { ...sent.body, created: body, code, headers: sent.headers }
}

test('registering a Xendit merchant returns a webhook token, and each secret key has a different token', async () => {
  const again = await register({ provider: 'xendit', credentials: { secret_key: `${KEY}2` } })
  expect(token).toMatch(/^[0-9a-f]{48}$/)
  expect(again.body.credentials.callback_token).not.toBe(token)
  const refused = await register({ provider: 'xendit', credentials: { secret_key: 'wrong_secret' } })
  expect(refused.status).toBe(400)
  expect(refused.text).not.toContain('wrong_secret')
})

test("every Xendit webhook contains the callback token and its event's ID", async () => {
  const { code } = await created('v3')
  await simulate({ payment_code: code, outcome: 'paid', copies: 2 })
  const [first, second] = merchant.received
  for (const one of [first, second]) {
    expect(one?.path).toBe('/hook')
    expect(one?.headers).toMatchObject({ 'content-type': 'application/json', 'x-callback-token': token })
  }
  expect(first?.headers['webhook-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  await simulate({ payment_code: code, outcome: 'failed' })
  expect(merchant.received[2]?.headers['webhook-id']).not.toBe(first?.headers['webhook-id'])
})

test("for an unregistered merchant, Xendit webhooks are sent only to a QR code request's callback address", async () => {
  const stranger = 'xnd_development_nowhere'
  const v3 = await created('v3', {}, stranger)
  expect((await simulate({ payment_code: v3.code, outcome: 'paid' })).body.callbacks).toEqual([])
  const qr = await created('qr', {}, stranger)
  expect((await simulate({ payment_code: qr.code, outcome: 'paid' })).body.callbacks).toHaveLength(1)
  const registered = await created('qr')
  await simulate({ payment_code: registered.code, outcome: 'paid' })
  expect(merchant.received.map(one => one.path)).toEqual(['/own', '/own'])
})

describe('Xendit’s v3 API sends webhooks about payments, failures and expiries', () => {
  test('the Xendit webhook for a v3 payment is the event payment.capture with the captured amount', async () => {
    const hook = await told('v3', 'paid', { amount: 50 })
    const { created: request, code } = hook
    expect(hook).toMatchObject({
      event: 'payment.capture',
      api_version: 'v3',
      business_id: request.business_id,
      data: {
        payment_id: request.payment_request_id.replace('pr-', 'py-'),
        payment_request_id: request.payment_request_id,
        reference_id: code,
        type: 'PAY',
        country: 'ID',
        currency: 'IDR',
        request_amount: 44_000,
        channel_code: 'BRI_VIRTUAL_ACCOUNT',
        capture_method: 'AUTOMATIC',
        status: 'SUCCEEDED',
        captures: [{ capture_amount: 0.5, capture_timestamp: expect.any(String) }],
        payment_details: {},
      },
    })
  })

  test('Xendit sends payment.failure for a failed v3 payment and payment_request.expiry for an expired request', async () => {
    const failure = await told('v3', 'failed')
    expect(failure).toMatchObject({
      event: 'payment.failure',
      data: { status: 'FAILED', failure_code: 'USER_DECLINED_PAYMENT' },
    })
    expect(failure.data).not.toHaveProperty('captures')
    merchant.received.length = 0
    const expiry = await told('v3', 'expired')
    expect(expiry).toMatchObject({ event: 'payment_request.expiry', data: { status: 'EXPIRED' } })
    expect(expiry.data).not.toHaveProperty('payment_id')
  })

  test('for a challenged payment, Xendit sends payment.capture for a BRI virtual account, but payment.authorization for BNI', async () => {
    expect(await told('v3', 'challenged')).toMatchObject({
      event: 'payment.capture',
      data: {
        status: 'SUCCEEDED',
        payment_details: { verification_result: { sender_verification: { result: 'UNKNOWN' } } },
      },
    })
    const { code } = await created('v3', { channel_code: 'BNI_VIRTUAL_ACCOUNT' })
    merchant.received.length = 0
    await simulate({ payment_code: code, outcome: 'challenged' })
    expect(merchant.received[0]?.body).toMatchObject({
      event: 'payment.authorization',
      data: { status: 'AUTHORIZED', payment_details: {} },
    })
  })

  test('the simulated Xendit sends a v3 webhook for a paid payment, but not for a cancelled one', async () => {
    const paid = await created('v3')
    await at(`/v3/payment_requests/${paid.body.payment_request_id}/simulate`, { amount: 1_000 })
    await merchant.waitFor(1)
    expect(merchant.received[0]?.body.data.captures[0].capture_amount).toBe(1_000)
    const cancelled = await created('v3')
    await at(`/v3/payment_requests/${cancelled.body.payment_request_id}/cancel`, '')
    expect((await simulate({ payment_code: cancelled.code, outcome: 'cancelled' })).body.callbacks).toEqual(
      [],
    )
    expect(merchant.received).toHaveLength(1)
  })

  test('a Xendit v3 webhook is sent when a payment request expires', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    await created('v3', { channel_properties: { display_name: 'Budi', expires_at } })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_601_000 })
    onTestFinished(() => void vi.useRealTimers())
    await merchant.waitFor(1)
    expect(merchant.received[0]?.body).toMatchObject({
      event: 'payment_request.expiry',
      data: { status: 'EXPIRED', channel_properties: { expires_at } },
    })
  })
})

describe('Xendit’s older products send webhooks in their own formats', () => {
  test('Xendit webhooks for v2 and v3 payments have different formats', async () => {
    const paid = await told('v2', 'paid')
    expect(paid).toMatchObject({
      event: 'payment.succeeded',
      data: {
        id: paid.created.id.replace('pr-', 'py-'),
        payment_request_id: paid.created.id,
        reference_id: paid.code,
        amount: 44_000,
        currency: 'IDR',
        status: 'SUCCEEDED',
        failure_code: null,
        payment_method: { type: 'VIRTUAL_ACCOUNT', virtual_account: { channel_code: 'BNI' } },
      },
    })
    expect(paid).not.toHaveProperty('api_version')
    merchant.received.length = 0
    expect((await told('v2', 'paid', { amount: 100 })).data.amount).toBe(1)
  })

  test.each([
    ['v2', 'failed', 'payment.failed', 'FAILED'],
    ['v2', 'expired', 'payment_method.expired', 'EXPIRED'],
    ['v2', 'challenged', 'payment.pending', 'PENDING'],
    ['wallet', 'paid', 'ewallet.capture', 'SUCCEEDED'],
    ['wallet', 'failed', 'ewallet.capture', 'FAILED'],
    ['wallet', 'cancelled', 'ewallet.void', 'VOIDED'],
  ])(
    'for the Xendit product %s, the outcome %s triggers the webhook event %s with the status %s',
    async (name, outcome, event, status) => {
      expect(await told(name, outcome)).toMatchObject({ event, data: { status } })
    },
  )

  test.each([
    ['v2', 'cancelled'],
    ['account', 'failed'],
    ['account', 'cancelled'],
    ['qr', 'expired'],
    ['qr of 2022', 'failed'],
  ])('the Xendit product %s sends no webhook for the outcome %s', async (name, outcome) => {
    expect(await told(name, outcome)).toBeUndefined()
  })

  test('the Xendit webhook for an expired virtual account has the status INACTIVE', async () => {
    const paid = await told('account', 'paid', { amount: 100 })
    expect(paid).toMatchObject({
      callback_virtual_account_id: paid.created.id,
      external_id: paid.code,
      account_number: paid.created.account_number,
      bank_code: 'BNC',
      amount: 1,
      currency: 'IDR',
      payment_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      transaction_timestamp: expect.any(String),
    })
    expect(paid).not.toHaveProperty('status')
    expect(paid).not.toHaveProperty('event')
    merchant.received.length = 0
    expect(await told('account', 'expired')).toMatchObject({ status: 'INACTIVE', bank_code: 'BNC' })
  })

  test("the Xendit webhook for a QR code has the format of the code's API version", async () => {
    const first = await told('qr', 'paid', { amount: 100 })
    expect(first).toMatchObject({
      event: 'qr.payment',
      amount: 1,
      status: 'COMPLETED',
      qr_code: { id: first.created.id, external_id: first.code },
    })
    merchant.received.length = 0
    const second = await told('qr of 2022', 'paid')
    expect(second).toMatchObject({
      event: 'qr.payment',
      api_version: '2022-07-31',
      data: { qr_id: second.created.id, reference_id: second.code, amount: 44_000, status: 'SUCCEEDED' },
    })
  })

  test("the Xendit webhook for a wallet payment contains the channel's name without its country", async () => {
    const { data } = await told('wallet', 'paid', { amount: 100 })
    expect(data).toMatchObject({ channel_code: 'OVO', charge_amount: 44_000, capture_amount: 1 })
  })
})

describe('tests can request Xendit webhooks with changed fields or an invalid token', () => {
  test('a forged Xendit webhook has an invalid token and does not change the payment', async () => {
    const { headers, code } = await told('v3', 'paid', { bad_signature: true })
    const forged = headers['x-callback-token'] as string
    expect(forged).toHaveLength(token.length)
    expect([...forged].filter((character, index) => character !== token[index])).toHaveLength(1)
    const { body } = await at(`/payment_requests?reference_id=${code}`)
    expect(body.data[0].status).toBe('PENDING')
  })

  test.each(['v3', 'v2', 'account', 'qr', 'qr of 2022', 'wallet'])(
    'a Xendit webhook of the product %s still has a valid token if a simulation changes its currency and status and adds unknown fields',
    async name => {
      const over = { currency: 'USD', status: 'MAYBE', unknown_fields: true }
      const hook = await told(name, 'paid', over)
      expect(hook.headers['x-callback-token']).toBe(token)
      expect(hook.data ?? hook).toMatchObject({
        currency: 'USD',
        status: 'MAYBE',
        sandbox_new_field: 'undocumented',
      })
      expect(hook.sandbox_new_field).toBe('undocumented')
    },
  )
})

test('a Xendit webhook whose delivery always fails is sent seven times in total', async () => {
  const { code } = await created('v3')
  answerStatus = 500
  await simulate({ payment_code: code, outcome: 'paid' })
  await until(() => merchant.received.length >= 7)
  // This pause is long enough for an eighth webhook to arrive, if the sandbox sent one.
  await sleep(100)
  expect(merchant.received).toHaveLength(7)
  expect(new Set(merchant.received.map(one => one.text + one.headers['webhook-id'])).size).toBe(1)
})
