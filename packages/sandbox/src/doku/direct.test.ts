import { createHash, createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../../test/support/merchant.ts'
import { type Received, startReceiver, until } from '../../test/support/receiver.ts'
import {
  type Answer,
  dokuCredentials,
  getJson,
  newReference,
  register,
  send,
  simulate,
} from '../../test/support/snap-merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

// Tests for DOKU's own API, which is not SNAP. The tests compute signatures without the sandbox's code.

const { client_id: clientId, secret_key: secretKey } = dokuCredentials
const BCA = '/bca-virtual-account/v2/payment-code'
const ALFA = '/alfa-online-to-offline/v2/payment-code'

let sandbox: RunningSandbox
let receiver: Awaited<ReturnType<typeof startReceiver>>
let answering = 200

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, scanMs: 10, retryScale: 0.0000001 })
  receiver = await startReceiver(() => ({ status: answering }))
  await register(sandbox.url, 'doku', dokuCredentials, `${receiver.url}/dashboard`)
  await register(sandbox.url, 'doku', { ...dokuCredentials, client_id: 'BRN-2', secret_key: 'SK-2' })
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})
beforeEach(() => {
  receiver.received.length = 0
  answering = 200
})

type Signing = {
  clientId: string
  secretKey: string
  requestId: string
  over: Record<string, string>
  target?: string
}

function headers(
  path: string,
  text: string | undefined,
  signing: Partial<Signing> = {},
): Record<string, string> {
  const timestamp = `${new Date().toISOString().slice(0, 19)}Z`
  const { requestId = randomUUID(), over = {}, target = path } = signing
  const id = signing.clientId ?? clientId
  const lines = [
    `Client-Id:${id}`,
    `Request-Id:${requestId}`,
    `Request-Timestamp:${timestamp}`,
    `Request-Target:${target}`,
  ]
  if (text !== undefined) lines.push(`Digest:${createHash('sha256').update(text).digest('base64')}`)
  const key = signing.secretKey ?? secretKey
  const signature = `HMACSHA256=${createHmac('sha256', key).update(lines.join('\n')).digest('base64')}`
  return { 'client-id': id, 'request-id': requestId, 'request-timestamp': timestamp, signature, ...over }
}

function post(path: string, body: Json, signing: Partial<Signing> = {}): Promise<Answer> {
  const text = JSON.stringify(body)
  return send(`${sandbox.url}/doku${path}`, 'POST', headers(path, text, signing), text)
}

function inquire(invoice: string, signing: Partial<Signing> = {}): Promise<Answer> {
  const path = `/orders/v1/status/${invoice}`
  return send(`${sandbox.url}/doku${path}`, 'GET', headers(path, undefined, signing))
}

function request(
  over: Record<string, unknown> = {},
  name = 'Anton Budiman',
  info = 'virtual_account_info',
): Json {
  return {
    order: { invoice_number: newReference(), amount: 10000 },
    [info]: { expired_time: 60, reusable_status: false },
    customer: { name, email: 'anton@example.com' },
    additional_info: { override_notification_url: `${receiver.url}/v1/callbacks/doku/1` },
    ...over,
  }
}

async function listed(body: Json): Promise<Json> {
  return await getJson(`${sandbox.url}/orders?payment_code=${body.order.invoice_number}`)
}

