import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basicAuth, call, charge, newOrderId, SERVER_KEY } from '../test/support/merchant.ts'
import { startReceiver, until } from '../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from './server.ts'

const json = { 'content-type': 'application/json' }

let sandbox: RunningSandbox
let merchant: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  merchant = await startReceiver()
  sandbox = await startSandbox({ port: 0, notificationUrl: merchant.url })
})
afterAll(async () => {
  await sandbox.close()
  await merchant.close()
})

const named = (name: string, orderId: string) => charge({ customer_details: customer(name) }, orderId)
const send = (name: string, orderId: string) =>
  call(`${sandbox.url}/midtrans/v2/charge`, named(name, orderId))
const exists = async (orderId: string) =>
  (await call(`${sandbox.url}/midtrans/v2/${orderId}/status`)).status === 200
const requests = async (code: string) =>
  (await call(`${sandbox.url}/requests?payment_code=${code}`)).body.requests as Record<string, unknown>[]

function customer(name: string) {
  const [first, ...last] = name.split(' ')
  return { first_name: first, last_name: last.join(' ') }
}

test.each([
  ['REJECT', 'a denial of this order', 200, '202', { transaction_status: 'deny', fraud_status: 'deny' }],
  [
    'INACTIVE',
    'a channel that is not activated',
    200,
    '402',
    { status_message: 'Payment channel is not activated.' },
  ],
  ['RATE LIMIT', 'too many requests', 429, '429', {}],
  ['OUTAGE', 'an outage', 503, '503', {}],
])(
  'a charge for the customer SANDBOX %s, a name that selects an error, creates no order, gets the provider’s error for %s, and is logged',
  async (...row) => {
    const [name, , httpStatus, code, extra] = row
    const orderId = newOrderId()
    for (const tries of [1, 2]) {
      const { status, body } = await send(`SANDBOX ${name}`, orderId)
      expect(status).toBe(httpStatus)
      expect(body).toMatchObject({ status_code: code, ...extra })
      expect(await requests(orderId)).toHaveLength(tries)
    }
    expect(await exists(orderId)).toBe(false)
    expect((await requests(orderId))[0]).toMatchObject({
      steering: name.toLowerCase().replace(' ', '_'),
      answered_status: httpStatus,
      answered_code: code,
    })
    // The failed charge created no order, so the same order ID can be used again.
    expect((await send('Budi', orderId)).body.status_code).toBe('201')
  },
)

test('the response to a rejected charge contains no payment instructions', async () => {
  const { body } = await send('SANDBOX REJECT', newOrderId())
  expect(Object.keys(body).filter(key => /va_|bill|code$|actions|url|expiry/.test(key))).toEqual([
    'status_code',
  ])
})

test.each([
  ['RATE LIMIT', '429'],
  ['OUTAGE', '503'],
])(
  'for the customer name SANDBOX %s, the response is not stored under the Idempotency-Key',
  async (name, code) => {
    const orderId = newOrderId()
    const headers = { 'idempotency-key': orderId }
    const url = `${sandbox.url}/midtrans/v2/charge`
    const first = await call(url, named(`SANDBOX ${name}`, orderId), { headers })
    const second = await call(url, named('Budi', orderId), { headers })
    expect([first.body.status_code, second.body.status_code]).toEqual([code, '201'])
  },
)

test.each([
  ['NOT JSON', 200, 'text/plain', /^OK$/],
  ['HTML', 502, 'text/html', /^<html>.*502 Bad Gateway/s],
])(
  'for the customer name SANDBOX %s, the order is created and the merchant is notified, but the charge responses are not JSON',
  async (...row) => {
    const [name, httpStatus, contentType, text] = row
    const orderId = newOrderId()
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await fetch(`${sandbox.url}/midtrans/v2/charge`, {
        method: 'POST',
        headers: { ...json, authorization: basicAuth(SERVER_KEY), 'idempotency-key': orderId },
        body: JSON.stringify(named(`SANDBOX ${name}`, orderId)),
      })
      expect(answer.status).toBe(httpStatus)
      expect(answer.headers.get('content-type')).toContain(contentType)
      expect(await answer.text()).toMatch(text)
    }
    expect(await exists(orderId)).toBe(true)
    await until(() => merchant.received.some(one => one.body.order_id === orderId))
    expect(await requests(orderId)).toMatchObject([
      { answered_status: httpStatus, answered_code: null },
      { answered_status: httpStatus, answered_code: null },
    ])
  },
)

