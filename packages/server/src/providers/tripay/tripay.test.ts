import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aCharge, anInquiry } from '../../../test/support/charge.ts'
import { fakeServer, type Request } from '../../../test/support/fake-server.ts'
import { receive } from '../../../test/support/receive-callback.ts'
import type { MethodDetail } from '../../payments/method.ts'
import {
  type CallbackRequest,
  type Charge,
  type Inquiry,
  type ProviderAccount,
  ProviderError,
  type ProviderErrorKind,
} from '../provider.ts'
import type { Credentials } from './credentials.ts'
import { requestSignature } from './signature.ts'
import { tripay } from './tripay.ts'

type Fixture = {
  name: string
  kind: 'notification' | 'create_response' | 'error_response' | 'signing'
  http_status: number
  headers: Record<string, string>
  raw_body: string
  response: { data: Record<string, unknown> }
  credentials: { merchant_code: string; private_key: string }
  inputs: { merchant_code: string; merchant_ref: string; amount: number; private_key: string }
  expected: string
  expected_ack?: { http_status: number; body: unknown }
  expect: Record<string, string | number | boolean | null>
}
const directory = join(import.meta.dirname, 'fixtures')
const fixtures = readdirSync(directory).map(name => ({
  name,
  ...(JSON.parse(readFileSync(join(directory, name), 'utf8')) as Omit<Fixture, 'name'>),
}))
const ofKind = (kind: Fixture['kind']): Fixture[] => fixtures.filter(fixture => fixture.kind === kind)

const { url, received, answers, replies: reply } = await fakeServer()

const REFERENCE = 'GP261120-7Q4M2ZK8XW'
const keys = { api_key: 'DEV-key', private_key: 'ytf6ooi2gmlNPfpchd94jDOk8hRWOu', merchant_code: 'T0001' }
const account = (credentials: Partial<Credentials> = {}): ProviderAccount<Credentials> => ({
  id: '01990000-0000-7000-8000-000000000001',
  mode: 'test',
  credentials: { ...keys, ...credentials },
  baseUrl: url,
})
const bri = { channel: 'bri', methodDetail: { type: 'virtual_account', bank: 'BRI' } } as const
const order = (overrides: Partial<Charge> = {}): Charge =>
  aCharge({
    ...bri,
    expiryMinutes: 120,
    callbackUrl: 'https://pay.example.com/v1/callbacks/tripay/1',
    ...overrides,
  })
const inquiry = (overrides: Partial<Inquiry> = {}): Inquiry =>
  anInquiry({ ...bri, providerPaymentId: 'T0001000000000000006', ...overrides })
/** The order's data in Tripay's responses. */
const known = {
  reference: 'T0001000000000000006',
  merchant_ref: REFERENCE,
  amount: 100_000,
  fee_customer: 0,
  status: 'UNPAID',
  pay_code: '57585748548596587',
  pay_url: null,
}
const success = (data: unknown) => ({ success: true, message: '', data })
const kindOf = (asked: Promise<unknown>): Promise<ProviderErrorKind | 'no error'> =>
  asked.then(
    () => 'no error',
    error => {
      if (error instanceof ProviderError) return error.kind
      throw error
    },
  )
const callbackOf = (body: string, headers: Record<string, string>): CallbackRequest => ({
  path: '/v1/callbacks/tripay/1',
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  body: Buffer.from(body),
  receivedAt: new Date('2026-11-20T03:05:00Z'),
})

