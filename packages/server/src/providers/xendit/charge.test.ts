import { describe, expect, test } from 'vitest'
import {
  account,
  fake,
  inquiry,
  keys,
  kindOf,
  known,
  order,
  payable,
  REFERENCE,
  type Request,
  reply,
  shown,
  startFakeXendit,
} from '../../../test/support/fake-xendit.ts'
import type { MethodDetail } from '../../payments/method.ts'
import type { ProviderError, ProviderErrorKind } from '../provider.ts'
import { errorKind } from './client.ts'
import { xendit } from './xendit.ts'

startFakeXendit()

describe('charges at Xendit', () => {
  test('a charge is sent as a single POST request with the secret key, the API version and our reference', async () => {
    reply(201, payable)
    await xendit.charge(account(), order())
    expect(fake.received).toHaveLength(1)
    expect(fake.received[0]).toMatchObject({
      method: 'POST',
      url: '/v3/payment_requests',
      headers: {
        authorization: 'Basic eG5kX2RldmVsb3BtZW50X3Rlc3Q6',
        'content-type': 'application/json',
        'api-version': '2024-11-11',
      },
    })
    expect(JSON.parse((fake.received[0] as Request).body)).toEqual({
      reference_id: REFERENCE,
      type: 'PAY',
      country: 'ID',
      currency: 'IDR',
      request_amount: 100_000,
      capture_method: 'AUTOMATIC',
      channel_code: 'BCA_VIRTUAL_ACCOUNT',
      channel_properties: { display_name: 'Budi Santoso', expires_at: '2026-11-20T04:04:05.678Z' },
      metadata: { customer_name: 'Budi Santoso' },
    })
  })

  test.each<[string, MethodDetail, object, object]>([
    [
      'QRIS, for which Xendit sends no image',
      { type: 'qris' },
      shown('QR_STRING', '000201'),
      { type: 'qris', qr_string: '000201', qr_image_url: '' },
    ],
    [
      'a wallet with a mobile page only',
      { type: 'e_wallet', wallet_type: 'ASTRAPAY' },
      shown('MOBILE_WEB_URL', 'https://m.example.com'),
      { type: 'e_wallet', wallet_type: 'ASTRAPAY', redirect_url: 'https://m.example.com', deeplink: '' },
    ],
    [
      'a wallet that opens only on the phone',
      { type: 'e_wallet', wallet_type: 'SHOPEEPAY' },
      shown('DEEPLINK_URL', 'shopeeid://pay'),
      {
        type: 'e_wallet',
        wallet_type: 'SHOPEEPAY',
        redirect_url: 'shopeeid://pay',
        deeplink: 'shopeeid://pay',
      },
    ],
    [
      'OVO, which sends a push notification to the phone',
      { type: 'e_wallet', wallet_type: 'OVO' },
      { actions: [] },
      { type: 'e_wallet', wallet_type: 'OVO', redirect_url: '', deeplink: '' },
    ],
    [
      'a store',
      { type: 'over_the_counter', store: 'INDOMARET' },
      shown('PAYMENT_CODE', 'XDT1'),
      { type: 'over_the_counter', store_name: 'Indomaret', payment_code: 'XDT1' },
    ],
  ])('a charge returns the payment instructions for %s', async (_, methodDetail, fields, methodData) => {
    reply(201, { ...known, ...fields })
    expect((await xendit.charge(account(), order({ methodDetail }))).methodData).toEqual(methodData)
  })

  const malformed = ['VIRTUAL_ACCOUNT_NUMBER', 'QR_STRING', 'WEB_URL', 'PAYMENT_CODE'].map(descriptor => ({
    descriptor,
    value: { text: '8808' },
  }))
  test.each<[string, MethodDetail]>([
    ['a virtual account', { type: 'virtual_account', bank: 'BCA' }],
    ['QRIS', { type: 'qris' }],
    ['a wallet', { type: 'e_wallet', wallet_type: 'DANA' }],
    ['a store', { type: 'over_the_counter', store: 'ALFAMART' }],
  ])(
    'a charge that is accepted without payment instructions for %s has an unknown outcome',
    async (_, methodDetail) => {
      for (const actions of [[], null, [{}], [{ descriptor: 'WEB_URL', value: '' }], 'none', malformed]) {
        reply(201, { ...known, actions })
        expect(await kindOf(xendit.charge(account(), order({ methodDetail })))).toBe('unknown')
      }
    },
  )

  test.each<[string, object]>([
    ['another order', { reference_id: 'GP261120-0000000000' }],
    ['another amount', { request_amount: 100_001 }],
    ['an invalid amount', { request_amount: null }],
    ['another currency', { currency: 'USD' }],
    ['no currency', { currency: null }],
  ])('the outcome of a charge is unknown if the response contains %s', async (_, fields) => {
    reply(201, { ...payable, ...fields })
    expect(await kindOf(xendit.charge(account(), order()))).toBe('unknown')
  })

  test("a charge whose response has the status FAILED is declined, and the error contains Xendit's reason", async () => {
    reply(201, { ...known, status: 'FAILED', failure_code: 'INSUFFICIENT_BALANCE' })
    await expect(xendit.charge(account(), order())).rejects.toMatchObject({
      kind: 'declined',
      message: 'INSUFFICIENT_BALANCE',
    })
  })

  test("an OVO charge without the payer's phone number is rejected before a request is sent", async () => {
    const ovo = order({
      channel: 'ovo',
      methodDetail: { type: 'e_wallet', wallet_type: 'OVO' },
      customer: { name: '', email: '', phone: '' },
    })
    await expect(xendit.charge(account(), ovo)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('customer_phone'),
    })
    expect(fake.received).toEqual([])
  })

  test.each(['live', 'test'] as const)(
    'a charge of a %s account is not sent with an API key of the other mode, because the key determines whether real money moves',
    async mode => {
      const secret_key = mode === 'live' ? 'xnd_development_x' : 'xnd_production_x'
      const mixed = account({ mode, baseUrl: null, credentials: { ...keys, secret_key } })
      const fault = await xendit.charge(mixed, order()).catch((error: ProviderError) => error)
      expect(fault).toMatchObject({ kind: 'unavailable', message: expect.stringContaining(mode) })
      expect((fault as Error).message).not.toContain(secret_key)
    },
  )

  test('a charge to a test server may use any secret key, because a test server moves no real money', async () => {
    reply(201, payable)
    const credentials = { ...keys, secret_key: 'xnd_production_x' }
    expect(await kindOf(xendit.charge(account({ credentials }), order()))).toBe('no error')
  })

  test("a rejected charge's error contains Xendit's reason on one line, without control characters", async () => {
    reply(400, { error_code: 'API_VALIDATION_ERROR', message: `amount\nis\0bad ${'x'.repeat(400)}` })
    await expect(xendit.charge(account(), order())).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(/^API_VALIDATION_ERROR: amount is bad x{200,270}$/),
    })
  })
})