describe('DOKU’s own API creates payment codes for banks and stores', () => {
  test.each(['bca', 'mandiri', 'bsm', 'bri', 'doku'])(
    'a DOKU payment code for %s is a virtual account number of sixteen digits',
    async bank => {
      const body = request()
      const answer = await post(`/${bank}-virtual-account/v2/payment-code`, body)
      const { virtual_account_info: info, order } = answer.body
      expect(answer.status).toBe(200)
      expect(order).toEqual({ invoice_number: body.order.invoice_number })
      expect(info.virtual_account_number).toMatch(/^\d{16}$/)
      expect(info.expired_date_utc).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      // The response contains the expiry time twice: in UTC, and in WIB (UTC+7) without a time zone.
      const [, year, month, day, hour, minute, second] =
        /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(info.expired_date) ?? []
      const wib = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}+07:00`)
      expect(wib).toBe(Date.parse(info.expired_date_utc))
      expect(wib - Date.parse(info.created_date_utc)).toBe(3_600_000)
      expect((await listed(body)).orders[0]).toMatchObject({
        asked_cents: 1_000_000,
        number: info.virtual_account_number,
      })
    },
  )

  test.each([9_999, 5_000_001])('DOKU rejects an Alfa payment code for %i rupiah', async amount => {
    const body = request({}, 'Anton', 'online_to_offline_info')
    const answer = await post(ALFA, { ...body, order: { ...body.order, amount } })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_parameter'])
  })

  test.each(['alfa-virtual-account', 'alfa-online-to-offline', 'indomaret-online-to-offline'])(
    'a DOKU payment code for %s is a code of 16 digits that the payer shows at the store’s counter',
    async product => {
      const body = request({}, 'Anton', 'online_to_offline_info')
      const answer = await post(`/${product}/v2/payment-code`, body)
      expect(answer.body.online_to_offline_info.payment_code).toMatch(/^\d{16}$/)
    },
  )

  test('a DOKU payment code expires after an hour by default, without a notification', async () => {
    const body = request({ virtual_account_info: {} })
    await post(BCA, body)
    const { orders } = await listed(body)
    expect(Date.parse(orders[0].expires_at) - Date.parse(orders[0].created_at)).toBe(3_600_000)
  })

  test.each([
    ['no invoice number', { order: { amount: 10000 } }],
    ['an invoice number that is too long', { order: { invoice_number: 'x'.repeat(65), amount: 10000 } }],
    ['an amount as text', { order: { invoice_number: 'INV-1', amount: '10000' } }],
    ['a fraction of a rupiah', { order: { invoice_number: 'INV-1', amount: 10000.5 } }],
    ['an amount of zero', { order: { invoice_number: 'INV-1', amount: 0 } }],
    ['no virtual account details', { virtual_account_info: undefined }],
    ['an expiry of zero', { virtual_account_info: { expired_time: 0 } }],
    ['a reusable payment code', { virtual_account_info: { reusable_status: true } }],
  ])('a DOKU request for a payment code with %s is rejected', async (_, over) => {
    const answer = await post(BCA, request(over))
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: 'invalid_parameter',
      message: expect.stringMatching(/ is invalid$/),
    })
  })

  test('a DOKU payment code request is rejected if it reuses an invoice number or is not JSON', async () => {
    const body = request()
    await post(BCA, body)
    const again = await post(BCA, body)
    expect([again.status, again.body.error.code]).toEqual([409, 'invoice_number_already_used'])
    expect((await listed(body)).count).toBe(1)
    const text = 'no JSON'
    expect((await send(`${sandbox.url}/doku${BCA}`, 'POST', headers(BCA, text), text)).status).toBe(400)
  })

  test('a DOKU request with a repeated Request-Id gets 409 and the body of the first response', async () => {
    const [body, requestId] = [request(), randomUUID()]
    const first = await post(BCA, body, { requestId })
    const second = await post(BCA, body, { requestId })
    expect([first.status, second.status]).toEqual([200, 409])
    expect(second.text).toBe(first.text)
    expect((await listed(body)).count).toBe(1)
  })
})

test('the payment page of a DOKU payment code shows the code for the cashier', async () => {
  const body = request({}, 'Anton', 'online_to_offline_info')
  const code = (await post(ALFA, body)).body.online_to_offline_info.payment_code
  const page = await (await fetch(`${sandbox.url}/orders/${(await listed(body)).orders[0].id}`)).text()
  expect(page).toContain('Alfa Group code')
  expect(page).toContain(code)
})

describe('DOKU’s own API rejects requests without a valid signature', () => {
  test.each([
    ['of an unknown client', { clientId: 'BRN-9' }, 401],
    ['signed with another key', { secretKey: 'SK-9' }, 401],
    ['signed for another path', { target: ALFA }, 401],
    ['signed for the path with the sandbox’s prefix', { target: `/doku${BCA}` }, 401],
    ['without its signature', { over: { signature: '' } }, 401],
    ['with another Request-Id than the signed one', { over: { 'request-id': 'r-1' } }, 401],
    ['without a Request-Id', { over: { 'request-id': '' } }, 400],
    [
      'with a Request-Timestamp that is not in UTC',
      { over: { 'request-timestamp': '2020-08-11T15:45:42+07:00' } },
      400,
    ],
  ])('a request to DOKU’s own API %s is rejected and creates no order', async (_, signing, status) => {
    const body = request()
    expect((await post(BCA, body, signing)).status).toBe(status)
    expect((await listed(body)).count).toBe(0)
  })

  test('a DOKU request whose body differs from the signed body creates nothing', async () => {
    const body = request()
    const text = JSON.stringify(body)
    const spaced = JSON.stringify(body, null, 1)
    expect((await send(`${sandbox.url}/doku${BCA}`, 'POST', headers(BCA, text), spaced)).status).toBe(401)
    expect((await listed(body)).count).toBe(0)
  })
})

describe("DOKU's own API returns an order's status only to its merchant", () => {
  test.each([
    ['paid', 'SUCCESS'],
    ['failed', 'FAILED'],
    ['expired', 'EXPIRED'],
    ['cancelled', 'EXPIRED'],
    ['challenged', 'PENDING'],
  ])(
    'a status inquiry over DOKU’s own API for an order that is %s returns the status %s',
    async (outcome, word) => {
      const [body, requestId] = [request(), randomUUID()]
      await post(BCA, body, { requestId })
      const invoice = body.order.invoice_number
      expect((await inquire(invoice)).body).toMatchObject({
        service: { id: 'VIRTUAL_ACCOUNT' },
        channel: { id: 'VIRTUAL_ACCOUNT_BCA' },
        order: { invoice_number: invoice, amount: 10000 },
        transaction: { status: 'PENDING', original_request_id: requestId },
      })
      await simulate(sandbox.url, { payment_code: invoice, outcome })
      expect((await inquire(invoice)).body.transaction.status).toBe(word)
    },
  )

  test("a DOKU status inquiry does not find an unknown order or another merchant's order", async () => {
    const body = request()
    await post(BCA, body)
    const stranger = { clientId: 'BRN-2', secretKey: 'SK-2' }
    expect((await inquire(body.order.invoice_number, stranger)).status).toBe(404)
    expect((await inquire('INV-NONE')).status).toBe(404)
  })

  test('a DOKU status inquiry without a valid signature returns no order', async () => {
    expect((await inquire('INV-NONE', { secretKey: 'SK-9' })).status).toBe(401)
  })
})

describe('DOKU’s own API sends the merchant notifications about payments and failures', () => {
  function holds({ headers: sent, text, path }: Received): boolean {
    const lines = [
      `Client-Id:${sent['client-id']}`,
      `Request-Id:${sent['request-id']}`,
      `Request-Timestamp:${sent['request-timestamp']}`,
      `Request-Target:${path}`,
      `Digest:${createHash('sha256').update(text).digest('base64')}`,
    ]
    return (
      sent.signature ===
      `HMACSHA256=${createHmac('sha256', secretKey).update(lines.join('\n')).digest('base64')}`
    )
  }

  async function told(over: Record<string, unknown>, body: Json = request(), path = BCA): Promise<Json> {
    await post(path, body)
    return await simulate(sandbox.url, { payment_code: body.order.invoice_number, ...over })
  }

  test('a DOKU notification contains the amount paid and is sent to the address from the create request', async () => {
    const [body, requestId] = [request(), randomUUID()]
    await post(BCA, body, { requestId })
    await simulate(sandbox.url, { payment_code: body.order.invoice_number, outcome: 'paid' })
    const [paid] = receiver.received as [Received]
    expect(paid.path).toBe('/v1/callbacks/doku/1')
    expect(paid.headers['client-id']).toBe(clientId)
    expect(holds(paid)).toBe(true)
    expect(paid.body).toMatchObject({
      service: { id: 'VIRTUAL_ACCOUNT' },
      acquirer: { id: 'BCA' },
      channel: { id: 'VIRTUAL_ACCOUNT_BCA' },
      order: { invoice_number: body.order.invoice_number, amount: 10000 },
      virtual_account_info: { virtual_account_number: expect.stringMatching(/^\d{16}$/) },
      virtual_account_payment: { date: expect.stringMatching(/^\d{14}$/) },
      transaction: { status: 'SUCCESS', original_request_id: requestId },
    })
  })

  test('a DOKU notification is sent to the registered address if the create request contains no address', async () => {
    await told({ outcome: 'paid' }, request({ additional_info: {} }))
    expect(receiver.received[0]?.path).toBe('/dashboard')
  })

  test('the DOKU notification for a payment at a convenience store contains the payment code', async () => {
    const body = request({}, 'Anton', 'online_to_offline_info')
    await told({ outcome: 'paid' }, body, ALFA)
    expect(receiver.received[0]?.body).toMatchObject({
      service: { id: 'ONLINE_TO_OFFLINE' },
      channel: { id: 'ONLINE_TO_OFFLINE_ALFA' },
      online_to_offline_info: { payment_code: expect.stringMatching(/^\d{16}$/) },
    })
  })

  test('DOKU sends a notification when a payment fails, but not on expiry, cancellation or a fraud check', async () => {
    await told({ outcome: 'failed' })
    expect(receiver.received[0]?.body.transaction.status).toBe('FAILED')
    for (const outcome of ['expired', 'cancelled', 'challenged']) {
      expect(await told({ outcome })).toEqual({ callbacks: [] })
    }
    expect(receiver.received).toHaveLength(1)
  })

  test('if a test changes the fields of a DOKU notification, the signature covers the changed fields', async () => {
    await told({ outcome: 'paid', currency: 'USD' })
    await told({ outcome: 'paid', status: 'VOIDED' })
    await told({ outcome: 'paid', unknown_fields: true })
    await told({ outcome: 'paid', bad_signature: true })
    expect(receiver.received.map(holds)).toEqual([true, true, true, false])
    const [currency, status, unknown] = receiver.received.map(({ body }) => body)
    expect(currency.order.currency).toBe('USD')
    expect(status.transaction.status).toBe('VOIDED')
    expect(unknown).toHaveProperty('sandbox_new_object')
  })

  test('the sandbox retries a DOKU notification up to three times, until it receives a 2xx status', async () => {
    answering = 302
    await told({ outcome: 'paid' })
    await receiver.waitFor(4)
    answering = 204
    await told({ outcome: 'paid' })
    expect(receiver.received).toHaveLength(5)
  })
})

describe("a special customer name selects the error with which DOKU's own API rejects a request", () => {
  test.each([
    ['SANDBOX REJECT', 422, 'transaction_rejected'],
    ['SANDBOX INACTIVE', 403, 'channel_not_activated'],
    ['SANDBOX RATE LIMIT', 429, 'too_many_requests'],
    ['SANDBOX OUTAGE', 503, 'service_unavailable'],
  ])(
    'a request for the customer %s is rejected in DOKU’s own format and creates nothing',
    async (name, status, code) => {
      const body = request({}, name)
      const answer = await post(BCA, body)
      expect([answer.status, answer.body.error.code]).toEqual([status, code])
      expect((await listed(body)).count).toBe(0)
    },
  )

  test.each([
    ['SANDBOX NOT JSON', 200, 'OK'],
    ['SANDBOX HTML', 502, '<html>'],
  ])(
    'a DOKU request for the customer %s creates the order and returns a response that is not JSON',
    async (name, status, text) => {
      const body = request({}, name)
      const answer = await post(BCA, body)
      expect([answer.status, answer.text.slice(0, text.length)]).toEqual([status, text])
      expect((await listed(body)).count).toBe(1)
    },
  )

  test('a DOKU request with an invalid field gets a validation error, even with a special customer name', async () => {
    expect((await post(BCA, { ...request({}, 'SANDBOX HTML'), virtual_account_info: null })).status).toBe(400)
  })

  test('a DOKU request for the customer SANDBOX TIMEOUT creates the order but never gets a response', async () => {
    const [body, requestId] = [request({}, 'SANDBOX TIMEOUT'), randomUUID()]
    for (const count of [1, 2]) {
      post(BCA, body, { requestId }).catch(() => {})
      await until(async () => {
        const asked = await getJson(`${sandbox.url}/requests?payment_code=${body.order.invoice_number}`)
        return (
          asked.requests.length === count &&
          asked.requests.every((entry: Json) => entry.answered_status === null)
        )
      })
    }
    expect((await listed(body)).count).toBe(1)
  })
})

test('a DOKU inquiry reports SUCCESS after a partial refund and REFUNDED after a full refund', async () => {
  const body = request()
  const invoice = body.order.invoice_number
  await post(BCA, body)
  await simulate(sandbox.url, { payment_code: invoice, outcome: 'paid' })
  receiver.received.length = 0
  await simulate(sandbox.url, { payment_code: invoice, outcome: 'partially_refunded', amount: 100 })
  expect((await inquire(invoice)).body.transaction.status).toBe('SUCCESS')
  await simulate(sandbox.url, { payment_code: invoice, outcome: 'refunded' })
  expect((await inquire(invoice)).body.transaction.status).toBe('REFUNDED')
  expect(receiver.received).toEqual([])
})