describe('every message published by Tripay is read with its documented meaning', () => {
  test('every recorded or published Tripay message is read by a test', () => {
    expect(fixtures).toHaveLength(7)
    for (const { kind } of fixtures)
      expect(['notification', 'create_response', 'error_response', 'signing']).toContain(kind)
  })

  test.each(ofKind('notification'))(
    'for the Tripay notification in the fixture $name, the signature check and the values read match the fixture',
    ({ raw_body, headers, credentials, expected_ack, expect: want }) => {
      const reading = receive(tripay, account(credentials), callbackOf(raw_body, headers))
      expect(reading.verified).toBe(want.signature_valid)
      if (!reading.verified || !('updates' in reading)) return
      expect(JSON.parse(reading.acknowledgement.body)).toEqual(expected_ack?.body)
      expect(reading.updates).toHaveLength(1)
      const { reference, providerPaymentId, fact } = reading.updates[0] as (typeof reading.updates)[0]
      expect([reference, providerPaymentId]).toEqual([want.order_id, want.provider_payment_id])
      expect(fact.type).toBe(want.status ?? 'nothing')
      if (want.refund)
        expect(reading.updates[0]?.returns).toEqual([
          { kind: 'refund', id: null, amount: null, status: 'succeeded' },
        ])
      expect(fact.type === 'paid' ? fact.amountPaid : 0n).toBe(
        BigInt((want.amount_paid_cents as number | null) ?? 0),
      )
    },
  )

  test.each(ofKind('create_response'))(
    'for the Tripay charge response in the fixture $name, the values read match the fixture',
    async ({ http_status, response, expect: want }) => {
      reply(http_status, response)
      const methodDetail = { type: 'virtual_account', bank: want.bank as string } as const
      const amount = BigInt(want.amount_cents as number)
      const taken = await tripay.charge(
        account(),
        order({ methodDetail, amount, reference: want.order_id as string }),
      )
      expect(taken).toEqual({
        providerPaymentId: want.provider_payment_id,
        methodData: { type: 'virtual_account', bank: want.bank, va_number: want.va_number },
      })
      const { expired_time } = response.data as { expired_time: number }
      expect(new Date(expired_time * 1000)).toEqual(new Date(want.expires_at as string))
      const asked = inquiry({ methodDetail, amount, reference: want.order_id as string })
      expect(await tripay.inquire(account(), asked)).toMatchObject({ fact: { type: want.status } })
    },
  )

  test.each(ofKind('error_response'))(
    'if Tripay responds to a charge with the authentication error in the fixture $name, the charge fails with the error kind unavailable',
    async ({ http_status, response, expect: want }) => {
      reply(http_status, response)
      expect(want.error_class).toBe('authentication')
      expect(await kindOf(tripay.charge(account(), order()))).toBe('unavailable')
    },
  )

  test.each(ofKind('signing'))(
    'the Tripay signing example in the fixture $name gives the expected signature',
    ({ inputs, expected }) => {
      expect(requestSignature(inputs, inputs.merchant_ref, BigInt(inputs.amount))).toBe(expected)
    },
  )
})

describe('charges at Tripay', () => {
  test('a charge sends one POST request with our reference, the signature, the callback URL and the return URL', async () => {
    reply(200, success(known))
    await tripay.charge(account(), order())
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/transaction/create',
      headers: { authorization: 'Bearer DEV-key', 'content-type': 'application/json' },
    })
    expect(JSON.parse((received[0] as Request).body)).toEqual({
      method: 'BRIVA',
      merchant_ref: REFERENCE,
      amount: 100_000,
      customer_name: 'Budi Santoso',
      customer_email: 'budi@example.com',
      customer_phone: '081234567890',
      order_items: [{ name: `Order ${REFERENCE}`, price: 100_000, quantity: 1 }],
      callback_url: 'https://pay.example.com/v1/callbacks/tripay/1',
      return_url: 'https://shop.example.com/orders/1001',
      expired_time: Date.parse('2026-11-20T05:05:05Z') / 1000,
      signature: requestSignature(keys, REFERENCE, 100_000n),
    })
  })

  test.each<[string, MethodDetail, object, object]>([
    [
      'QRIS',
      { type: 'qris' },
      { qr_string: '000201', qr_url: 'https://tripay.co.id/qr/1' },
      { type: 'qris', qr_string: '000201', qr_image_url: 'https://tripay.co.id/qr/1' },
    ],
    [
      'QRIS with an image only',
      { type: 'qris' },
      { qr_string: null, qr_url: 'https://tripay.co.id/qr/1' },
      { type: 'qris', qr_string: '', qr_image_url: 'https://tripay.co.id/qr/1' },
    ],
    [
      'a wallet',
      { type: 'e_wallet', wallet_type: 'DANA' },
      { pay_url: 'https://pay.example.com/dana' },
      { type: 'e_wallet', wallet_type: 'DANA', redirect_url: 'https://pay.example.com/dana', deeplink: '' },
    ],
    [
      "a wallet, by Tripay's own page",
      { type: 'e_wallet', wallet_type: 'DANA' },
      { checkout_url: 'https://tripay.co.id/checkout/1' },
      {
        type: 'e_wallet',
        wallet_type: 'DANA',
        redirect_url: 'https://tripay.co.id/checkout/1',
        deeplink: '',
      },
    ],
    [
      'a store, even if the code is a number',
      { type: 'over_the_counter', store: 'ALFAMIDI' },
      { pay_code: 45649878666155 },
      { type: 'over_the_counter', store_name: 'Alfamidi', payment_code: '45649878666155' },
    ],
  ])('a charge returns the payment instructions for %s', async (_, methodDetail, fields, methodData) => {
    reply(200, success({ ...known, ...fields }))
    expect((await tripay.charge(account(), order({ methodDetail }))).methodData).toEqual(methodData)
  })

  test('a charge response is accepted with and without the fee that the payer pays', async () => {
    for (const amount of [100_000, 104_250]) {
      reply(200, success({ ...known, amount, fee_customer: 4_250 }))
      expect(await kindOf(tripay.charge(account(), order()))).toBe('no error')
    }
  })

  test.each<[string, object]>([
    ['another order', { merchant_ref: 'GP261120-0000000000' }],
    ['another amount', { amount: 100_001 }],
    ['an amount that no fee explains', { amount: 104_250, fee_customer: 4_000 }],
    ['an invalid amount', { amount: '1e5' }],
    ['no payment instructions', { pay_code: null }],
  ])('the outcome of a charge is unknown if the response contains %s', async (_, fields) => {
    reply(200, success({ ...known, ...fields }))
    expect(await kindOf(tripay.charge(account(), order()))).toBe('unknown')
  })

  test("a rejected charge's error contains Tripay's message on one line, without control characters", async () => {
    reply(200, { success: false, message: `Invalid\nAPI Key\0${'x'.repeat(400)}` })
    await expect(tripay.charge(account(), order())).rejects.toMatchObject({
      message: expect.stringMatching(/^Invalid API Key x{200,285}$/),
    })
  })
})

