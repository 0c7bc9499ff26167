import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, charge, methods, newOrderId } from '../../test/support/merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

let sandbox: RunningSandbox
const send = (body: unknown, options = {}) => call(`${sandbox.url}/midtrans/v2/charge`, body, options)

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.close())

describe('if a charge request is valid, Midtrans creates the charge', () => {
  test.each(Object.entries(methods))(
    'a Midtrans charge by %s is created as pending, with an amount of two decimals',
    async (_, method) => {
      const orderId = newOrderId()
      const { status, body } = await send(charge(method, orderId))
      expect(status).toBe(200)
      expect(body).toMatchObject({
        status_code: '201',
        order_id: orderId,
        gross_amount: '44000.00',
        currency: 'IDR',
        transaction_status: 'pending',
        merchant_id: expect.stringMatching(/^G\d{9}$/),
        transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        transaction_time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        expiry_time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      })
    },
  )

  test.each(['bca', 'bni', 'bri', 'cimb'])(
    'a Midtrans charge by %s returns a virtual account number',
    async bank => {
      const { body } = await send(charge(methods[bank]))
      expect(body.va_numbers).toEqual([{ bank, va_number: expect.stringMatching(/^\d{15,18}$/) }])
    },
  )

  test('a Midtrans charge for Permata returns the account number in permata_va_number', async () => {
    for (const spelling of ['permata', 'permata spelt as a type']) {
      const { body } = await send(charge(methods[spelling]))
      expect(body).toMatchObject({
        payment_type: 'bank_transfer',
        permata_va_number: expect.stringMatching(/^\d{16}$/),
      })
      expect(body).not.toHaveProperty('va_numbers')
    }
  })

  test('a Midtrans charge for Mandiri returns a biller code and a bill key instead of an account number', async () => {
    const { body } = await send(charge(methods.mandiri))
    expect(body).toMatchObject({ biller_code: '70012', bill_key: expect.stringMatching(/^\d{12}$/) })
  })

  test('a Midtrans charge for payment at a store returns a payment code', async () => {
    const alfamart = await send(charge(methods.alfamart))
    expect(alfamart.body).toMatchObject({
      store: 'alfamart',
      payment_code: expect.stringMatching(/^\d{16}$/),
    })
    expect(alfamart.body.fraud_status).toBe('accept')
    const indomaret = await send(charge(methods.indomaret))
    expect(indomaret.body).toMatchObject({
      store: 'indomaret',
      payment_code: expect.stringMatching(/^\d{12}$/),
    })
    expect(indomaret.body).not.toHaveProperty('fraud_status')
  })

  test.each(['qris gopay', 'qris shopee', 'gopay'])(
    'a Midtrans charge by %s returns the URL of a PNG image of a QR code',
    async name => {
      const { body } = await send(charge(methods[name]))
      const action = body.actions.find((one: { name: string }) => one.name === 'generate-qr-code')
      const image = await fetch(action.url)
      expect(image.headers.get('content-type')).toBe('image/png')
      expect(
        Buffer.from(await image.arrayBuffer())
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG')
    },
  )

  test('a GoPay charge at Midtrans returns four actions, and its deeplink opens a payment page', async () => {
    const { body } = await send(charge(methods.gopay))
    expect(body.actions.map((one: { name: string }) => one.name)).toEqual([
      'generate-qr-code',
      'deeplink-redirect',
      'get-status',
      'cancel',
    ])
    const [, deeplink, status] = body.actions
    expect(await (await fetch(deeplink.url)).text()).toContain('value="paid"')
    expect((await call(status.url)).body.transaction_id).toBe(body.transaction_id)
  })

  test('a Midtrans card charge accepts a phone number that a charge by BNI virtual account rejects', async () => {
    const card = { payment_type: 'credit_card', credit_card: { token_id: '48111111-1114-x' } }
    const { body } = await send(charge({ ...card, customer_details: { phone: '6281234567890' } }))
    expect(body).toMatchObject({ status_code: '200', bank: 'bni' })
  })

  test('the status of a pending ShopeePay order at Midtrans contains the link to the payment page', async () => {
    for (const [name, hasActions] of [
      ['shopeepay', true],
      ['gopay', false],
    ] as const) {
      const charged = await send(charge(methods[name]))
      const { body } = await call(`${sandbox.url}/midtrans/v2/${charged.body.order_id}/status`)
      expect(body.actions).toEqual(hasActions ? charged.body.actions : undefined)
    }
  })

  test('a Midtrans OVO charge expires after 65 seconds and returns no actions', async () => {
    const { body } = await send(charge(methods.ovo))
    expect(body).toMatchObject({ payment_type: 'ovo', payer_phone_number: '081234567890' })
    expect(body).not.toHaveProperty('actions')
    const at = (time: string) => Date.parse(`${time.replace(' ', 'T')}+07:00`)
    expect(at(body.expiry_time) - at(body.transaction_time)).toBe(65_000)
  })

  test('a Midtrans OVO charge for an unknown phone number returns 404 and is not stored', async () => {
    const orderId = newOrderId()
    const unknown = { ...methods.ovo, ovo: { payer_phone_number: '080000000404' } }
    expect((await send(charge(unknown, orderId))).body).toMatchObject({
      status_code: '404',
      status_message: "User with requested phone number doesn't exist",
    })
    expect((await call(`${sandbox.url}/midtrans/v2/${orderId}/status`)).body.status_code).toBe('404')
  })

  test.each([
    ['bca', 10_000, 20_000_000_000],
    ['permata', 1, 9_999_999_999],
    ['cimb', 1, 250_000_000],
    ['qris gopay', 1, 10_000_000],
    ['gopay', 1, 20_000_000],
    ['ovo', 1, 99_999_999],
    ['alfamart', 1, 5_000_000],
    ['indomaret', 10_000, 5_000_000],
  ])('a Midtrans charge by %s accepts amounts from %i to %i rupiah and no others', async (name, min, max) => {
    const codeOf = async (amount: number) =>
      (await send(charge(methods[name], newOrderId(), amount))).body.status_code
    expect([await codeOf(min), await codeOf(max)]).toEqual(['201', '201'])
    expect([await codeOf(min - 1), await codeOf(max + 1)]).toEqual(['400', '400'])
  })

  test.each(['akulaku', 'kredivo'])(
    'a Midtrans charge with the payment method %s redirects the payer to a payment page',
    async name => {
      const { body } = await send(charge(methods[name]))
      expect(await (await fetch(body.redirect_url)).text()).toContain('value="paid"')
    },
  )

  test.each([
    ['481111-1114-x', '200', 'capture', 'accept'],
    ['451111-1117-x', '201', 'capture', 'challenge'],
    ['491111-1113-x', '202', 'deny', 'deny'],
  ])(
    'a Midtrans charge with the test card %s returns the status code %s',
    async (token, code, status, fraud) => {
      const { body } = await send(charge({ payment_type: 'credit_card', credit_card: { token_id: token } }))
      expect(body).toMatchObject({ status_code: code, transaction_status: status, fraud_status: fraud })
    },
  )

  test('a Midtrans charge gets the chosen virtual account number, unless a pending payment uses it', async () => {
    const own = charge({ bank_transfer: { bank: 'bca', va_number: '12345678911' } })
    const first = await send(own)
    expect(first.body.va_numbers[0].va_number).toMatch(/12345678911$/)
    const second = await send({
      ...own,
      transaction_details: { order_id: newOrderId(), gross_amount: 44000 },
    })
    expect(second.body.status_code).toBe('201')
    expect(second.body.va_numbers[0].va_number).not.toBe(first.body.va_numbers[0].va_number)
  })
})

describe('Midtrans rejects invalid charges', () => {
  const details = (over: object) =>
    charge({ transaction_details: { order_id: newOrderId(), gross_amount: 44000, ...over } })

  test.each([
    ['no payment_type', () => charge({ payment_type: undefined }), 'payment_type is required'],
    ['an unknown payment_type', () => charge({ payment_type: 'barter' }), 'payment_type is not supported'],
    ['no details', () => charge({ transaction_details: undefined }), 'transaction_details is required'],
    ['no order_id', () => details({ order_id: undefined }), 'transaction_details.order_id is required'],
    [
      'an order_id that is too long',
      () => details({ order_id: 'x'.repeat(51) }),
      'transaction_details.order_id is too long, at most 50 characters',
    ],
    [
      'an order_id with invalid characters',
      () => details({ order_id: 'a#b' }),
      'transaction_details.order_id contains characters that are not allowed',
    ],
    ['no amount', () => details({ gross_amount: undefined }), 'transaction_details.gross_amount is required'],
    [
      'an amount of zero',
      () => details({ gross_amount: 0 }),
      'transaction_details.gross_amount must be greater than 0',
    ],
    [
      'an amount with decimals',
      () => details({ gross_amount: 1.5 }),
      'transaction_details.gross_amount must be a number without decimals',
    ],
    [
      'an amount as text',
      () => details({ gross_amount: '44000' }),
      'transaction_details.gross_amount must be a number without decimals',
    ],
    [
      'an unknown bank',
      () => charge({ bank_transfer: { bank: 'danamon' } }),
      'bank_transfer.bank is not supported',
    ],
    ['no bank', () => charge({ bank_transfer: undefined }), 'bank_transfer is required'],
    [
      'an unknown store',
      () => charge({ payment_type: 'cstore', cstore: { store: 'kiosk' } }),
      'cstore.store is not supported',
    ],
    [
      'a Mandiri bill without text',
      () => charge({ payment_type: 'echannel', echannel: {} }),
      'echannel.bill_info1 is required',
    ],
    [
      'an unknown unit of the expiry',
      () => charge({ custom_expiry: { expiry_duration: 1, unit: 'week' } }),
      'custom_expiry.unit must be second, minute, hour or day',
    ],
    [
      'an expiry that is too late',
      () => charge({ custom_expiry: { expiry_duration: 181, unit: 'day' } }),
      'custom_expiry.expiry_duration is too long',
    ],
    [
      'an expiry that is too early for a bank',
      () => charge({ custom_expiry: { expiry_duration: 19, unit: 'second' } }),
      'custom_expiry.expiry_duration is too short',
    ],
    [
      'an expiry for OVO',
      () => charge({ ...methods.ovo, custom_expiry: { expiry_duration: 5 } }),
      'custom_expiry is not supported for ovo',
    ],
    [
      'OVO without a phone number',
      () => charge({ payment_type: 'ovo', ovo: {} }),
      'ovo.payer_phone_number is required',
    ],
    [
      'items that do not add up to the amount',
      () => charge({ item_details: [{ name: 'Shoes', price: 1000, quantity: 2 }] }),
      'transaction_details.gross_amount is not equal to the sum of item_details',
    ],
    [
      'a name that is too long for BCA',
      () => charge({ ...methods.bca, customer_details: { first_name: 'n'.repeat(31) } }),
      'customer_details.first_name is invalid',
    ],
    [
      'a phone number that BNI does not accept',
      () => charge({ ...methods.bni, customer_details: { phone: '6281234567890' } }),
      'customer_details.phone is invalid',
    ],
    [
      'a vertical line in an item for Alfamart',
      () => charge({ ...methods.alfamart, item_details: [{ name: 'A|B', price: 44_000, quantity: 1 }] }),
      'item_details.0 contains characters that are not allowed',
    ],
    [
      'a body that is too large',
      () => charge({ metadata: { note: 'n'.repeat(16_000) } }),
      'request body is too large, at most 16000 bytes',
    ],
  ])(
    'a Midtrans charge with %s gets HTTP status 200, with the code 400 and an error message',
    async (_, body, message) => {
      const answer = await send(body())
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({
        status_code: '400',
        status_message: 'One or more parameters in the payload is invalid.',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      expect(answer.body.validation_messages).toContain(message)
    },
  )

  test('a Midtrans charge whose body is not JSON gets a syntax error', async () => {
    const { status, body } = await send('{"payment_type":')
    expect([status, body.status_code]).toEqual([200, '413'])
  })

  test('a Midtrans charge whose JSON is not an object gets a validation error', async () => {
    for (const text of ['null', '[]', '"x"', '7']) {
      expect((await send(text)).body.status_code).toBe('400')
    }
  })

  test.each([null, 'SB-Mid-client-x', 'sk_test_1'])(
    'a Midtrans charge with the invalid API key %s returns 401',
    async serverKey => {
      const { status, body } = await send(charge(), { serverKey })
      expect(status).toBe(401)
      expect(body).toEqual({
        status_code: '401',
        status_message: 'Transaction cannot be authorized with the current client/server key.',
        id: expect.any(String),
      })
    },
  )
})

describe('Midtrans recognizes a repeated charge by its order_id or its Idempotency-Key', () => {
  test('a Midtrans charge with an already used order_id gets HTTP status 200 with code 406', async () => {
    const orderId = newOrderId()
    await send(charge({}, orderId))
    const { status, body } = await send(charge({}, orderId, 99000))
    expect(status).toBe(200)
    expect(body).toMatchObject({ status_code: '406', id: expect.any(String) })
  })

  test('a Midtrans charge can reuse an order_id after the original order was cancelled or has expired', async () => {
    for (const action of ['cancel', 'expire']) {
      const orderId = newOrderId()
      await send(charge({}, orderId))
      await call(`${sandbox.url}/midtrans/v2/${orderId}/${action}`, '')
      expect((await send(charge({}, orderId))).body.status_code).toBe('201')
    }
  })

  test('two Midtrans merchants can use the same order_id, and each merchant sees only its own order', async () => {
    const orderId = newOrderId()
    await send(charge({}, orderId))
    const statusUrl = `${sandbox.url}/midtrans/v2/${orderId}/status`
    const stranger = { serverKey: 'Mid-server-other' }
    expect((await call(statusUrl, undefined, stranger)).status).toBe(404)
    expect((await send(charge({}, orderId, 11000), stranger)).body.status_code).toBe('201')
    expect((await call(statusUrl, undefined, stranger)).body.gross_amount).toBe('11000.00')
    expect((await call(statusUrl)).body.gross_amount).toBe('44000.00')
  })

  test('a repeated Midtrans charge with the same Idempotency-Key gets the first response and creates nothing', async () => {
    const headers = { 'idempotency-key': newOrderId() }
    const body = charge()
    const first = await send(body, { headers })
    const again = await send(body, { headers })
    expect(first.body.status_code).toBe('201')
    expect(again.text).toBe(first.text)
    const refused = { 'idempotency-key': newOrderId() }
    const wrong = await send(charge({ payment_type: 'barter' }), { headers: refused })
    expect((await send(charge(), { headers: refused })).text).toBe(wrong.text)
  })

  test('two Midtrans merchants can use the same Idempotency-Key, and each merchant gets its own transaction', async () => {
    const headers = { 'idempotency-key': newOrderId() }
    const first = await send(charge(), { headers })
    const other = await send(charge(), { headers, serverKey: 'Mid-server-other' })
    expect(other.body.transaction_id).not.toBe(first.body.transaction_id)
  })
})
