import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aCharge } from '../../../test/support/charge.ts'
import { receive } from '../../../test/support/receive-callback.ts'
import type { MethodDetail } from '../../payments/method.ts'
import { centsOf } from '../../values/money.ts'
import type { CallbackRequest, CallbackUpdate } from '../provider.ts'
import { methods } from './channels.ts'
import { transaction } from './messages.ts'
import { timeOf, toAccepted, toCreateRequest } from './translate.ts'
import { tripay } from './tripay.ts'

const keys = { api_key: 'DEV-key', private_key: 'private', merchant_code: 'T0001' }
const detailOf = (type: string, code: string): MethodDetail => {
  switch (type) {
    case 'virtual_account':
      return { type, bank: code }
    case 'e_wallet':
      return { type, wallet_type: code }
    case 'over_the_counter':
      return { type, store: code }
    default:
      return { type: 'qris' }
  }
}
const offered = methods.flatMap(({ type, channels }) =>
  channels.map(({ code, limits }) => ({ type, code, limits })),
)

describe('create requests to Tripay', () => {
  test('for every channel, a create request contains the channel code that Tripay documents', () => {
    const codes = offered.map(({ type, code }) =>
      toCreateRequest(aCharge({ channel: code, methodDetail: detailOf(type, code) }), keys),
    )
    expect(codes.map(({ method }) => method).toSorted()).toEqual(
      [
        ...['BCAVA', 'BNIVA', 'BRIVA', 'MANDIRIVA', 'PERMATAVA', 'CIMBVA', 'DANAMONVA', 'OCBCVA', 'BSIVA'],
        ...['MUAMALATVA', 'OTHERBANKVA', 'QRIS', 'OVO', 'DANA', 'SHOPEEPAY', 'ALFAMART', 'INDOMARET'],
        'ALFAMIDI',
      ].toSorted(),
    )
  })

  test.each(offered)(
    'a create request for $code sets an expiry that is within the channel’s limit and not shorter than the expiry of the payment',
    ({ type, code, limits }) => {
      for (const expiryMinutes of [limits.minExpiryMinutes, limits.maxExpiryMinutes]) {
        const { expired_time } = toCreateRequest(
          aCharge({ channel: code, methodDetail: detailOf(type, code), expiryMinutes }),
          keys,
        )
        const minutes = (expired_time - Math.floor(Date.parse('2026-11-20T03:04:05.678Z') / 1000)) / 60
        expect(minutes).toBeLessThanOrEqual(limits.maxExpiryMinutes)
        expect(minutes).toBeGreaterThanOrEqual(expiryMinutes)
        // The expiry sent to Tripay is slightly later than the payment's expiry. Otherwise, the remaining
        // time could be below the channel's minimum when Tripay checks the request.
        if (expiryMinutes < limits.maxExpiryMinutes) expect(minutes).toBeGreaterThan(limits.minExpiryMinutes)
      }
    },
  )

  test('an amount that includes a fraction of a rupiah is rejected before a create request is sent', () => {
    expect(() => toCreateRequest(aCharge({ amount: 10_000_050n }), keys)).toThrow(RangeError)
  })

  test('if the customer is unknown, a create request contains a placeholder customer, because Tripay requires one', () => {
    const request = toCreateRequest(aCharge({ customer: { name: '', email: '', phone: '' } }), keys)
    expect(request).toMatchObject({ customer_name: 'Customer', customer_email: 'customer@example.com' })
    expect(request).not.toHaveProperty('customer_phone')
  })

  const book = { id: 'sku-1', name: 'Book', price: 5_000_000, quantity: 2 }
  test('a create request lists items that add up to the amount, with prices in rupiah and truncated names', () => {
    const items = [{ ...book, id: 'i'.repeat(60), name: `${'n'.repeat(99)}😀` }]
    expect(toCreateRequest(aCharge({ items }), keys).order_items).toEqual([
      { sku: 'i'.repeat(50), name: `${'n'.repeat(99)}�`, price: 50_000, quantity: 2 },
    ])
  })

  test.each([
    ['there are none', []],
    ['they do not add up to the amount', [{ ...book, quantity: 3 }]],
    ['a price has a fraction of a rupiah', [{ ...book, price: 50, quantity: 200_000 }]],
    ['a price is zero', [book, { ...book, price: 0 }]],
  ])('a create request has one item for the whole order if %s', (_, items) => {
    expect(toCreateRequest(aCharge({ items }), keys).order_items).toEqual([
      { name: 'Order GP261120-7Q4M2ZK8XW', price: 100_000, quantity: 1 },
    ])
  })
})

