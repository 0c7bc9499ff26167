import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Received, receive } from '../../../test/support/receive.ts'
import { UnreadableError } from '../lenient.ts'
import type { CallbackReport } from '../provider.ts'
import { reportOf } from './webhook.ts'
import { xendit } from './xendit.ts'

const payment = {
  payment_id: 'py-1',
  payment_request_id: 'pr-1',
  reference_id: 'GP261120-7Q4M2ZK8XW',
  status: 'SUCCEEDED',
  currency: 'IDR',
  channel_code: 'BCA_VIRTUAL_ACCOUNT',
  request_amount: 100_000,
}
const told = (event: string, data: object): CallbackReport | string =>
  reportOf({ event, business_id: 'b', created: '2026-11-20T03:05:01Z', api_version: 'v3', data })
const capture = (fields: object) => told('payment.capture', { ...payment, ...fields })

describe('a payment', () => {
  test('brings the sum of its captures, at the time of the last', () => {
    const captures = [
      { capture_amount: 60_000, capture_timestamp: '2026-11-20T03:05:00Z' },
      { capture_amount: '40000', capture_timestamp: '2026-11-20T03:06:00Z' },
    ]
    expect(capture({ captures, request_amount: 1 })).toEqual({
      reference: 'GP261120-7Q4M2ZK8XW',
      providerPaymentId: 'pr-1',
      fact: {
        type: 'paid',
        amountPaid: 10_000_000n,
        paidAt: new Date('2026-11-20T03:06:00Z'),
        receipt: 'py-1',
      },
    })
  })

  test.each([undefined, null, []])('without captures (%j) brings the amount asked for', captures => {
    for (const request_amount of [100_000, '100000', '100000.00'])
      expect(capture({ captures, request_amount, updated: '2026-11-20T03:06:00Z' })).toMatchObject({
        fact: { type: 'paid', amountPaid: 10_000_000n, paidAt: new Date('2026-11-20T03:06:00Z') },
      })
  })

  test.each<[string, object]>([
    ['one capture cannot be read', { captures: [{ capture_amount: 60_000 }, { capture_amount: 'x' }] }],
    ['captures are no list', { captures: 'cptr-1' }],
    ['there is no amount at all', { request_amount: undefined }],
    ['the amount is no whole cents', { request_amount: 0.1 + 0.2 }],
    ['the amount is negative', { request_amount: -100_000 }],
    ['no currency is named', { currency: null }],
    ['the status is unknown', { status: 'MELTED' }],
  ])('is unreadable where %s, rather than guessed', (_, fields) => {
    expect(() => capture(fields)).toThrow(UnreadableError)
  })

  test.each([{ currency: 'USD' }, { currency: 'idr' }, { request_amount: 0 }])(
    'with %j credits nothing',
    it => {
      expect(capture(it)).toMatchObject({
        fact: { type: 'nothing', reason: expect.stringContaining('paid') },
      })
    },
  )

  test('is not lost for a field of an unexpected shape that nobody needs', () => {
    const odd = {
      channel_code: 7,
      failure_code: {},
      updated: 5,
      captures: [{ capture_amount: 1, capture_timestamp: 9 }],
    }
    expect(capture(odd)).toMatchObject({ fact: { type: 'paid', amountPaid: 100n } })
  })

  test('of a sender who could not be verified is for a person to decide', () => {
    const verified = (result: unknown) => ({
      payment_details: { verification_result: { sender_verification: { result } } },
    })
    expect(capture(verified('UNKNOWN'))).toMatchObject({ fact: { type: 'challenged' } })
    expect(capture(verified('SENDER_MATCHED'))).toMatchObject({ fact: { type: 'paid' } })
  })

  test.each([
    ['payment.failure', 'SUCCEEDED'],
    ['payment.expiry', 'SUCCEEDED'],
    ['payment.authorization', 'SUCCEEDED'],
    ['payment.capture', 'FAILED'],
    ['payment.expiry', 'EXPIRED'],
    ['payment.failure', 'CANCELED'],
  ])('%s with status %s proves nothing', (event, status) => {
    for (const channel_code of ['OVO', 'DANA'])
      expect(told(event, { ...payment, channel_code, status })).toMatchObject({ fact: { type: 'unproven' } })
  })

  test.each(['DANA', 'QRIS', 'BCA_VIRTUAL_ACCOUNT', 'SHOPEEPAY', undefined])(
    'that failed by %s does not end an order that may still be paid',
    channel_code => {
      const failed = { ...payment, channel_code, status: 'FAILED', failure_code: 'USER_DECLINED_PAYMENT' }
      expect(told('payment.failure', failed)).toMatchObject({
        fact: { type: 'unproven', reason: expect.stringContaining('USER_DECLINED_PAYMENT') },
      })
    },
  )

  test.each([
    ['payment.authorization', 'AUTHORIZED', 'pending'],
    ['payment.pending', 'PENDING', 'pending'],
  ])('%s with status %s is %s', (event, status, type) => {
    expect(told(event, { ...payment, status })).toMatchObject({ fact: { type } })
  })
})

