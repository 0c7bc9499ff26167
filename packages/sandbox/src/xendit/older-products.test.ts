import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, type Json, newOrderId } from '../../test/support/merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

const KEY = 'xnd_development_older'
let sandbox: RunningSandbox
const at = (path: string, body?: unknown, options = {}) =>
  call(`${sandbox.url}/xendit${path}`, body, { serverKey: KEY, ...options })
const pay = (code: string, outcome = 'paid') =>
  call(`${sandbox.url}/simulate`, { payment_code: code, outcome }, { serverKey: null })

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.close())

describe('a fixed virtual account at Xendit can be created, read and closed', () => {
  const account = (over: Json = {}): Json => ({
    external_id: newOrderId(),
    bank_code: 'BNI',
    name: 'Nobu nagawa',
    expected_amount: 500_000,
    is_closed: true,
    is_single_use: true,
    ...over,
  })
  const create = (over: Json = {}) => at('/callback_virtual_accounts', account(over))

  test('the response for a new Xendit fixed virtual account has the fields of a recorded response', async () => {
    const { status, body } = await create({ external_id: 'sample' })
    expect(status).toBe(200)
    expect(body).toEqual({
      is_closed: true,
      status: 'PENDING',
      currency: 'IDR',
      owner_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      external_id: 'sample',
      bank_code: 'BNI',
      merchant_code: '8808',
      name: 'Nobu nagawa',
      account_number: expect.stringMatching(/^8808\d{12}$/),
      expected_amount: 500_000,
      is_single_use: true,
      expiration_date: expect.any(String),
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
    })
    expect(new Date(body.expiration_date).getFullYear()).toBeGreaterThan(new Date().getFullYear() + 29)
    expect((await at(`/callback_virtual_accounts/${body.id}`)).body).toEqual({ ...body, status: 'ACTIVE' })
  })

  test('a Xendit create request with an already used external_id creates another fixed virtual account', async () => {
    const external_id = newOrderId()
    const [first, second] = [await create({ external_id }), await create({ external_id })]
    expect(second.status).toBe(200)
    expect(second.body.id).not.toBe(first.body.id)
  })

  test.each([
    [true, 'INACTIVE'],
    [false, 'ACTIVE'],
  ])(
    'after a payment, a Xendit fixed virtual account with is_single_use %s has the status %s',
    async (is_single_use, status) => {
      const { body } = await create({ is_single_use })
      await pay(body.external_id)
      expect((await at(`/callback_virtual_accounts/${body.id}`)).body.status).toBe(status)
    },
  )

  test('a PATCH with an expiry in the past closes a Xendit fixed virtual account', async () => {
    const { body } = await create()
    const expiration_date = '2019-11-12T23:46:00.000Z'
    const path = `/callback_virtual_accounts/${body.id}`
    const changed = await at(path, { expiration_date }, { method: 'PATCH' })
    expect(changed).toMatchObject({ status: 200, body: { id: body.id, status: 'INACTIVE', expiration_date } })
    expect((await at(path)).body.status).toBe('INACTIVE')
    const later = { expiration_date: '2999-01-01T00:00:00.000Z' }
    expect((await at(path, later, { method: 'PATCH' })).status).toBe(400)
  })

  test.each([
    ['external_id', { external_id: 7 }],
    ['name', { name: undefined }],
    ['is_closed', { is_closed: false }],
  ])(
    'if a request to create a Xendit fixed virtual account has an invalid %s, the error lists this field',
    async (field, over) => {
      const { status, body } = await create(over)
      expect([status, body.error_code]).toEqual([400, 'API_VALIDATION_ERROR'])
      const types = [expect.any(String)]
      expect(body.errors).toEqual([
        { field: [field], location: 'body', messages: [expect.any(String)], types },
      ])
    },
  )

  test.each([
    ['BANK_NOT_SUPPORTED_ERROR', { bank_code: 'BANK' }, 'That bank code is not currently supported'],
    [
      'MINIMUM_EXPECTED_AMOUNT_ERROR',
      { bank_code: 'MANDIRI', expected_amount: 0 },
      'The minimum Expected Amount for MANDIRI VA is 1',
    ],
    [
      'MAXIMUM_EXPECTED_AMOUNT_ERROR',
      { bank_code: 'BCA', expected_amount: 50_000_001 },
      'The maximum Expected Amount for BCA VA is 50000000',
    ],
  ])(
    'an invalid request for a Xendit fixed virtual account gets the error %s, with its text as recorded at Xendit',
    async (error_code, over, message) => {
      const { status, body } = await create(over)
      expect(status).toBe(400)
      expect(body).toEqual({ error_code, message })
    },
  )

  test("a Xendit request for another merchant's virtual account gets the same error as for an unknown account", async () => {
    const { body } = await create()
    const path = `/callback_virtual_accounts/${body.id}`
    const answers = [
      await at('/callback_virtual_accounts/99999999999'),
      await at(path, undefined, { serverKey: 'xnd_development_stranger' }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({
        error_code: 'CALLBACK_VIRTUAL_ACCOUNT_NOT_FOUND_ERROR',
        message: 'Callback virtual account not found',
      })
    }
  })
})

describe('a Xendit QR code can be created, read and paid in both API versions', () => {
  const first = (over: Json = {}): Json => ({
    external_id: newOrderId(),
    type: 'DYNAMIC',
    callback_url: 'http://127.0.0.1:9/nobody',
    amount: 100_000,
    ...over,
  })
  const second = (over: Json = {}): Json => ({
    reference_id: newOrderId(),
    type: 'DYNAMIC',
    currency: 'IDR',
    amount: 1,
    ...over,
  })
  const headers = { 'api-version': '2022-07-31' }

  test('a Xendit QR code of API version 1 has every field of a recorded QR code', async () => {
    const { status, body } = await at('/qr_codes', first({ external_id: 'sample-qr' }))
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^qr_[0-9a-f-]{36}$/),
      external_id: 'sample-qr',
      amount: 100_000,
      description: '',
      qr_string: 'mock-QR-string-use-simulate-payment-to-test-flow',
      callback_url: 'http://127.0.0.1:9/nobody',
      type: 'DYNAMIC',
      status: 'ACTIVE',
      created: expect.any(String),
      updated: expect.any(String),
      metadata: null,
    })
    expect((await at('/qr_codes/sample-qr')).body).toEqual(body)
  })

  test('a Xendit QR code in API version 2 can be read by its ID', async () => {
    const wanted = second()
    const { status, body } = await at('/qr_codes', wanted, { headers })
    expect(status).toBe(201)
    expect(body).toMatchObject({ reference_id: wanted.reference_id, currency: 'IDR', status: 'ACTIVE' })
    expect(body).not.toHaveProperty('external_id')
    expect((await at(`/qr_codes/${body.id}`)).body).toEqual(body)
  })

  test("a Xendit QR code's payments can be listed by its external_id", async () => {
    const { body } = await at('/qr_codes', first())
    const path = `/qr_codes/payments?external_id=${body.external_id}`
    expect(JSON.parse((await at(path)).text)).toEqual([])
    await pay(body.external_id)
    expect(JSON.parse((await at(path)).text)).toEqual([
      {
        id: expect.stringMatching(/^qrpy_[0-9a-f-]{36}$/),
        amount: 100_000,
        created: expect.any(String),
        qr_code: {
          id: body.id,
          external_id: body.external_id,
          qr_string: body.qr_string,
          type: 'DYNAMIC',
          metadata: null,
        },
        status: 'COMPLETED',
      },
    ])
    const stranger = { serverKey: 'xnd_development_stranger' }
    expect(JSON.parse((await at(path, undefined, stranger)).text)).toEqual([])
    expect((await at(`/qr_codes/${body.external_id}`)).body.status).toBe('INACTIVE')
  })

  test('a Xendit QR code request with a used reference is rejected with 409 in both API versions', async () => {
    for (const [wanted, options] of [
      [first(), {}],
      [second(), { headers }],
    ] as const) {
      await at('/qr_codes', wanted, options)
      const { status, body } = await at('/qr_codes', wanted, options)
      expect([status, body.error_code]).toEqual([409, 'DUPLICATE_ERROR'])
    }
  })

  test('Xendit QR codes have different amount limits in API versions 1 and 2', async () => {
    for (const amount of [1_499, 5_000_001]) {
      const { status, body } = await at('/qr_codes', first({ amount }))
      expect(status).toBe(400)
      expect(body).toEqual({
        error_code: 'API_VALIDATION_ERROR',
        message: 'Amount must be within range [1500, 5000000]',
      })
    }
    expect((await at('/qr_codes', second({ amount: 10_000_001 }), { headers })).status).toBe(400)
  })
})

