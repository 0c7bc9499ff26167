import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, type Json, newOrderId } from '../../test/support/merchant.ts'
import { until } from '../../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'
import { channels } from './channels.ts'

const merchant = { api_key: 'DEV-key', private_key: 'private', merchant_code: 'T0001' }
const stranger = { api_key: 'DEV-other', private_key: 'other', merchant_code: 'T0002' }
let sandbox: RunningSandbox

type Options = { apiKey?: string | null; method?: string; headers?: Record<string, string> }

const at = (path: string, body?: unknown, { apiKey = merchant.api_key, headers, ...options }: Options = {}) =>
  call(`${sandbox.url}/tripay${path}`, body, {
    serverKey: null,
    headers: { ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }), ...headers },
    ...options,
  })
const create = (body: unknown, options?: Options) => at('/transaction/create', body, options)
const control = (path: string, body?: unknown) => call(`${sandbox.url}${path}`, body, { serverKey: null })

/** Signs the request as a merchant's server would, without the sandbox's code. */
function sign(reference: string, amount: number, who = merchant): string {
  const text = who.merchant_code + reference + amount
  return createHmac('sha256', who.private_key).update(text).digest('hex')
}

function request(over: Json = {}, who = merchant): Json {
  const merchant_ref = over.merchant_ref ?? newOrderId()
  const amount = over.amount ?? 44_000
  return {
    method: 'BRIVA',
    merchant_ref,
    amount,
    customer_name: 'Budi',
    customer_email: 'budi@example.com',
    order_items: [{ name: 'Shoes', price: amount, quantity: 1 }],
    signature: sign(merchant_ref, amount, who),
    ...over,
  }
}

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  for (const credentials of [merchant, stranger])
    await control('/merchants', { provider: 'tripay', credentials })
})
afterAll(() => sandbox.close())

describe('Tripay’s channels', () => {
  test.each(channels.map(({ code, name, feeOf }) => [code, name, feeOf] as const))(
    'a Tripay transaction by %s is created with the status UNPAID and can be read again',
    async (code, name, feeOf) => {
      const wanted = request({ method: code })
      const { status, body } = await create(wanted)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        success: true,
        message: '',
        data: {
          reference: expect.stringMatching(/^DEV-T0001/),
          merchant_ref: wanted.merchant_ref,
          payment_method: code,
          payment_name: name,
          amount: feeOf === 'customer' ? 47_500 : 44_000,
          status: 'UNPAID',
          expired_time: expect.any(Number),
          order_items: [{ name: 'Shoes', price: 44_000, quantity: 1, subtotal: 44_000 }],
        },
      })
      const found = await at(`/transaction/detail?reference=${body.data.reference}`)
      expect(found.body.data).toEqual({ ...body.data, paid_at: null })
    },
  )

  test.each(channels.map(({ code, minRupiah, maxRupiah }) => [code, minRupiah, maxRupiah] as const))(
    'Tripay’s channel %s accepts amounts from %i to %i rupiah, and rejects smaller and larger amounts',
    async (method, min, max) => {
      for (const amount of [min, max]) {
        expect((await create(request({ method, amount }))).body.success).toBe(true)
      }
      expect((await create(request({ method, amount: min - 1 }))).body.message).toContain('Minimum amount')
      expect((await create(request({ method, amount: max + 1 }))).body.message).toContain('Maximum amount')
    },
  )

  test.each(channels.map(({ code, minMinutes, maxMinutes }) => [code, minMinutes, maxMinutes] as const))(
    'Tripay’s channel %s accepts an expiry time of %i to %i minutes',
    async (method, min, max) => {
      const within = (minutes: number) => Math.floor(Date.now() / 1000) + minutes * 60
      for (const expired_time of [within(min), within(max)]) {
        const { body } = await create(request({ method, expired_time }))
        expect(body.data.expired_time).toBe(expired_time)
      }
      const early = await create(request({ method, expired_time: within(min - 2) }))
      expect(early.body.message).toContain('Minimum expired time')
      const late = await create(request({ method, expired_time: within(max + 2) }))
      expect(late.body.message).toContain('Maximum expired time')
      const { data } = (await create(request({ method }))).body
      expect(data.expired_time).toBeLessThanOrEqual(within(Math.min(max, 1_440)))
    },
  )

  test('a Tripay transaction has either an account number, a QR code or a payment page', async () => {
    const made = async (method: string) => (await create(request({ method }))).body.data
    expect(await made('BCAVA')).toMatchObject({
      pay_code: expect.stringMatching(/^\d{16}$/),
      pay_url: null,
      qr_string: null,
      qr_url: null,
    })
    const qris = await made('QRIS2')
    expect(qris).toMatchObject({ pay_code: null, pay_url: null, qr_string: expect.any(String) })
    expect((await fetch(qris.qr_url)).headers.get('content-type')).toBe('image/png')
    const wallet = await made('DANA')
    expect(wallet).toMatchObject({ pay_code: null, qr_string: null })
    expect(await (await fetch(wallet.pay_url)).text()).toContain('value="paid"')
  })

  test.each([
    ['BRIVA', 44_000, { fee_merchant: 4_250, fee_customer: 0, total_fee: 4_250, amount_received: 39_750 }],
    ['QRIS', 44_000, { fee_merchant: 1_058, fee_customer: 0, total_fee: 1_058, amount_received: 42_942 }],
    ['QRIS', 44_100, { fee_merchant: 1_059, fee_customer: 0, total_fee: 1_059, amount_received: 43_041 }],
    ['OVO', 10_000, { fee_merchant: 1_000, fee_customer: 0, total_fee: 1_000, amount_received: 9_000 }],
    ['ALFAMART', 44_000, { fee_merchant: 0, fee_customer: 3_500, total_fee: 3_500, amount_received: 44_000 }],
  ])('a Tripay transaction by %s of %i rupiah has the fee %j', async (method, asked, fees) => {
    const { data } = (await create(request({ method, amount: asked }))).body
    expect(data).toMatchObject({ ...fees, amount: asked + fees.fee_customer })
  })
})