describe('a payment of the API before v3', () => {
  const older = {
    id: 'py-1',
    payment_request_id: 'pr-1',
    reference_id: 'GP261120-7Q4M2ZK8XW',
    status: 'SUCCEEDED',
    currency: 'IDR',
    amount: 100_000,
  }
  test('has the id of its arrival under another name', () => {
    expect(told('payment.succeeded', older)).toMatchObject({
      providerPaymentId: 'pr-1',
      fact: { type: 'paid', amountPaid: 10_000_000n, receipt: 'py-1' },
    })
    expect(told('payment.succeeded', { ...older, payment_request_id: null })).toMatchObject({
      providerPaymentId: 'py-1',
    })
  })

  test('that failed is asked about', () => {
    expect(told('payment.failed', { ...older, status: 'FAILED' })).toMatchObject({
      fact: { type: 'unproven' },
    })
  })
})

describe('a payment request', () => {
  const request = {
    payment_request_id: 'pr-1',
    reference_id: 'GP261120-7Q4M2ZK8XW',
    status: 'EXPIRED',
    currency: 'IDR',
    request_amount: 100_000,
  }
  test.each(['payment_request.expiry', 'payment_request.expired'])('is over by %s', event => {
    expect(told(event, request)).toMatchObject({ providerPaymentId: 'pr-1', fact: { type: 'expired' } })
  })

  test.each(['SUCCEEDED', 'REQUIRES_ACTION', 'FAILED', 'CANCELED'])(
    'said to expire while it is %s proves nothing',
    status => {
      expect(told('payment_request.expiry', { ...request, status })).toMatchObject({
        fact: { type: 'unproven' },
      })
    },
  )
})