describe("the Tripay adapter derives a charge's outcome from Tripay's error response", () => {
  const page = '<html><body>Bad gateway</body></html>'
  const refusal = (message: string) => ({ success: false, message })
  test.each<[string, number, unknown, ProviderErrorKind]>([
    ['a page of a proxy', 502, page, 'unknown'],
    ['a page that is not JSON, with status 200', 200, page, 'unknown'],
    ['a body with only OK', 200, 'OK', 'unknown'],
    ['a page with 503', 503, page, 'unknown'],
    ['a 503 of a gateway or a web framework', 503, { message: 'Service Unavailable' }, 'unknown'],
    ['an unknown payment method', 200, refusal('Payment method is not exists!'), 'inactive'],
    ['a refusal by Tripay with 503', 503, refusal('Sedang gangguan'), 'unavailable'],
    ['too many requests', 429, page, 'unavailable'],
    ['a missing authentication', 401, { message: 'Unauthenticated.' }, 'unavailable'],
    ['an error of the provider, whatever its message', 500, refusal('Invalid API Key'), 'unknown'],
    ['a server error that reports a missing order', 500, refusal('Transaction not found'), 'unknown'],
    ['success without the success flag', 200, { data: known }, 'unknown'],
    ['success under an error', 400, success(known), 'unknown'],
    ['a refusal that contains an order', 200, { ...refusal('Oops'), data: known }, 'unknown'],
  ])(
    "if Tripay's response to a charge or an inquiry is $0 (HTTP $1), the request fails with an error of the kind $3",
    async (_, status, body, kind) => {
      reply(status, body)
      expect(await kindOf(tripay.charge(account(), order()))).toBe(kind)
      expect(await kindOf(tripay.inquire(account(), inquiry()))).toBe(kind)
      expect(await kindOf(tripay.inquire(account(), inquiry({ providerPaymentId: null })))).toBe(kind)
    },
  )

  test("an error response's message never contains a secret", async () => {
    reply(200, refusal('Invalid signature'))
    const fault = await tripay.charge(account(), order()).catch((error: Error) => error)
    for (const secret of Object.values(keys)) expect((fault as Error).message).not.toContain(secret)
  })
})