describe('Tripay creates a transaction only for a valid, signed request', () => {
  test("Tripay accepts a create request sent as a form in PHP's encoding", async () => {
    const wanted = request({ order_items: undefined })
    const form = new URLSearchParams({
      ...wanted,
      amount: '44000',
      'order_items[0][name]': 'Shoes',
      'order_items[0][price]': '20000',
      'order_items[0][quantity]': '2',
      // The order items have the numbers 0 and 2, because PHP accepts gaps in the numbering.
      'order_items[2][sku]': 'A-1',
      'order_items[2][name]': 'Socks',
      'order_items[2][price]': '4000',
      'order_items[2][quantity]': '1',
    })
    form.delete('order_items')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { body } = await create(form.toString(), { headers })
    expect(body.data).toMatchObject({
      amount: 44_000,
      order_items: [
        { sku: null, name: 'Shoes', price: 20_000, quantity: 2, subtotal: 40_000 },
        { sku: 'A-1', name: 'Socks', price: 4_000, quantity: 1, subtotal: 4_000 },
      ],
    })
  })

  test.each([
    ['no method', { method: undefined }, 'The method field is required or invalid.'],
    ['an unknown method', { method: 'BARTER' }, 'Payment method is not exists!'],
    ['no merchant_ref', { merchant_ref: '' }, 'The merchant_ref field is required or invalid.'],
    ['an amount with decimals', { amount: 1.5 }, 'The amount field is required or invalid.'],
    ['no name', { customer_name: undefined }, 'The customer_name field is required or invalid.'],
    ['an invalid email', { customer_email: 'nobody' }, 'The customer_email field is required or invalid.'],
    ['no items', { order_items: [] }, 'The order_items field is required or invalid.'],
    [
      'items that do not add up to the amount',
      { order_items: [{ name: 'Shoes', price: 43_999, quantity: 1 }] },
      'The total of order_items is not equal to amount',
    ],
    ['no signature', { signature: undefined }, 'The signature field is required or invalid.'],
    ['another signature', { signature: sign('other', 44_000) }, 'Invalid signature'],
    ['an empty signature', { signature: '' }, 'Invalid signature'],
  ])('a Tripay create request with %s is rejected with Tripay’s error text', async (_, over, message) => {
    const { status, body } = await create(request(over))
    expect(status).toBe(400)
    expect(body).toEqual({ success: false, message })
  })

  test('a Tripay create request with malformed JSON is rejected', async () => {
    expect((await create('{"method":')).body.success).toBe(false)
  })

  test('a Tripay create request is rejected if its amount or merchant_ref differs from the signed value', async () => {
    const wanted = request()
    for (const over of [{ merchant_ref: newOrderId() }, { amount: 44_001 }]) {
      const changed = { ...wanted, ...over }
      changed.order_items = [{ name: 'Shoes', price: changed.amount, quantity: 1 }]
      expect((await create(changed)).body.message).toBe('Invalid signature')
    }
  })

  test.each([null, 'DEV-nobody', ''])(
    'a Tripay create request with the invalid API key %j gets the error text that Tripay published, with HTTP 200',
    async apiKey => {
      for (const answer of [
        await create(request(), { apiKey }),
        await at('/transaction/detail?reference=x', undefined, { apiKey }),
        await at('/transaction/check-status?reference=x', undefined, { apiKey }),
        await at('/merchant/transactions', undefined, { apiKey }),
        await at('/merchant/payment-channel', undefined, { apiKey }),
        await at('/merchant/fee-calculator?amount=1000', undefined, { apiKey }),
      ]) {
        expect(answer.status).toBe(200)
        expect(answer.body).toEqual({ success: false, message: 'Invalid API Key' })
      }
    },
  )

  test('a Tripay create request with an already used merchant_ref creates another transaction', async () => {
    const wanted = request()
    const [first, second] = [await create(wanted), await create(wanted)]
    expect(second.body.data.reference).not.toBe(first.body.data.reference)
  })

  test('a Tripay registration requires all three credentials', async () => {
    const answer = await control('/merchants', { provider: 'tripay', credentials: { api_key: 'DEV-secret' } })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('private_key, merchant_code')
    expect(answer.text).not.toContain('DEV-secret')
  })
})