test.each<[MethodDetail, object]>([
  [
    { type: 'virtual_account', bank: 'BCA' },
    { qr_string: '000201', pay_url: 'https://x/pay' },
  ],
  [{ type: 'qris' }, { pay_code: '45649878666155' }],
  [
    { type: 'e_wallet', wallet_type: 'DANA' },
    { pay_code: '45649878666155', pay_url: '' },
  ],
  [
    { type: 'over_the_counter', store: 'ALFAMIDI' },
    { pay_code: null, qr_string: '000201' },
  ],
])(
  'for a payment by %j, a response that contains only the fields %j causes an error, because it has no payment instructions',
  (methodDetail, fields) => {
    const known = { reference: 'T1', merchant_ref: 'GP261120-7Q4M2ZK8XW', amount: 100_000, status: 'UNPAID' }
    const answer = transaction.parse({ ...known, ...fields })
    expect(() => toAccepted(answer, aCharge({ methodDetail }))).toThrow(
      'accepted without payment instructions',
    )
  },
)

const message = {
  reference: 'T0001000023000XXXXX',
  merchant_ref: 'GP261120-7Q4M2ZK8XW',
  total_amount: 104_250,
  fee_merchant: 0,
  fee_customer: 4_250,
  total_fee: 4_250,
  amount_received: 100_000,
  is_closed_payment: 1,
  status: 'PAID',
  paid_at: 1_608_133_017,
}
const account = { id: 'a', mode: 'test', credentials: keys, baseUrl: null } as const
const signed = (body: Buffer, headers: Record<string, string> = {}): CallbackRequest => ({
  path: '/v1/callbacks/tripay/a',
  headers: {
    'x-callback-event': 'payment_status',
    'x-callback-signature': createHmac('sha256', keys.private_key).update(body).digest('hex'),
    ...headers,
  },
  body,
  receivedAt: new Date('2026-11-20T03:05:00Z'),
})
const called = (fields: object, headers?: Record<string, string>) =>
  receive(tripay, account, signed(Buffer.from(JSON.stringify({ ...message, ...fields })), headers))
const updatesOf = (reading: ReturnType<typeof called>): CallbackUpdate[] =>
  reading.verified && 'updates' in reading ? reading.updates : []

const refusal = { status: 500, contentType: 'application/json', body: '{"success":false}' }

