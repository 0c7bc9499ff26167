import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { call, type Json, newOrderId } from '../../test/support/merchant.ts'
import { until } from '../../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'
import { channels } from './channels.ts'

const KEY = 'xnd_development_v3test'
let sandbox: RunningSandbox
const at = (path: string, body?: unknown, options = {}) =>
  call(`${sandbox.url}/xendit${path}`, body, { serverKey: KEY, ...options })
const create = (body: unknown, options = {}) => at('/v3/payment_requests', body, options)
const control = (path: string, body: unknown) => call(`${sandbox.url}${path}`, body, { serverKey: null })

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, scanMs: 20 })
})
afterAll(() => sandbox.close())

const wallet = {
  success_return_url: 'https://shop.example/ok',
  failure_return_url: 'https://shop.example/no',
}
const paylater = {
  channel_properties: wallet,
  items: [{ name: 'Shoes' }],
  customer: { reference_id: 'c1', type: 'INDIVIDUAL', individual_detail: { given_names: 'Budi' } },
}

const stores = ['ALFAMART', 'INDOMARET']

function propertiesOf(code: string): Json {
  if (code.endsWith('_VIRTUAL_ACCOUNT')) return { channel_properties: { display_name: 'Budi' } }
  if (stores.includes(code))
    return { type: 'REUSABLE_PAYMENT_CODE', channel_properties: { payer_name: 'Budi' } }
  if (code === 'JENIUSPAY') return { channel_properties: { ...wallet, cashtag: '$budi' } }
  if (code === 'QRIS') return { channel_properties: {} }
  if (code === 'OVO') return { channel_properties: { account_mobile_number: '+6281234567890' } }
  return ['AKULAKU', 'KREDIVO', 'INDODANA'].includes(code) ? paylater : { channel_properties: wallet }
}

function request(code: string, over: Json = {}): Json {
  return {
    reference_id: newOrderId(),
    type: 'PAY',
    country: 'ID',
    currency: 'IDR',
    request_amount: 44_000,
    channel_code: code,
    ...propertiesOf(code),
    ...over,
  }
}