describe('an older product', () => {
  const charge = {
    id: 'ewc_1',
    reference_id: 'GP261120-7Q4M2ZK8XW',
    status: 'SUCCEEDED',
    currency: 'IDR',
    charge_amount: 100_000,
    capture_amount: 90_000,
    updated: '2026-11-20T03:06:00Z',
  }
  const qr = {
    id: 'qrpy_1',
    qr_id: 'qr_1',
    reference_id: 'GP261120-7Q4M2ZK8XW',
    status: 'SUCCEEDED',
    currency: 'IDR',
    amount: 100_000,
    created: '2026-11-20T03:06:00Z',
  }
  const flatQr = {
    event: 'qr.payment',
    id: 'qrpy_1',
    qr_code: { id: 'qr_1', external_id: 'GP261120-7Q4M2ZK8XW' },
    status: 'COMPLETED',
    amount: 100_000,
    created: '2026-11-20T03:06:00Z',
  }
  const accountPaid = {
    callback_virtual_account_id: 'va_1',
    payment_id: 'p-1',
    external_id: 'GP261120-7Q4M2ZK8XW',
    amount: 100_000,
    transaction_timestamp: '2026-11-20T03:06:00.000Z',
  }
  const storePaid = {
    fixed_payment_code_id: 'fpc_1',
    payment_id: 'p-1',
    external_id: 'GP261120-7Q4M2ZK8XW',
    retail_outlet_name: 'ALFAMART',
    status: 'COMPLETED',
    amount: 100_000,
    transaction_timestamp: '2026-11-20T03:06:00.000Z',
  }
  const paidAt = new Date('2026-11-20T03:06:00Z')
  test.each<[string, unknown, string, object]>([
    [
      'a wallet, by what was captured',
      { event: 'ewallet.capture', data: charge },
      'ewc_1',
      { type: 'paid', amountPaid: 9_000_000n, receipt: 'ewc_1', paidAt },
    ],
    [
      'a wallet, without a capture by what was charged',
      { event: 'ewallet.capture', data: { ...charge, capture_amount: null } },
      'ewc_1',
      { type: 'paid', amountPaid: 10_000_000n, receipt: 'ewc_1', paidAt },
    ],
    [
      'a QR code',
      { event: 'qr.payment', data: qr },
      'qr_1',
      { type: 'paid', amountPaid: 10_000_000n, receipt: 'qrpy_1', paidAt },
    ],
    [
      'a QR code, in the flat form',
      flatQr,
      'qr_1',
      { type: 'paid', amountPaid: 10_000_000n, receipt: 'qrpy_1', paidAt },
    ],
    [
      'a fixed virtual account',
      accountPaid,
      'va_1',
      { type: 'paid', amountPaid: 10_000_000n, receipt: 'p-1', paidAt },
    ],
    [
      'a fixed payment code',
      storePaid,
      'fpc_1',
      { type: 'paid', amountPaid: 10_000_000n, receipt: 'p-1', paidAt },
    ],
  ])('is paid by %s', (_, message, providerPaymentId, fact) => {
    expect(reportOf(message)).toEqual({ reference: 'GP261120-7Q4M2ZK8XW', providerPaymentId, fact })
  })

  test.each<[string, object]>([
    ['a QR code, in the flat form', flatQr],
    ['a fixed virtual account', accountPaid],
    ['a fixed payment code', storePaid],
  ])('is rupiah by %s only where no currency is named', (_, message) => {
    const withCurrency = (currency: unknown) => reportOf({ ...message, currency })
    for (const rupiah of ['IDR', ' IDR ', '', null])
      expect(withCurrency(rupiah)).toMatchObject({ fact: { type: 'paid' } })
    expect(withCurrency('USD')).toMatchObject({ fact: { type: 'nothing' } })
    for (const odd of [0, {}, ['IDR']]) expect(() => withCurrency(odd)).toThrow(UnreadableError)
  })

  test.each<[string, unknown, object]>([
    [
      'a capture that failed',
      { event: 'ewallet.capture', data: { ...charge, status: 'FAILED', failure_code: 'USER_DECLINED' } },
      { type: 'failed', reason: 'USER_DECLINED' },
    ],
    [
      'a pending capture',
      { event: 'ewallet.capture', data: { ...charge, status: 'PENDING' } },
      { type: 'pending' },
    ],
    [
      'a void, after which what was paid stays paid',
      { event: 'ewallet.void', data: { ...charge, status: 'VOIDED' } },
      { type: 'nothing' },
    ],
    ['a void that claims success', { event: 'ewallet.void', data: charge }, { type: 'unproven' }],
    ['a QR code not paid', { event: 'qr.payment', data: { ...qr, status: 'FAILED' } }, { type: 'nothing' }],
    ['a flat QR code in doubt', { ...flatQr, status: 'INACTIVE' }, { type: 'unproven' }],
    ['a store that is settling', { ...storePaid, status: 'SETTLING' }, { type: 'unproven' }],
    ['dollars', { ...accountPaid, currency: 'USD' }, { type: 'nothing' }],
  ])('with %s is not paid', (_, message, fact) => {
    expect(reportOf(message)).toMatchObject({ fact })
  })

  test('that only created a virtual account reports no payment', () => {
    const { callback_virtual_account_id: id, payment_id: _, ...made } = accountPaid
    const account = { ...made, id, account_number: '8808', status: 'ACTIVE', is_closed: true }
    expect(reportOf(account)).toBe('a fixed virtual account was created')
    expect(() => reportOf({ ...account, callback_virtual_account_id: null })).toThrow(UnreadableError)
  })
})

