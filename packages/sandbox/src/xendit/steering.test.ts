import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basicAuth, call, type Json, newOrderId } from '../../test/support/merchant.ts'
import { until } from '../../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

const KEY = 'xnd_development_steered'
let sandbox: RunningSandbox
const at = (path: string, body?: unknown) => call(`${sandbox.url}/xendit${path}`, body, { serverKey: KEY })
const logged = async (code: string) =>
  (await call(`${sandbox.url}/requests?payment_code=${code}`, undefined, { serverKey: null })).body
    .requests as Json[]

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.close())

/**
 * One create request for each Xendit product, because each product has a different field for the customer's
 * name.
 */
const products: Record<
  string,
  { path: string; body: (name: string, code: string) => Json; accepted: number }
> = {
  'v3 virtual account': {
    path: '/v3/payment_requests',
    accepted: 201,
    body: (name, code) => v3(code, 'BNI_VIRTUAL_ACCOUNT', { display_name: name }),
  },
  'v3 store': {
    path: '/v3/payment_requests',
    accepted: 201,
    body: (name, code) => ({
      ...v3(code, 'ALFAMART', { payer_name: name }),
      type: 'REUSABLE_PAYMENT_CODE',
    }),
  },
  'v3 QRIS': {
    path: '/v3/payment_requests',
    accepted: 201,
    body: (name, code) => ({ ...v3(code, 'QRIS', {}), metadata: { customer_name: name } }),
  },
  'v2 virtual account': {
    path: '/payment_requests',
    accepted: 201,
    body: (name, code) =>
      v2(code, {
        type: 'VIRTUAL_ACCOUNT',
        virtual_account: { channel_code: 'BNI', channel_properties: { customer_name: name } },
      }),
  },
  'v2 store': {
    path: '/payment_requests',
    accepted: 201,
    body: (name, code) =>
      v2(code, {
        type: 'OVER_THE_COUNTER',
        over_the_counter: { channel_code: 'ALFAMART', channel_properties: { customer_name: name } },
      }),
  },
  'v2 QRIS': {
    path: '/payment_requests',
    accepted: 201,
    body: (name, code) => ({
      ...v2(code, { type: 'QR_CODE', qr_code: { channel_code: 'QRIS' } }),
      metadata: { customer_name: name },
    }),
  },
  'fixed virtual account': {
    path: '/callback_virtual_accounts',
    accepted: 200,
    body: (name, external_id) => ({
      external_id,
      bank_code: 'BNI',
      name,
      expected_amount: 44_000,
      is_closed: true,
    }),
  },
  'QR code': {
    path: '/qr_codes',
    accepted: 200,
    body: (name, external_id) => ({
      external_id,
      type: 'DYNAMIC',
      callback_url: 'http://127.0.0.1:9/nobody',
      amount: 44_000,
      metadata: { customer_name: name },
    }),
  },
  charge: {
    path: '/ewallets/charges',
    accepted: 202,
    body: (name, reference_id) => ({
      reference_id,
      currency: 'IDR',
      amount: 44_000,
      checkout_method: 'ONE_TIME_PAYMENT',
      channel_code: 'ID_OVO',
      channel_properties: { mobile_number: '+6281234567890' },
      metadata: { customer_name: name },
    }),
  },
}

function v3(reference_id: string, channel_code: string, channel_properties: Json): Json {
  const common = { type: 'PAY', country: 'ID', currency: 'IDR', request_amount: 44_000 }
  return { ...common, reference_id, channel_code, channel_properties }
}

function v2(reference_id: string, method: Json): Json {
  return {
    reference_id,
    amount: 44_000,
    currency: 'IDR',
    payment_method: { reusability: 'ONE_TIME_USE', ...method },
  }
}

async function isThere(code: string): Promise<boolean> {
  const { body } = await call(
    `${sandbox.url}/simulate/silently`,
    { payment_code: code, outcome: 'paid' },
    { serverKey: null },
  )
  return body.error !== 'unknown'
}