describe('a Xendit e-wallet charge can be created and read', () => {
  const charge = (over: Json = {}): Json => ({
    reference_id: newOrderId(),
    currency: 'IDR',
    amount: 1_000,
    checkout_method: 'ONE_TIME_PAYMENT',
    channel_code: 'ID_OVO',
    channel_properties: { mobile_number: '+6281234567890' },
    ...over,
  })
  const create = (over: Json = {}) => at('/ewallets/charges', charge(over))

  test('a Xendit e-wallet charge for OVO has every field of a recorded response', async () => {
    const { status, body } = await create({ reference_id: 'sample-charge' })
    expect(status).toBe(202)
    expect(body).toEqual({
      id: expect.stringMatching(/^ewc_[0-9a-f-]{36}$/),
      business_id: expect.any(String),
      reference_id: 'sample-charge',
      status: 'PENDING',
      currency: 'IDR',
      charge_amount: 1_000,
      capture_amount: 1_000,
      refunded_amount: null,
      checkout_method: 'ONE_TIME_PAYMENT',
      channel_code: 'ID_OVO',
      channel_properties: { mobile_number: '+6281234567890' },
      actions: null,
      is_redirect_required: false,
      callback_url: null,
      created: expect.any(String),
      updated: expect.any(String),
      void_status: null,
      voided_at: null,
      capture_now: true,
      customer_id: null,
      payment_method_id: null,
      failure_code: null,
      basket: null,
      metadata: null,
    })
    expect((await at(`/ewallets/charges/${body.id}`)).body).toEqual(body)
  })

  test.each(['ID_DANA', 'ID_LINKAJA', 'ID_SHOPEEPAY'])(
    'a Xendit e-wallet charge of %s links to a payment page',
    async channel_code => {
      const channel_properties = { success_redirect_url: 'https://shop.example/ok' }
      const { body } = await create({ channel_code, channel_properties })
      expect(body.is_redirect_required).toBe(true)
      const page = await fetch(body.actions.desktop_web_checkout_url)
      expect(await page.text()).toContain('value="paid"')
    },
  )

  test.each([
    ['paid', 'SUCCEEDED', null],
    ['failed', 'FAILED', 'USER_DECLINED_PAYMENT'],
    ['expired', 'FAILED', 'TIMEOUT_ERROR'],
    ['cancelled', 'VOIDED', null],
    ['challenged', 'PENDING', null],
  ])(
    'after the simulated outcome %s, a Xendit e-wallet charge has the status %s and the failure code %s',
    async (outcome, status, failure_code) => {
      const { body } = await create()
      await pay(body.reference_id, outcome)
      expect((await at(`/ewallets/charges/${body.id}`)).body).toMatchObject({ status, failure_code })
    },
  )

  test('a Xendit e-wallet charge is rejected with 409 if the merchant already used its reference_id', async () => {
    const wanted = charge()
    await at('/ewallets/charges', wanted)
    const again = await at('/ewallets/charges', wanted)
    expect(again.status).toBe(409)
    expect(again.body).toEqual({
      error_code: 'DUPLICATE_ERROR',
      message: 'There is already a charge request with the same reference_id.',
    })
    const stranger = { serverKey: 'xnd_development_stranger' }
    expect((await at('/ewallets/charges', wanted, stranger)).status).toBe(202)
    // Only an equal reference is a duplicate. A new charge's reference may be the beginning of an existing,
    // longer reference.
    expect((await create({ reference_id: wanted.reference_id.slice(0, -1) })).status).toBe(202)
  })

  test('a Xendit e-wallet charge with invalid fields gets errors that list the field paths', async () => {
    const { status, body } = await create({ channel_properties: { mobile_number: '0' } })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error_code: 'API_VALIDATION_ERROR',
      message: 'Failed to validate the request, 1 error occurred.',
      errors: [{ path: 'body.channel_properties.mobile_number', message: expect.any(String) }],
    })
    expect((await create({ channel_properties: {} })).body.errors).toEqual([
      { path: 'body.channel_properties.mobile_number', message: 'is required' },
    ])
  })

  test.each([
    [10_100, 403, 'CHANNEL_NOT_ACTIVATED'],
    [10_101, 503, 'CHANNEL_UNAVAILABLE'],
    [10_102, 500, 'SERVER_ERROR'],
  ])(
    'an OVO e-wallet charge of %i rupiah fails with the same error that was recorded in Xendit’s test mode',
    async (amount, status, code) => {
      const refused = await create({ amount })
      expect([refused.status, refused.body.error_code]).toEqual([status, code])
    },
  )

  test('a request for an unknown Xendit e-wallet charge gets the error text recorded from Xendit', async () => {
    const { status, body } = await at('/ewallets/charges/ewc_nothing')
    expect(status).toBe(404)
    expect(body).toEqual({ error_code: 'DATA_NOT_FOUND', message: 'Charge request not found' })
  })
})

test('an ID created by one Xendit product, such as QR codes, is unknown to the other products', async () => {
  const { body } = await at('/qr_codes', {
    external_id: newOrderId(),
    type: 'DYNAMIC',
    callback_url: 'http://127.0.0.1:9/nobody',
    amount: 2_000,
  })
  for (const path of ['/ewallets/charges', '/callback_virtual_accounts', '/v3/payment_requests']) {
    expect((await at(`${path}/${body.id}`)).status).toBe(404)
  }
  expect((await at('/v2/invoices')).body.error_code).toBe('DATA_NOT_FOUND')
})