describe('a Xendit payment request can be created for each channel', () => {
  test.each(channels.map(channel => channel.code))(
    'Xendit payment requests with %s are created and can be read',
    async code => {
      const wanted = request(code)
      const { status, body } = await create(wanted, { headers: { 'api-version': '2024-11-11' } })
      expect(status).toBe(201)
      expect(body).toMatchObject({
        payment_request_id: expect.stringMatching(/^pr-[0-9a-f-]{36}$/),
        business_id: expect.stringMatching(/^[0-9a-f]{24}$/),
        reference_id: wanted.reference_id,
        type: wanted.type,
        country: 'ID',
        currency: 'IDR',
        request_amount: 44_000,
        capture_method: 'AUTOMATIC',
        channel_code: code,
        status: stores.includes(code) ? 'ACCEPTING_PAYMENTS' : 'REQUIRES_ACTION',
      })
      expect(body).not.toHaveProperty('latest_payment_id')
      expect((await at(`/v3/payment_requests/${body.payment_request_id}`)).body).toEqual(body)
    },
  )

  test.each([
    ['BNI_VIRTUAL_ACCOUNT', 'VIRTUAL_ACCOUNT_NUMBER', /^8808\d{12}$/],
    ['ALFAMART', 'PAYMENT_CODE', /^\d{12}$/],
    ['QRIS', 'QR_STRING', /^mock-QR-string-use-simulate-payment-to-test-flow$/],
  ])(
    'the response to a Xendit payment request with %s contains a %s to show to the customer, and the expiry',
    async (code, descriptor, value) => {
      const { body } = await create(request(code))
      const expected = { type: 'PRESENT_TO_CUSTOMER', descriptor, value: expect.stringMatching(value) }
      expect(body.actions).toEqual([expected])
      expect(Date.parse(body.channel_properties.expires_at)).toBeGreaterThan(Date.now())
    },
  )

  test.each([
    ['DANA', ['WEB_URL', 'DEEPLINK_URL']],
    ['LINKAJA', ['WEB_URL']],
    ['AKULAKU', ['WEB_URL']],
    ['GOPAY', ['WEB_URL', 'DEEPLINK_URL']],
    ['OVO', []],
  ])(
    "for a Xendit payment request with the channel %s, the response contains redirects of the types %j, which open the sandbox's payment page",
    async (code, descriptors) => {
      const { body } = await create(request(code))
      expect(body.actions.map((one: Json) => one.descriptor)).toEqual(descriptors)
      expect(body.channel_properties).not.toHaveProperty('expires_at')
      for (const { type, value } of body.actions) {
        expect(type).toBe('REDIRECT_CUSTOMER')
        expect(await (await fetch(value)).text()).toContain('value="paid"')
      }
    },
  )

  test.each(channels.map(({ code, minRupiah, maxRupiah }) => [code, minRupiah, maxRupiah] as const))(
    'Xendit payment requests with %s accept %i to %i rupiah and no other amount',
    async (code, min, max) => {
      for (const amount of [min, max]) {
        expect((await create(request(code, { request_amount: amount }))).status).toBe(201)
      }
      for (const amount of [min - 1, max + 1]) {
        const { status, body } = await create(request(code, { request_amount: amount }))
        expect([status, body.error_code]).toEqual([400, 'INVALID_VALUE_ERROR'])
      }
    },
  )

  test('a Xendit virtual account can have a reusable payment code, but a wallet cannot', async () => {
    const reusable = { type: 'REUSABLE_PAYMENT_CODE' }
    const { body } = await create(request('BRI_VIRTUAL_ACCOUNT', reusable))
    expect(body.status).toBe('ACCEPTING_PAYMENTS')
    expect((await create(request('DANA', reusable))).body.error_code).toBe('API_VALIDATION_ERROR')
  })

  test.each([
    ['a store with the type PAY', 'ALFAMART', { type: 'PAY' }],
    ['a store without payer_name', 'INDOMARET', { channel_properties: { customer_name: 'Budi' } }],
    ['JeniusPay without a cashtag', 'JENIUSPAY', { channel_properties: wallet }],
  ])('an invalid Xendit payment request for %s is rejected', async (_, code, over) => {
    const { status, body } = await create(request(code, over))
    expect([status, body.error_code]).toEqual([400, 'API_VALIDATION_ERROR'])
  })

  test.each(['items', 'customer'])(
    'a Xendit payment request with a paylater channel is rejected without the field %s',
    async field => {
      const { body } = await create(request('KREDIVO', { [field]: undefined }))
      expect(body.error_code).toBe('API_VALIDATION_ERROR')
    },
  )

  test('Xendit payment requests keep the requested expires_at if the channel supports an expiry', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const properties = { channel_properties: { display_name: 'Budi', expires_at } }
    const { body } = await create(request('BCA_VIRTUAL_ACCOUNT', properties))
    expect(body.channel_properties.expires_at).toBe(expires_at)
    const qris = await create(request('QRIS', { channel_properties: { expires_at } }))
    const lifeMs = Date.parse(qris.body.channel_properties.expires_at) - Date.parse(qris.body.created)
    expect(lifeMs).toBe(48 * 3_600_000)
  })
})