describe.each(Object.keys(products))('%s', product => {
  const { path, body: bodyOf, accepted } = products[product] as (typeof products)[string]
  const send = (name: string, code = newOrderId()) => at(path, bodyOf(name, code))

  test.each([
    ['SANDBOX REJECT', 403, 'ACCOUNT_ACCESS_BLOCKED', 'reject'],
    ['SANDBOX INACTIVE', 403, 'CHANNEL_NOT_ACTIVATED', 'inactive'],
    ['SANDBOX RATE LIMIT', 429, 'RATE_LIMIT_EXCEEDED', 'rate_limit'],
    ['SANDBOX OUTAGE', 503, 'CHANNEL_UNAVAILABLE', 'outage'],
  ])(
    'a Xendit request for the customer %s gets HTTP %i %s and creates nothing',
    async (name, status, code, steering) => {
      const reference = newOrderId()
      const answer = await send(name, reference)
      expect([answer.status, answer.body.error_code]).toEqual([status, code])
      expect(await isThere(reference)).toBe(false)
      expect(await logged(reference)).toMatchObject([
        { provider: 'xendit', steering, answered_status: status, answered_code: code },
      ])
    },
  )

  test.each([
    ['SANDBOX NOT JSON', 200, 'text/plain', 'OK'],
    ['SANDBOX HTML', 502, 'text/html', '<html>'],
  ])(
    'a Xendit request for the customer %s creates an order, but its response is HTTP %i %s',
    async (name, status, type, beginning) => {
      const reference = newOrderId()
      const response = await fetch(`${sandbox.url}/xendit${path}`, {
        method: 'POST',
        headers: { authorization: basicAuth(KEY), 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(name, reference)),
      })
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toContain(type)
      expect(await response.text()).toMatch(new RegExp(`^${beginning}`))
      expect(await logged(reference)).toMatchObject([{ answered_status: status, answered_code: null }])
      expect(await isThere(reference)).toBe(true)
    },
  )

  test('a Xendit request for the customer SANDBOX TIMEOUT creates an order but never gets a response', async () => {
    const reference = newOrderId()
    const abort = new AbortController()
    const pending = fetch(`${sandbox.url}/xendit${path}`, {
      method: 'POST',
      headers: { authorization: basicAuth(KEY) },
      body: JSON.stringify(bodyOf('SANDBOX TIMEOUT', reference)),
      signal: abort.signal,
    })
    pending.catch(() => {})
    await until(async () => (await logged(reference)).length === 1)
    expect(await logged(reference)).toMatchObject([{ steering: 'timeout', answered_status: null }])
    expect(await isThere(reference)).toBe(true)
    abort.abort()
    await expect(pending).rejects.toThrow()
  })

  test('Xendit accepts the customer Sandbox Reject, because only SANDBOX REJECT in capitals selects an error', async () => {
    const reference = newOrderId()
    const answer = await send('Sandbox Reject', reference)
    expect(answer.status).toBe(accepted)
    expect(await logged(reference)).toMatchObject([
      { answered_status: accepted, answered_code: answer.body.status, path: `/xendit${path}` },
    ])
  })
})

test('a Xendit request for the customer SANDBOX SLOW is logged before its delayed response is sent', async () => {
  const reference = newOrderId()
  const body = products['v3 QRIS']?.body('SANDBOX SLOW', reference)
  const answer = at('/v3/payment_requests', body)
  await until(async () => (await logged(reference)).length === 1)
  expect((await answer).status).toBe(201)
})

test('the headers of a Xendit rate limit error contain the number of remaining requests', async () => {
  const body = products['v3 QRIS']?.body('SANDBOX RATE LIMIT', newOrderId())
  const response = await fetch(`${sandbox.url}/xendit/v3/payment_requests`, {
    method: 'POST',
    headers: { authorization: basicAuth(KEY) },
    body: JSON.stringify(body),
  })
  expect(response.headers.get('rate-limit-remaining')).toBe('0')
})

test('rejected Xendit requests are logged with the merchant’s reference', async () => {
  const reference = newOrderId()
  await at('/v3/payment_requests', { ...v3(reference, 'QRIS', {}), request_amount: 0.5 })
  await call(`${sandbox.url}/xendit/v3/payment_requests`, v3(reference, 'QRIS', {}), { serverKey: 'nobody' })
  expect((await logged(reference)).map(one => [one.answered_status, one.answered_code])).toEqual([
    [400, 'API_VALIDATION_ERROR'],
    [401, 'INVALID_API_KEY'],
  ])
})