test.each(['payment_token.activation', 'payout.succeeded', 'v3_payout.failed', 'recurring.cycle.created'])(
  'the event %s concerns no payment',
  event => {
    expect(told(event, payment)).toBe(`event ${event}`)
  },
)

test.each<[string, unknown]>([
  [
    'a reference that cannot be stored',
    { event: 'payment.capture', data: { ...payment, reference_id: 'a\0' } },
  ],
  ['an id that cannot be stored', { event: 'payment.capture', data: { ...payment, payment_id: 'p\ud83d' } }],
  ['an unknown event', { event: 'payment.melted', data: payment }],
  ['an event that is no text', { event: null, data: payment }],
  ['no data', { event: 'payment.capture', data: null }],
  ['nothing', null],
])('a message with %s is unreadable', (_, message) => {
  expect(() => reportOf(message)).toThrow(UnreadableError)
})

test.each([null, undefined, ' '])(
  'a payment without a reference (%j) is found by its request',
  reference_id => {
    expect(capture({ reference_id })).toMatchObject({
      reference: null,
      providerPaymentId: 'pr-1',
      fact: { type: 'paid', amountPaid: 10_000_000n },
    })
  },
)

describe('the token', () => {
  const callback_token = 'xnd-callback-token-test-4f1c2a9b'
  const account = {
    id: 'a',
    mode: 'test',
    credentials: { secret_key: 'k', callback_token },
    baseUrl: null,
  } as const
  const called = (
    headers: Record<string, string>,
    body: unknown = { event: 'payment.capture', data: payment },
  ) =>
    receive(xendit, account, {
      path: '/v1/callbacks/xendit/a',
      headers,
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      receivedAt: new Date('2026-11-20T03:05:00Z'),
    })
  const reportsIn = (reading: Received) => (reading.verified && 'reports' in reading ? reading.reports : [])

  test('whole and exact lets a message in, and is acknowledged', () => {
    expect(called({ 'x-callback-token': callback_token })).toMatchObject({
      verified: true,
      reports: [{ fact: { type: 'paid' } }],
      acknowledgement: { contentType: 'application/json', body: '{"status":"ok"}' },
    })
  })

  test('of which one byte is another, or missing, or too many, lets nothing in', () => {
    const bytes = Buffer.from(callback_token)
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, mask) => {
          const forged = Buffer.from(bytes)
          forged.writeUInt8(forged.readUInt8(at) ^ mask, at)
          for (const token of [forged.toString('latin1'), callback_token.slice(0, at), `${callback_token} `])
            expect(called({ 'x-callback-token': token }).verified).toBe(false)
        },
      ),
    )
    expect(called({}).verified).toBe(false)
  })

  test.each(['', 'OK', 'null', '[]', '{}', '"paid"', '{"event":"payment.capture"}'])(
    'before %j lets in a message that is refused as unreadable',
    body => {
      expect(called({ 'x-callback-token': callback_token }, body)).toMatchObject({
        verified: true,
        unreadable: { refusal: { status: 500 } },
      })
    },
  )

  test('never lets text through that the database cannot hold', () => {
    const fields = Object.keys(payment)
    const text = fc.constantFrom('a\0b', '\ud83d', '\ude00a', 'a\nb')
    fc.assert(
      fc.property(fc.constantFrom(...fields), text, (field, value) => {
        const reading = called(
          { 'x-callback-token': callback_token },
          { event: 'payment.capture', data: { ...payment, [field]: value } },
        )
        const said = reportsIn(reading).flatMap(each => [...Object.values(each), ...Object.values(each.fact)])
        const texts = said.filter(each => typeof each === 'string')
        expect(texts.filter(each => each.includes('\0') || !each.isWellFormed())).toEqual([])
      }),
    )
  })
})