describe('a Tripay merchant can query its transactions and the channels', () => {
  const created = async (over: Json = {}): Promise<Json> => (await create(request(over))).body.data

  test.each([
    ['paid', 'PAID'],
    ['failed', 'FAILED'],
    ['expired', 'EXPIRED'],
    ['cancelled', 'FAILED'],
    ['challenged', 'UNPAID'],
  ])(
    'after the sandbox has simulated the outcome %s, all requests about a Tripay transaction (detail, status and list) return the status %s',
    async (outcome, status) => {
      const { reference, merchant_ref } = await created()
      await control('/simulate/silently', { payment_code: merchant_ref, outcome })
      const { data } = (await at(`/transaction/detail?reference=${reference}`)).body
      expect(data.status).toBe(status)
      // In the detail response, `paid_at` is a string, as in the published sample. In other messages, `paid_at` is
      // a number.
      expect(data.paid_at).toEqual(outcome === 'paid' ? expect.stringMatching(/^\d{10}$/) : null)
      expect((await at(`/transaction/check-status?reference=${reference}`)).body).toEqual({
        success: true,
        message: `Status transaksi saat ini ${status}`,
      })
      const list = await at(`/merchant/transactions?merchant_ref=${merchant_ref}`)
      expect(list.body.data).toMatchObject([{ reference, merchant_ref, status, amount: 44_000 }])
    },
  )

  test('a Tripay transaction query shows the amount paid if it differs from the amount ordered', async () => {
    const { reference, merchant_ref } = await created()
    await control('/simulate/silently', { payment_code: merchant_ref, outcome: 'paid', amount: 2_000_000 })
    const { data } = (await at(`/transaction/detail?reference=${reference}`)).body
    expect(data).toMatchObject({ status: 'PAID', amount: 20_000, amount_received: 15_750 })
  })

  test('a Tripay query does not find another merchant’s transaction', async () => {
    const { reference, merchant_ref } = await created()
    const options = { apiKey: stranger.api_key }
    for (const path of ['detail', 'check-status']) {
      const answer = await at(`/transaction/${path}?reference=${reference}`, undefined, options)
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ success: false, message: 'Transaction not found' })
    }
    const list = await at(`/merchant/transactions?merchant_ref=${merchant_ref}`, undefined, options)
    expect(list.body.data).toEqual([])
  })

  test('the list of Tripay transactions is paginated and can be filtered by exact values', async () => {
    const merchant_ref = newOrderId()
    const made: Json[] = []
    for (const method of ['BRIVA', 'BNIVA', 'BRIVA']) made.push(await created({ merchant_ref, method }))
    await created({ merchant_ref: `${merchant_ref}-2` })
    await create(request({ merchant_ref }, stranger), { apiKey: stranger.api_key })
    const references = async (query: string) => {
      const { body } = await at(`/merchant/transactions?merchant_ref=${merchant_ref}${query}`)
      return { found: body.data.map((one: Json) => one.reference), pagination: body.pagination }
    }
    const [first, second, third] = made.map(one => one.reference)
    expect((await references('')).found).toEqual([third, second, first])
    expect((await references('&sort=asc')).found).toEqual([first, second, third])
    expect((await references('&method=BNIVA')).found).toEqual([second])
    expect((await references('&status=PAID')).found).toEqual([])
    expect((await references(`&reference=${first}`)).found).toEqual([first])
    expect(await references('&per_page=2&page=2')).toEqual({
      found: [first],
      pagination: {
        sort: 'desc',
        offset: { from: 3, to: 3 },
        current_page: 2,
        previous_page: 1,
        next_page: null,
        last_page: 2,
        per_page: 2,
        total_records: 3,
      },
    })
  })

  test("a merchant can list Tripay's channels with their fees", async () => {
    const { body } = await at('/merchant/payment-channel')
    expect(body.data).toHaveLength(channels.length)
    expect((await at('/merchant/payment-channel?code=ALFAMART')).body.data).toMatchObject([
      {
        group: 'Convenience Store',
        code: 'ALFAMART',
        type: 'direct',
        fee_merchant: { flat: 0, percent: 0 },
        fee_customer: { flat: 3_500, percent: 0 },
        total_fee: { flat: 3_500, percent: '0.00' },
        minimum_amount: 10_000,
        maximum_amount: 2_500_000,
        active: true,
      },
    ])
    expect((await at('/merchant/fee-calculator?code=QRIS&amount=100000')).body.data).toEqual([
      {
        code: 'QRIS',
        name: 'QRIS by ShopeePay',
        fee: { flat: 750, percent: '0.70', min: null, max: null },
        total_fee: { merchant: 1_450, customer: 0 },
      },
    ])
  })
})