describe("the Xendit adapter derives the outcome of a charge from Xendit's error response", () => {
  const page = '<html><body>Bad gateway</body></html>'
  const said = (error_code: string) => ({ error_code, message: '' })
  test.each<[string, number, unknown, ProviderErrorKind]>([
    ['a page of a proxy', 502, page, 'unknown'],
    ['a page that is not JSON, with status 200', 200, page, 'unknown'],
    ['a body with only OK', 200, 'OK', 'unknown'],
    ['a page of a firewall', 503, page, 'unknown'],
    ['a page of a firewall', 403, page, 'unknown'],
    ['an HTML page with 404', 404, page, 'unknown'],
    ['an accepted order with status 400', 400, payable, 'unknown'],
    ['too many requests', 429, said('RATE_LIMIT_EXCEEDED'), 'unavailable'],
    ['too many requests, reported by a proxy', 429, page, 'unavailable'],
    ['too many requests of one channel', 400, said('PAYMENT_REQUEST_RATE_LIMITED'), 'unavailable'],
    ['a wrong key', 401, said('INVALID_API_KEY'), 'unavailable'],
    ['a key without the permission', 403, said('REQUEST_FORBIDDEN_ERROR'), 'unavailable'],
    ['a channel that is unavailable', 503, said('CHANNEL_UNAVAILABLE'), 'unavailable'],
    ['an issuer that is unavailable', 503, said('ISSUER_UNAVAILABLE'), 'unavailable'],
    ['another reason with 503', 503, said('SERVER_ERROR'), 'unknown'],
    ['a channel that is unavailable, as a server error', 500, said('CHANNEL_UNAVAILABLE'), 'unknown'],
    ['a channel not activated', 403, said('CHANNEL_NOT_ACTIVATED'), 'inactive'],
    ['invalid merchant settings', 403, said('INVALID_MERCHANT_SETTINGS'), 'inactive'],
    ['an invalid value', 400, said('INVALID_VALUE_ERROR'), 'invalid'],
    ['invalid payer details', 400, said('INVALID_PAYMENT_DETAILS'), 'declined'],
    ['any other blocked access', 403, said('ACCOUNT_ACCESS_BLOCKED'), 'declined'],
    ['a conflict about the reference', 409, said('DATA_NOT_FOUND'), 'unknown'],
    [
      'a reference that was used, by an older product',
      400,
      said('EXTERNAL_ID_ALREADY_USED_ERROR'),
      'unknown',
    ],
    ['a duplicate request', 400, said('DUPLICATE_ERROR'), 'unknown'],
    ['an error code that is no text', 400, { error_code: 7, message: 'invalid' }, 'unknown'],
    ['an error of the provider', 500, said('SERVER_ERROR'), 'unknown'],
  ])(
    'if Xendit responds to a charge or an inquiry with $0 (HTTP $1), the outcome is $3',
    async (_, status, body, kind) => {
      reply(status, body)
      expect(await kindOf(xendit.charge(account(), order()))).toBe(kind)
      expect(await kindOf(xendit.inquire(account(), inquiry()))).toBe(kind)
      expect(await kindOf(xendit.inquire(account(), inquiry({ providerPaymentId: null })))).toBe(kind)
    },
  )

  test.each(['CHANNEL_UNAVAILABLE', 'ISSUER_UNAVAILABLE'])(
    "after a 503 with the error code %s, an OVO charge's outcome is unknown, because OVO may have notified the payer's phone",
    async code => {
      const ovo = order({ channel: 'ovo', methodDetail: { type: 'e_wallet', wallet_type: 'OVO' } })
      const customer = { name: 'Budi', email: '', phone: '081234567890' }
      reply(503, said(code))
      await expect(xendit.charge(account(), { ...ovo, customer })).rejects.toMatchObject({
        kind: 'unknown',
        message: expect.stringContaining(code),
      })
      reply(400, said('PAYMENT_REQUEST_RATE_LIMITED'))
      expect(await kindOf(xendit.charge(account(), { ...ovo, customer }))).toBe('unavailable')
    },
  )

  test('an error response counts as a rejection only if Xendit certainly rejected the order', () => {
    const codes = ['API_VALIDATION_ERROR', 'INVALID_PAYMENT_DETAILS', 'CHANNEL_NOT_ACTIVATED', 'NEVER_SEEN']
    const refusing = Array.from({ length: 500 }, (_, i) => i + 100).filter(status =>
      codes.some(code => ['declined', 'invalid', 'inactive'].includes(errorKind(status, code))),
    )
    expect(refusing).toEqual([400, 403])
    for (let status = 100; status < 600; status++)
      if (status !== 429) expect(errorKind(status, undefined)).toBe('unknown')
  })

  test.each([
    'CHANNEL_NOT_ACTIVATED',
    'PAYMENT_REQUEST_RATE_LIMITED',
    'INVALID_PAYMENT_DETAILS',
    'REQUEST_FORBIDDEN_ERROR',
  ])(
    "if the error code %s comes with an HTTP status that Xendit does not document for it, the charge's outcome is unknown",
    code => {
      for (const status of [200, 409, 500, 502, 503]) expect(errorKind(status, code)).toBe('unknown')
    },
  )

  test('a redirect in response to a charge is not followed', async () => {
    fake.answer = response => response.writeHead(307, { location: '/elsewhere' }).end()
    expect(await kindOf(xendit.charge(account(), order()))).toBe('unknown')
    expect(fake.received).toHaveLength(1)
  })
})