test('an invalid request gets a JSON error, even with the customer name SANDBOX HTML', async () => {
  const bad = { ...named('SANDBOX HTML', newOrderId()), payment_type: 'barter' }
  expect((await call(`${sandbox.url}/midtrans/v2/charge`, bad)).body.status_code).toBe('400')
})

test('for the customer SANDBOX TIMEOUT, the sandbox creates the order and notifies the merchant, but never responds', async () => {
  const orderId = newOrderId()
  const abort = new AbortController()
  let settled = false
  const pending = fetch(`${sandbox.url}/midtrans/v2/charge`, {
    method: 'POST',
    headers: { authorization: basicAuth(SERVER_KEY), 'content-type': 'application/json' },
    body: JSON.stringify(named('SANDBOX TIMEOUT', orderId)),
    signal: abort.signal,
  }).finally(() => {
    settled = true
  })
  pending.catch(() => {})
  await until(() => exists(orderId))
  await until(() => merchant.received.some(one => one.body.order_id === orderId))
  await sleep(100)
  expect(settled).toBe(false)
  expect(await requests(orderId)).toMatchObject([{ steering: 'timeout', answered_status: null }])
  abort.abort()
  await expect(pending).rejects.toThrow()
})

test('a request for the customer SANDBOX TIMEOUT never gets a response, even when repeated', async () => {
  const orderId = newOrderId()
  for (const count of [1, 2]) {
    const abort = new AbortController()
    const pending = fetch(`${sandbox.url}/midtrans/v2/charge`, {
      method: 'POST',
      headers: { ...json, authorization: basicAuth(SERVER_KEY), 'idempotency-key': orderId },
      body: JSON.stringify(named('SANDBOX TIMEOUT', orderId)),
      signal: abort.signal,
    })
    pending.catch(() => {})
    await until(async () => (await requests(orderId)).length === count)
    abort.abort()
    await expect(pending).rejects.toThrow()
  }
  expect(await requests(orderId)).toMatchObject([{ answered_status: null }, { answered_status: null }])
})

test('for the customer SANDBOX SLOW, the sandbox creates the order before it sends the late response', async () => {
  const orderId = newOrderId()
  const answer = send('SANDBOX SLOW', orderId)
  await until(() => exists(orderId))
  expect((await answer).body.status_code).toBe('201')
})

test('only an exact special customer name triggers a simulated failure, so SANDBOX REJECTED triggers none', async () => {
  for (const name of ['Sandbox Reject', 'SANDBOX REJECTED', 'MR SANDBOX REJECT']) {
    expect((await send(name, newOrderId())).body.status_code).toBe('201')
  }
})

test('the request log for a payment code also lists rejected create requests', async () => {
  const code = newOrderId()
  await send('Budi', code)
  await send('Budi', code)
  await send('Budi', `${code}-2`)
  await send('Budi', `${code}X`)
  await call(`${sandbox.url}/midtrans/v2/charge`, charge({}, code), { serverKey: 'nobody' })
  expect((await requests(code)).map(one => [one.reference, one.answered_status, one.answered_code])).toEqual([
    [code, 200, '201'],
    [code, 200, '406'],
    [`${code}-2`, 200, '201'],
    [code, 401, '401'],
  ])
  expect((await requests(code))[0]).toMatchObject({
    provider: 'midtrans',
    method: 'POST',
    path: '/midtrans/v2/charge',
  })
})

test('a sandbox shutdown does not wait for requests that never get a response', async () => {
  const own = await startSandbox({ port: 0 })
  const hanging = call(`${own.url}/midtrans/v2/charge`, named('SANDBOX TIMEOUT', newOrderId()))
  hanging.catch(() => {})
  await until(async () => (await (await fetch(`${own.url}/requests`)).text()).includes('timeout'))
  await own.close()
  await expect(hanging).rejects.toThrow()
})