describe('inquiries at Tripay', () => {
  test("an inquiry uses Tripay's reference if it is known", async () => {
    reply(200, success(known))
    await tripay.inquire(account(), inquiry({ providerPaymentId: 'T1/2?3' }))
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      method: 'GET',
      url: '/transaction/detail?reference=T1%2F2%3F3',
      headers: { authorization: 'Bearer DEV-key' },
    })
  })

  const listed = (list: unknown[]) => {
    answers((response, { url: asked }) =>
      response.end(JSON.stringify(success(asked.startsWith('/merchant/transactions') ? list : known))),
    )
  }
  test("if Tripay's reference of an order is unknown, an inquiry searches for our own reference", async () => {
    listed([{ ...known, reference: 'T9', merchant_ref: `${REFERENCE}-2` }, known])
    expect(await tripay.inquire(account(), inquiry({ providerPaymentId: null }))).toEqual({
      reference: REFERENCE,
      providerPaymentId: 'T0001000000000000006',
      fact: {
        type: 'pending',
        methodData: { type: 'virtual_account', bank: 'BRI', va_number: '57585748548596587' },
      },
    })
    expect(received.map(({ url }) => url)).toEqual([
      `/merchant/transactions?merchant_ref=${REFERENCE}`,
      '/transaction/detail?reference=T0001000000000000006',
    ])
  })

  test.each<[string, unknown[]]>([
    ['no order', []],
    [
      'only other orders',
      [
        { ...known, merchant_ref: 'X' },
        { ...known, merchant_ref: null },
      ],
    ],
    ['two orders with our reference', [known, { ...known, reference: 'T9' }]],
  ])(
    "if Tripay's list of orders contains %s, a status inquiry is inconclusive, because an order missing from the list may appear in it later",
    async (_, list) => {
      listed(list)
      expect(await tripay.inquire(account(), inquiry({ providerPaymentId: null }))).toBe('not_reported')
      expect(received).toHaveLength(1)
    },
  )

  test.each(['Transaction not found', 'Transaksi tidak ditemukan'])(
    'a status inquiry is inconclusive if Tripay responds with %j, because the order may exist but be visible only to another API key',
    async message => {
      reply(200, { success: false, message })
      expect(await tripay.inquire(account(), inquiry())).toBe('not_reported')
    },
  )

  test('a status inquiry fails if the response is for a different order', async () => {
    reply(200, success({ ...known, status: 'PAID', merchant_ref: 'GP261120-0000000000' }))
    expect(await kindOf(tripay.inquire(account(), inquiry()))).toBe('unknown')
  })

  const receipt = known.reference
  const otherTypes = { status: ' PAID ', amount: '100000', pay_code: {}, pay_url: 7, qr_url: [], paid_at: {} }
  test.each<[string, object, object]>([
    [
      'a payment, with its time as text',
      { status: 'PAID', paid_at: '1582856000' },
      { type: 'paid', amountPaid: 10_000_000n, receipt, paidAt: new Date(1_582_856_000_000) },
    ],
    [
      'a payment with the fee in its amount',
      { status: 'PAID', amount: 104_250, fee_customer: 4_250 },
      { type: 'paid', amountPaid: 10_000_000n, receipt },
    ],
    [
      'a payment without a valid time',
      { status: 'PAID', paid_at: 'yesterday' },
      { type: 'paid', amountPaid: 10_000_000n, receipt },
    ],
    ['a payment of zero', { status: 'PAID', amount: 0 }, { type: 'nothing' }],
    ['a failure', { status: 'FAILED' }, { type: 'failed' }],
    ['an expired order', { status: 'EXPIRED' }, { type: 'expired' }],
    ['a payment that was refunded', { status: 'REFUND' }, { type: 'paid', amountPaid: 10_000_000n }],
    ['a payment with fields of unexpected types', otherTypes, { type: 'paid', amountPaid: 10_000_000n }],
    ['an order without instructions', { pay_code: null }, { type: 'pending' }],
  ])('a status inquiry returns the status that Tripay documents for %s', async (_, fields, fact) => {
    reply(200, success({ ...known, ...fields }))
    const word = await tripay.inquire(account(), inquiry())
    expect(word).toMatchObject({ reference: REFERENCE, providerPaymentId: receipt, fact })
    expect(word).toHaveProperty('fact.type', (fact as { type: string }).type)
    expect(word).not.toHaveProperty('fact.methodData')
    expect('paidAt' in (word as { fact: object }).fact).toBe('paidAt' in fact)
  })

  test('a status inquiry lists a refund without an amount, because Tripay does not report the amount of a refund', async () => {
    reply(200, success({ ...known, status: 'REFUND' }))
    expect(await tripay.inquire(account(), inquiry())).toMatchObject({
      returns: [{ kind: 'refund', id: null, amount: null, status: 'succeeded' }],
    })
  })

  test.each([
    { status: 'MELTED' },
    { status: null },
    { status: 'PAID', amount: null },
    { status: 'PAID', amount: '100,000' },
    { status: 'PAID', amount: 104_250, fee_customer: null },
  ])(
    'a status inquiry fails if a required field of the response is missing, invalid or ambiguous: %j',
    async fields => {
      reply(200, success({ ...known, fee_customer: 0, ...fields }))
      expect(await kindOf(tripay.inquire(account(), inquiry()))).toBe('unknown')
    },
  )
})