describe('callbacks from Tripay', () => {
  test('a callback that starts with a byte order mark is parsed, and its signature covers the mark', () => {
    const marked = Buffer.from(`\ufeff${JSON.stringify(message)}`)
    expect(receive(tripay, account, signed(marked))).toEqual(called({}))
  })

  test("a callback about a paid payment reports the requested amount without the payer's fee", () => {
    expect(updatesOf(called({}))).toEqual([
      {
        reference: 'GP261120-7Q4M2ZK8XW',
        providerPaymentId: 'T0001000023000XXXXX',
        fact: {
          type: 'paid',
          amountPaid: 10_000_000n,
          receipt: 'T0001000023000XXXXX',
          paidAt: new Date('2020-12-16T15:36:57Z'),
        },
      },
    ])
  })

  test.each<[string, object, object]>([
    ['a zero amount', { total_amount: 0, fee_customer: 0 }, { type: 'nothing' }],
    ['another currency', { currency: 'USD' }, { type: 'nothing', reason: 'currency USD' }],
    ['the currency IDR', { currency: ' IDR ' }, { type: 'paid', amountPaid: 10_000_000n }],
    [
      'an open payment, whose code accepts any amount',
      { is_closed_payment: 0 },
      {
        ...{ type: 'unproven', claimsPayment: true },
        ifUnmatched: { type: 'paid', amountPaid: 10_000_000n, receipt: 'T0001000023000XXXXX' },
      },
    ],
    [
      'an open payment that has expired',
      { is_closed_payment: 0, status: 'EXPIRED' },
      { type: 'unproven', reason: 'a callback of an open payment' },
    ],
    ['an open payment, as false', { is_closed_payment: false }, { type: 'unproven' }],
    ['a closed payment, as true', { is_closed_payment: true }, { type: 'paid', amountPaid: 10_000_000n }],
    ['a closed payment, as text', { is_closed_payment: '1' }, { type: 'paid', amountPaid: 10_000_000n }],
    ['an open payment, as text', { is_closed_payment: ' 0' }, { type: 'unproven' }],
    ['no field is_closed_payment', { is_closed_payment: undefined }, { type: 'paid' }],
    ['an order not paid yet', { status: 'UNPAID' }, { type: 'pending' }],
    ['a failure', { status: 'FAILED' }, { type: 'failed' }],
    ['a refund', { status: 'REFUND' }, { type: 'nothing' }],
    [
      "the payer's fee only in the total fees",
      { fee_customer: null },
      { type: 'paid', amountPaid: 10_000_000n },
    ],
    [
      'amounts as padded text',
      { total_amount: ' 104250', fee_customer: '4250.00 ' },
      { type: 'paid', amountPaid: 10_000_000n },
    ],
    ['an invalid time', { paid_at: {} }, { type: 'paid', amountPaid: 10_000_000n }],
  ])('a callback with %s reports the documented payment outcome', (_, fields, fact) => {
    expect(updatesOf(called(fields))).toMatchObject([{ fact }])
  })

  test.each<[string, object]>([
    ['a reference that is not text', { merchant_ref: {} }],
    ['a reference that cannot be stored', { merchant_ref: 'a\0b' }],
    ['an id that cannot be stored', { reference: 'T\ud83d' }],
    ['an id too large to be exact', { reference: 2 ** 60 }],
    ['no status', { status: null }],
    ['an unknown status', { status: 'MELTED' }],
    ['a fee above the amount', { fee_customer: 200_000 }],
    ['an invalid amount', { total_amount: '1e5' }],
    ['an invalid fee', { fee_customer: {} }],
    ['no fee', { fee_customer: null, total_fee: null }],
    ['a currency that is not text', { currency: 0 }],
  ])('a callback with %s is unreadable', (_, fields) => {
    expect(called(fields)).toMatchObject({ verified: true, unreadable: { refusal } })
  })

  test.each(['payment_refund', 'PAYMENT_STATUS'])(
    'a callback of the unknown event %j is unreadable',
    event => {
      const reason = `X-Callback-Event ${event} is unknown`
      const candidates = ['GP261120-7Q4M2ZK8XW', 'T0001000023000XXXXX']
      expect(called({}, { 'x-callback-event': event })).toMatchObject({
        verified: true,
        unreadable: { reason, candidates, refusal },
      })
    },
  )

  test.each([null, undefined, '', '  '])(
    "if a callback does not contain our reference (merchant_ref %j), the payment is found by Tripay's ID",
    merchant_ref => {
      expect(called({ merchant_ref })).toMatchObject({
        updates: [{ reference: null, providerPaymentId: 'T0001000023000XXXXX', fact: { type: 'paid' } }],
      })
    },
  )

  test('a callback without the X-Callback-Event header is read as a payment_status event', () => {
    expect(called({}, { 'x-callback-event': '' })).toEqual(called({}))
  })

  test('a callback is acknowledged with the JSON Tripay expects', () => {
    expect(called({})).toMatchObject({
      acknowledgement: { contentType: 'application/json', body: '{"success":true}' },
    })
  })

  test.each<[string, Record<string, string>]>([
    ['without a signature', { 'x-callback-signature': '' }],
    [
      'with its signature in capitals',
      {
        'x-callback-signature': createHmac('sha256', keys.private_key)
          .update(JSON.stringify(message))
          .digest('hex')
          .toUpperCase(),
      },
    ],
  ])('a callback %s is rejected', (_, headers) => {
    expect(called({}, headers)).toMatchObject({ verified: false })
  })

  test("a callback's signature is verified over the exact bytes of the body, including whitespace", () => {
    const body = Buffer.from(JSON.stringify(message, null, 4))
    expect(receive(tripay, account, signed(body))).toMatchObject({ verified: true })
    const { headers } = signed(body)
    const compact = { ...signed(Buffer.from(JSON.stringify(message))), headers }
    expect(receive(tripay, account, compact)).toMatchObject({ verified: false })
  })

  test('a Tripay callback is rejected if any byte was changed', () => {
    const genuine = signed(Buffer.from(JSON.stringify(message)))
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: genuine.body.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, mask) => {
          const body = Buffer.from(genuine.body)
          body.writeUInt8(body.readUInt8(at) ^ mask, at)
          expect(receive(tripay, account, { ...genuine, body }).verified).toBe(false)
        },
      ),
    )
  })

  test('the amount in a callback is read without rounding', () => {
    const rupiah = fc.integer({ min: 1, max: 1_000_000_000_000 })
    fc.assert(
      fc.property(rupiah, fc.integer({ min: 0, max: 100_000 }), (amount, fee_customer) => {
        expect(updatesOf(called({ total_amount: amount + fee_customer, fee_customer }))).toMatchObject([
          { fact: { type: 'paid', amountPaid: BigInt(amount) * 100n } },
        ])
      }),
    )
  })
})

test.each([
  [100_000, 10_000_000n],
  ['100000', 10_000_000n],
  [1.5, undefined],
  [-1, undefined],
  [1e21, undefined],
  [Number.NaN, undefined],
  [' 1', undefined],
  [null, undefined],
  [true, undefined],
])('an amount of %j in a Tripay message is read as %s cents', (amount, cents) => {
  expect(centsOf(amount)).toBe(cents)
})

test.each(['', '-1', '1e9', '12345678901234', '1608133017.5'])(
  'the invalid time %j in a Tripay message is ignored',
  text => {
    expect(timeOf(text)).toBeUndefined()
  },
)
