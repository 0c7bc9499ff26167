import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  callDuitku,
  createBody,
  hmacMerchant,
  md5Merchant,
  registerDuitku,
  sign,
  statusBody,
} from '../../test/support/duitku-merchant.ts'
import { call, type Json } from '../../test/support/merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'
import { channels } from './channels.ts'

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  for (const merchant of [hmacMerchant, md5Merchant]) await registerDuitku(sandbox.url, merchant)
})
afterAll(() => sandbox.close())

const create = (over: Json = {}, merchant = hmacMerchant) =>
  callDuitku(sandbox.url, '/v2/inquiry', createBody(merchant, over))
const statusOf = (reference: string, merchant = hmacMerchant) =>
  callDuitku(sandbox.url, '/transactionStatus', statusBody(merchant, reference))
const control = (path: string, body?: unknown) => call(`${sandbox.url}${path}`, body, { serverKey: null })
const orderOf = async (reference: string) =>
  (await control(`/orders?payment_code=${reference}`)).body.orders[0]

describe('the sandbox registers a Duitku merchant only with valid credentials', () => {
  test.each([
    [{ merchant_code: 'D1' }, 'merchant_code and api_key are required'],
    [{ merchant_code: 'D1', api_key: 'k', signature: 'sha1' }, 'signature must be hmac or md5'],
  ])('a Duitku merchant registration with %j is rejected', async (credentials, reason) => {
    const { status, body } = await registerDuitku(sandbox.url, credentials)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(reason)
  })
})

describe('Duitku creates a payment only for a valid, signed request', () => {
  test('a Duitku create request for a virtual account returns the fields in the documented sample', async () => {
    const { status, body } = await create()
    expect(status).toBe(200)
    expect(body).toEqual({
      merchantCode: 'D0001',
      reference: expect.stringMatching(/^D0001[0-9A-F]{15}$/),
      paymentUrl: expect.stringMatching(/^http/),
      vaNumber: expect.stringMatching(/^7007014\d{9}$/),
      amount: '40000',
      statusCode: '00',
      statusMessage: 'SUCCESS',
    })
  })

  test.each(channels)(
    'a Duitku create request with $code returns everything that a payer needs to pay',
    async ({ code, kind }) => {
      const { body } = await create({ paymentMethod: code })
      expect({ number: 'vaNumber' in body, qris: 'qrString' in body }).toEqual({
        number: kind === 'number',
        qris: kind === 'qris',
      })
      expect(body.paymentUrl).toMatch(/^http/)
    },
  )

  test('a Duitku create request must be signed with the signature method that the merchant registered', async () => {
    expect((await create({}, md5Merchant)).status).toBe(200)
    const asOther = { ...md5Merchant, signature: 'hmac' }
    expect(await create({}, asOther)).toMatchObject({ status: 401, body: { Message: 'Wrong signature' } })
    const md5 = { ...hmacMerchant, signature: 'md5' }
    expect(await create({}, md5)).toMatchObject({ status: 401, body: { Message: 'Wrong signature' } })
  })

  test.each([
    ['an unknown merchant', { merchantCode: 'D9' }, 404, 'Merchant not found'],
    ['a wrong signature', { signature: 'f'.repeat(64) }, 401, 'Wrong signature'],
    ['less than the minimum', { paymentAmount: 9_999 }, 400, 'Minimum Payment 10000 IDR'],
    [
      'more than the maximum of QRIS',
      { paymentMethod: 'SP', paymentAmount: 10_000_001 },
      400,
      'Maximum Payment exceeded',
    ],
    ['no payment method', { paymentMethod: '' }, 400, 'paymentMethod is mandatory'],
    ['no returnUrl', { returnUrl: '' }, 400, 'returnUrl is mandatory'],
    [
      'too long a reference',
      { merchantOrderId: 'x'.repeat(51) },
      400,
      "length of merchantOrderId can't > 50",
    ],
    ['too long an email address', { email: `${'x'.repeat(50)}@a.id` }, 400, "length of email can't > 50"],
    ['no email address', { email: 'nobody' }, 400, 'Invalid Email Address'],
    ['an unknown channel', { paymentMethod: 'ZZ' }, 404, 'Payment channel not available'],
    [
      'items that do not add up to the amount',
      { itemDetails: [{ name: 'a', price: 1, quantity: 1 }] },
      409,
      'Payment amount must be equal to all item price',
    ],
  ])(
    'a Duitku create request with %s is rejected with the error text that Duitku documents',
    async (_, over, status, Message) => {
      expect(await create(over)).toMatchObject({ status, body: { Message } })
    },
  )

  test('a Duitku QRIS payment can be smaller than the minimum of other channels', async () => {
    expect((await create({ paymentMethod: 'SP', paymentAmount: 1_000 })).status).toBe(200)
  })

  test('a Duitku create request with an already used reference is rejected', async () => {
    const merchantOrderId = 'used-once'
    await create({ merchantOrderId })
    expect((await create({ merchantOrderId })).status).toBe(400)
    const { body } = await control('/orders?payment_code=used-once')
    expect(body.orders).toHaveLength(1)
  })

  test.each([
    ['SANDBOX REJECT', 400, 'Maximum Payment exceeded'],
    ['SANDBOX INACTIVE', 404, 'Payment channel not available'],
    ['SANDBOX RATE LIMIT', 429, 'Too many requests'],
    ['SANDBOX OUTAGE', 503, 'Service Unavailable'],
  ])(
    'a Duitku create request with the customer name %s, which makes the sandbox simulate an error, creates no payment',
    async (customerVaName, status, Message) => {
      const merchantOrderId = customerVaName.replaceAll(' ', '-')
      expect(await create({ customerVaName, merchantOrderId })).toMatchObject({ status, body: { Message } })
      expect(await orderOf(merchantOrderId)).toBeUndefined()
    },
  )
})