describe('Xendit rejects a payment request if one of its fields is missing or invalid', () => {
  test.each([
    ['no reference', { reference_id: undefined }, 'body.reference_id'],
    ['a reference that is too long', { reference_id: 'x'.repeat(256) }, 'body.reference_id'],
    ['another currency', { currency: 'PHP' }, 'body.currency'],
    ['another country', { country: 'PH' }, 'body.country'],
    ['an unknown type', { type: 'PAY_AND_SAVE' }, 'body.type'],
    ['an amount as text', { request_amount: '44000' }, 'body.request_amount'],
    ['an amount with decimals', { request_amount: 0.5 }, 'body.request_amount'],
    ['an unknown channel', { channel_code: 'BARTER' }, 'body.channel_code'],
    ['no name', { channel_properties: {} }, 'body.channel_properties.display_name'],
    [
      'an expiry in the past',
      { channel_properties: { display_name: 'Budi', expires_at: '2020-01-01T00:00:00Z' } },
      'body.channel_properties.expires_at',
    ],
    ['a metadata value that is too long', { metadata: { note: 'x'.repeat(501) } }, 'body.metadata.note'],
  ])(
    'a Xendit payment request with %s is rejected with a 400 that names the field’s path',
    async (_, over, path) => {
      const { status, body } = await create(request('BCA_VIRTUAL_ACCOUNT', over))
      expect([status, body.error_code]).toEqual([400, 'API_VALIDATION_ERROR'])
      expect(body.errors).toContainEqual({ path, message: expect.any(String) })
    },
  )

  test('Xendit rejects a payment request with an unsupported api-version or a body that is not JSON', async () => {
    const headers = { 'api-version': '2020-10-31' }
    expect((await create('{"type":')).body.error_code).toBe('API_VALIDATION_ERROR')
    expect((await create(request('QRIS'), { headers })).body.error_code).toBe('API_VALIDATION_ERROR')
  })

  test('a Xendit payment request without a valid API key is rejected', async () => {
    for (const options of [{ serverKey: null }, { serverKey: '' }]) {
      const { status, body } = await create(request('QRIS'), options)
      expect(status).toBe(400)
      expect(body).toEqual({
        error_code: 'API_VALIDATION_ERROR',
        message: 'There was an error with the format submitted to the server.',
        errors: [
          {
            field: ['api_key'],
            location: 'body',
            messages: ['"api_key" is not allowed to be empty'],
            types: ['any.empty'],
          },
        ],
      })
    }
    for (const serverKey of ['sk_test_1', 'xnd_public_development_1', 'xnd_development_']) {
      const { status, body } = await create(request('QRIS'), { serverKey })
      expect([status, body.error_code]).toEqual([401, 'INVALID_API_KEY'])
    }
  })

  test.each([
    [10_100, 403, 'CHANNEL_NOT_ACTIVATED'],
    [10_101, 503, 'CHANNEL_UNAVAILABLE'],
    [10_102, 500, 'SERVER_ERROR'],
  ])(
    'a Xendit payment request by OVO for %i rupiah fails as in Xendit’s test mode, but one by another channel succeeds',
    async (amount, status, code) => {
      const over = { request_amount: amount }
      const refused = await create(request('OVO', over))
      expect([refused.status, refused.body.error_code]).toEqual([status, code])
      expect((await create(request('DANA', over))).status).toBe(201)
    },
  )
})