describe('a special customer name such as SANDBOX REJECT selects the error with which Tripay rejects a request', () => {
  const named = (customer_name: string, merchant_ref: string) => request({ customer_name, merchant_ref })
  const count = async (merchant_ref: string) =>
    (await at(`/merchant/transactions?merchant_ref=${merchant_ref}`)).body.data.length
  const logged = async (code: string) => (await control(`/requests?payment_code=${code}`)).body.requests

  test.each([
    ['SANDBOX REJECT', 400, 'Transaction rejected by payment channel', 'reject'],
    ['SANDBOX INACTIVE', 400, 'Payment channel is not active', 'inactive'],
    ['SANDBOX RATE LIMIT', 429, 'Too Many Attempts.', 'rate_limit'],
    ['SANDBOX OUTAGE', 503, 'Service Unavailable', 'outage'],
  ])('a Tripay request for %s gets HTTP %i and no transaction', async (name, status, message, steering) => {
    const code = newOrderId()
    const answer = await create(named(name, code))
    expect([answer.status, answer.body]).toEqual([status, { success: false, message }])
    expect(await count(code)).toBe(0)
    expect(await logged(code)).toMatchObject([
      { provider: 'tripay', steering, answered_status: status, answered_code: message },
    ])
  })

  test.each([
    ['SANDBOX NOT JSON', 200, 'text/plain', /^OK$/],
    ['SANDBOX HTML', 502, 'text/html', /^<html>/],
  ])('a Tripay request for customer %s gets HTTP %i and a transaction', async (name, status, type, text) => {
    const code = newOrderId()
    const response = await fetch(`${sandbox.url}/tripay/transaction/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(named(name, code)),
    })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toContain(type)
    expect(await response.text()).toMatch(text)
    expect(await count(code)).toBe(1)
  })

  test('a Tripay request for the customer SANDBOX TIMEOUT creates the transaction but never gets a response', async () => {
    const code = newOrderId()
    const abort = new AbortController()
    const pending = fetch(`${sandbox.url}/tripay/transaction/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.api_key}` },
      body: JSON.stringify(named('SANDBOX TIMEOUT', code)),
      signal: abort.signal,
    })
    pending.catch(() => {})
    await until(async () => (await count(code)) === 1)
    expect(await logged(code)).toMatchObject([{ steering: 'timeout', answered_status: null }])
    abort.abort()
    await expect(pending).rejects.toThrow()
  })

  test('for the customer name SANDBOX SLOW, the sandbox creates the Tripay transaction at once and responds later', async () => {
    const code = newOrderId()
    const answer = create(named('SANDBOX SLOW', code))
    await until(async () => (await count(code)) === 1)
    expect((await answer).body.data.status).toBe('UNPAID')
  })

  test('the simulated Tripay rejects the customer name SANDBOX REJECT only in capitals', async () => {
    const code = newOrderId()
    expect((await create(named('Sandbox Reject', code))).body.success).toBe(true)
    await create({ ...named('Budi', code), signature: '' })
    expect(await logged(code)).toMatchObject([
      { answered_status: 200, answered_code: 'UNPAID' },
      { answered_status: 400, answered_code: 'Invalid signature' },
    ])
  })
})