describe('a Duitku payment expires at the requested time, or at the documented time for its method', () => {
  test.each([
    ['BC', 10, 10],
    ['BC', undefined, 1_440],
    ['SP', 500, 60],
    ['LA', 10, 24],
    ['DA', 1_440, 1_440],
  ])(
    'a Duitku payment by the method %s with a requested expiry of %s minutes expires after %i minutes',
    async (paymentMethod, expiryPeriod, minutes) => {
      const body = createBody(hmacMerchant, { paymentMethod, expiryPeriod })
      await callDuitku(sandbox.url, '/v2/inquiry', body)
      const { created_at, expires_at } = await orderOf(body.merchantOrderId)
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(minutes * 60_000)
    },
  )
})

describe("a Duitku transactionStatus request returns a payment's status", () => {
  const created = async () => {
    const body = createBody(hmacMerchant)
    const { reference } = (await callDuitku(sandbox.url, '/v2/inquiry', body)).body
    return { merchantOrderId: body.merchantOrderId as string, reference }
  }

  test.each([
    [undefined, '01'],
    ['paid', '00'],
    ['failed', '02'],
    ['expired', '02'],
    ['cancelled', '02'],
    ['challenged', '01'],
  ])(
    'after the simulated outcome %s, the Duitku request transactionStatus returns the status code %s',
    async (outcome, statusCode) => {
      const { merchantOrderId, reference } = await created()
      if (outcome) await control('/simulate/silently', { payment_code: merchantOrderId, outcome })
      expect((await statusOf(merchantOrderId)).body).toEqual({
        merchantOrderId,
        reference,
        amount: '40000',
        fee: '0.00',
        statusCode,
        statusMessage: expect.any(String),
      })
    },
  )

  test('a Duitku transactionStatus request can be sent as a form or as JSON', async () => {
    const { merchantOrderId } = await created()
    const { body } = await call(
      `${sandbox.url}/duitku/webapi/api/merchant/transactionStatus`,
      new URLSearchParams(statusBody(hmacMerchant, merchantOrderId)).toString(),
      { serverKey: null, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    )
    expect(body.statusCode).toBe('01')
  })

  test("a Duitku transactionStatus request never returns another merchant's order", async () => {
    const { merchantOrderId } = await created()
    expect(await statusOf(merchantOrderId, md5Merchant)).toMatchObject({
      status: 400,
      text: '"Transaction not found"',
    })
    const wrong = { ...statusBody(hmacMerchant, merchantOrderId), signature: 'f'.repeat(64) }
    expect((await callDuitku(sandbox.url, '/transactionStatus', wrong)).status).toBe(401)
  })
})

test("the signature of a Duitku payment method request covers the request's date and time", async () => {
  const list = (body: Json) => callDuitku(sandbox.url, '/paymentmethod/getpaymentmethod', body)
  const asked = { amount: 10_000, datetime: '2026-11-23 10:00:00' }
  const hmac = sign(hmacMerchant, 'D0001100002026-11-23 10:00:00')
  const { body } = await list({ merchantcode: 'D0001', ...asked, signature: hmac })
  expect(body).toMatchObject({ responseCode: '00', responseMessage: 'SUCCESS' })
  expect(body.paymentFee).toHaveLength(channels.length)
  const sha256 = createHash('sha256')
    .update(`D0002100002026-11-23 10:00:00${md5Merchant.api_key}`)
    .digest('hex')
  expect((await list({ merchantCode: 'D0002', ...asked, signature: sha256 })).status).toBe(200)
  expect((await list({ merchantCode: 'D0002', ...asked, signature: hmac })).status).toBe(401)
})