describe('Xendit payment requests can be queried, paid and cancelled', () => {
  const created = async (code: string, over: Json = {}) => (await create(request(code, over))).body as Json
  const found = async (id: string) => (await at(`/v3/payment_requests/${id}`)).body as Json

  test('two Xendit payment requests with the same reference get different IDs', async () => {
    const wanted = request('QRIS')
    const [first, second] = [await create(wanted), await create(wanted)]
    expect(second.status).toBe(201)
    expect(second.body.payment_request_id).not.toBe(first.body.payment_request_id)
  })

  test('Xendit’s simulate operation creates a payment with the simulated amount', async () => {
    const { payment_request_id: id } = await created('BNI_VIRTUAL_ACCOUNT')
    const { status, body } = await at(`/v3/payment_requests/${id}/simulate`, { amount: 20_000 })
    expect([status, body.status]).toEqual([200, 'PENDING'])
    const paid = await found(id)
    expect(paid).toMatchObject({ status: 'SUCCEEDED', request_amount: 44_000 })
    expect((await at(`/v3/payments/${paid.latest_payment_id}`)).body).toMatchObject({
      payment_id: expect.stringMatching(/^py-[0-9a-f-]{36}$/),
      payment_request_id: id,
      status: 'SUCCEEDED',
      request_amount: 44_000,
      captures: [{ capture_id: expect.stringMatching(/^cptr-/), capture_amount: 20_000 }],
    })
  })

  test('reading the payment of an unpaid Xendit payment request returns the error DATA_NOT_FOUND', async () => {
    const { payment_request_id: id } = await created('QRIS')
    const { status, body } = await at(`/v3/payments/${id.replace('pr-', 'py-')}`)
    expect([status, body.error_code]).toEqual([404, 'DATA_NOT_FOUND'])
  })

  test('a Xendit payment request can be cancelled once, and a cancelled request can no longer be paid', async () => {
    const { payment_request_id: id } = await created('DANA')
    const { status, body } = await at(`/v3/payment_requests/${id}/cancel`, '')
    expect([status, body.status]).toEqual([200, 'CANCELED'])
    for (const action of ['cancel', 'simulate']) {
      const again = await at(`/v3/payment_requests/${id}/${action}`, action === 'cancel' ? '' : {})
      expect([again.status, again.body.error_code]).toEqual([400, 'INACTIVE_PAYMENT_REQUEST'])
    }
    expect((await found(id)).status).toBe('CANCELED')
  })

  test('a Xendit payment request cannot be cancelled or paid again once it is paid', async () => {
    const { payment_request_id: id } = await created('DANA')
    await at(`/v3/payment_requests/${id}/simulate`, {})
    expect((await at(`/v3/payment_requests/${id}/cancel`, '')).body.error_code).toBe(
      'INELIGIBLE_TRANSACTION_STATUS',
    )
    expect((await at(`/v3/payment_requests/${id}/simulate`, {})).body.error_code).toBe(
      'INACTIVE_PAYMENT_REQUEST',
    )
  })

  test('a paid reusable payment code at Xendit keeps the status ACCEPTING_PAYMENTS, and its latest_payment_id refers to the payment', async () => {
    const { payment_request_id: id } = await created('ALFAMART')
    await at(`/v3/payment_requests/${id}/simulate`, {})
    await until(async () => 'latest_payment_id' in (await found(id)))
    const { status, latest_payment_id } = await found(id)
    expect(status).toBe('ACCEPTING_PAYMENTS')
    expect((await at(`/v3/payments/${latest_payment_id}`)).body.status).toBe('SUCCEEDED')
  })

  test('an expired reusable payment code at Xendit still refers to its payment in latest_payment_id', async () => {
    const expires_at = new Date(Date.now() + 1_000).toISOString()
    const { payment_request_id: id, reference_id } = await created('ALFAMART', {
      channel_properties: { payer_name: 'Budi', expires_at },
    })
    await control('/simulate/silently', { payment_code: reference_id, outcome: 'paid' })
    await until(async () => (await found(id)).status === 'EXPIRED')
    const { body: payment } = await at(`/v3/payments/${(await found(id)).latest_payment_id}`)
    expect(payment).toMatchObject({ status: 'SUCCEEDED', captures: [{ capture_amount: 44_000 }] })
  })

  test('a Xendit payment request paid after its expiry stays EXPIRED', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const body = await created('BRI_VIRTUAL_ACCOUNT', {
      channel_properties: { display_name: 'Budi', expires_at },
    })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_601_000 })
    onTestFinished(() => void vi.useRealTimers())
    const { payment_request_id: id, reference_id } = body
    await until(async () => (await found(id)).status === 'EXPIRED')
    expect(await found(id)).not.toHaveProperty('latest_payment_id')
    expect((await at(`/v3/payment_requests/${id}/simulate`, {})).body.error_code).toBe(
      'INACTIVE_PAYMENT_REQUEST',
    )
    await control('/simulate/silently', { payment_code: reference_id, outcome: 'paid' })
    const late = await found(id)
    expect(late.status).toBe('EXPIRED')
    expect((await at(`/payment_requests/${id}`)).body.status).toBe('EXPIRED')
    const { body: payment } = await at(`/v3/payments/${late.latest_payment_id}`)
    expect(payment).toMatchObject({ status: 'SUCCEEDED', captures: [{ capture_amount: 44_000 }] })
  })

  test.each([
    ['failed', 'FAILED', 'FAILED'],
    ['challenged', 'AUTHORIZED', 'AUTHORIZED'],
  ])(
    'after the simulated outcome %s, a Xendit payment request has the status %s, and its payment has the status %s',
    async (outcome, status, paymentStatus) => {
      const { payment_request_id: id, reference_id } = await created('DANA')
      await control('/simulate', { payment_code: reference_id, outcome })
      const order = await found(id)
      expect(order.status).toBe(status)
      const { body } = await at(`/v3/payments/${order.latest_payment_id}`)
      expect(body.status).toBe(paymentStatus)
      expect(body).not.toHaveProperty('captures')
    },
  )

  test('a Xendit payment request cannot be seen or changed by other merchants', async () => {
    const { payment_request_id: id } = await created('DANA')
    const stranger = { serverKey: 'xnd_development_stranger' }
    const path = `/v3/payment_requests/${id}`
    for (const answer of [
      await at(path, undefined, stranger),
      await at(`${path}/cancel`, '', stranger),
      await at(`${path}/simulate`, {}, stranger),
      await at('/v3/payment_requests/pr-nothing'),
    ]) {
      expect([answer.status, answer.body.error_code]).toEqual([404, 'DATA_NOT_FOUND'])
    }
    expect((await found(id)).status).toBe('REQUIRES_ACTION')
  })
})
