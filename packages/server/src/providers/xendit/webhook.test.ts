import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Received, receive } from '../../../test/support/receive-callback.ts'
import { UnreadableError } from '../lenient-fields.ts'
import type { CallbackUpdate } from '../provider.ts'
import { updateOf } from './webhook.ts'
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
const told = (event: string, data: object): CallbackUpdate | string =>
  updateOf({ event, business_id: 'b', created: '2026-11-20T03:05:01Z', api_version: 'v3', data })
const capture = (fields: object) => told('payment.capture', { ...payment, ...fields })

describe('payments in Xendit webhooks', () => {
  test("a payment's amount is the sum of its captures, and its time is the last capture's time", () => {
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

  test('a capture that a webhook lists twice counts once', () => {
    const first = { capture_id: 'cptr-1', capture_amount: 60_000 }
    const second = { capture_id: 'cptr-2', capture_amount: 60_000 }
    const amountOf = (captures: object[]) =>
      (capture({ captures }) as { fact: { amountPaid: bigint } }).fact.amountPaid
    expect(amountOf([first, { ...first }])).toBe(6_000_000n)
    expect(amountOf([first, second, first])).toBe(12_000_000n)
    expect(amountOf([{ capture_amount: 60_000 }, { capture_amount: 60_000 }])).toBe(12_000_000n)
  })

  test.each([undefined, null, []])(
    'if a payment has no captures (%j), the requested amount counts as paid',
    captures => {
      for (const request_amount of [100_000, '100000', '100000.00'])
        expect(capture({ captures, request_amount, updated: '2026-11-20T03:06:00Z' })).toMatchObject({
          fact: { type: 'paid', amountPaid: 10_000_000n, paidAt: new Date('2026-11-20T03:06:00Z') },
        })
    },
  )

  test.each<[unknown, unknown, string | undefined]>([
    [' 2026-11-20T03:06:00Z ', '2026-11-20T03:07:00Z', '2026-11-20T03:06:00Z'],
    [['2026-11-20T03:06:00Z'], ' 2026-11-20T03:07:00Z', '2026-11-20T03:07:00Z'],
    [1_795_143_960, ['2026-11-20T03:07:00Z'], undefined],
  ])(
    'a payment with the capture time %j and the update time %j has the payment time %s',
    (capture_timestamp, updated, at) => {
      const captured = capture({ captures: [{ capture_amount: 100_000, capture_timestamp }], updated })
      const { fact } = captured as { fact: { paidAt?: Date } }
      expect(fact.paidAt).toEqual(at && new Date(at))
    },
  )

  const sameCapture = (capture_amount: unknown) => ({ capture_id: 'cptr-1', capture_amount })
  test.each<[string, object]>([
    ['one capture cannot be read', { captures: [{ capture_amount: 60_000 }, { capture_amount: 'x' }] }],
    ['a capture is listed with two amounts', { captures: [sameCapture(60_000), sameCapture(50_000)] }],
    ['the amount of a repeated capture cannot be read', { captures: [sameCapture(1), sameCapture('x')] }],
    ['captures are not a list', { captures: 'cptr-1' }],
    ['there is no amount', { request_amount: undefined }],
    ['the amount has a fraction of a cent', { request_amount: 0.1 + 0.2 }],
    ['the amount is negative', { request_amount: -100_000 }],
    ['no currency is named', { currency: null }],
    ['the status is unknown', { status: 'MELTED' }],
  ])(
    'a payment webhook is rejected as unreadable, instead of its contents being guessed, if %s',
    (_, fields) => {
      expect(() => capture(fields)).toThrow(UnreadableError)
    },
  )

  test.each([{ currency: 'USD' }, { currency: 'idr' }, { request_amount: 0 }])(
    'a payment webhook with %j reports no payment, so no money is credited',
    it => {
      expect(capture(it)).toMatchObject({
        fact: { type: 'nothing', reason: expect.stringContaining('paid') },
      })
    },
  )

  test('a payment webhook from Xendit is accepted even if an optional field has an invalid value', () => {
    const odd = {
      channel_code: 7,
      failure_code: {},
      updated: 5,
      captures: [{ capture_amount: 1, capture_timestamp: 9 }],
    }
    expect(capture(odd)).toMatchObject({ fact: { type: 'paid', amountPaid: 100n } })
  })

  test('a payment from a sender who could not be verified is challenged', () => {
    const verified = (result: unknown) => ({
      payment_details: { verification_result: { sender_verification: { result } } },
    })
    expect(capture(verified('UNKNOWN'))).toMatchObject({
      fact: { type: 'challenged', claim: { amountPaid: 10_000_000n, receipt: expect.any(String) } },
    })
    expect(capture(verified('SENDER_MATCHED'))).toMatchObject({ fact: { type: 'paid' } })
  })

  test.each([{ currency: 'USD' }, { captures: [{ capture_amount: 'many' }] }])(
    "a payment whose sender could not be verified is challenged (held for a decision), even if the payment's amount cannot be read: %j",
    unusable => {
      const payment_details = { verification_result: { sender_verification: { result: 'UNKNOWN' } } }
      expect(capture({ payment_details, ...unusable })).toMatchObject({
        fact: { type: 'challenged', reason: 'the sender could not be verified' },
      })
      expect(capture({ payment_details, ...unusable })).not.toHaveProperty('fact.claim')
    },
  )

  test.each([
    ['payment.failure', 'SUCCEEDED'],
    ['payment.expiry', 'SUCCEEDED'],
    ['payment.authorization', 'SUCCEEDED'],
    ['payment.capture', 'FAILED'],
    ['payment.expiry', 'EXPIRED'],
    ['payment.failure', 'CANCELED'],
  ])(
    'a webhook with the event %s and the status %s does not change the order, so a status inquiry follows',
    (event, status) => {
      for (const channel_code of ['OVO', 'DANA'])
        expect(told(event, { ...payment, channel_code, status })).toMatchObject({
          fact: { type: 'unproven' },
        })
    },
  )

  test.each(['DANA', 'QRIS', 'BCA_VIRTUAL_ACCOUNT', 'SHOPEEPAY', undefined])(
    'a failed payment through %s does not close the order, because the payer may try again',
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
  ])('a webhook with the event %s and status %s is read as %s', (event, status, type) => {
    expect(told(event, { ...payment, status })).toMatchObject({ fact: { type } })
  })
})

describe('the Xendit adapter reads payments in webhooks from the API before v3', () => {
  const older = {
    id: 'py-1',
    payment_request_id: 'pr-1',
    reference_id: 'GP261120-7Q4M2ZK8XW',
    status: 'SUCCEEDED',
    currency: 'IDR',
    amount: 100_000,
  }
  test("a payment's receipt id is also found in webhooks from the API before v3", () => {
    expect(told('payment.succeeded', older)).toMatchObject({
      providerPaymentId: 'pr-1',
      fact: { type: 'paid', amountPaid: 10_000_000n, receipt: 'py-1' },
    })
    expect(told('payment.succeeded', { ...older, payment_request_id: null })).toMatchObject({
      providerPaymentId: 'py-1',
    })
  })

  test.each([
    { id: null },
    { payment_request_id: {} },
    { reference_id: {} },
    { status: null },
    { currency: 360 },
  ])('a webhook with the malformed field %j is unreadable', field => {
    expect(() => told('payment.succeeded', { ...older, ...field })).toThrow(UnreadableError)
  })

  test('if a webhook from the API before v3 reports a failed payment, a status inquiry must confirm the failure', () => {
    expect(told('payment.failed', { ...older, status: 'FAILED' })).toMatchObject({
      fact: { type: 'unproven' },
    })
  })
})

describe('payment requests in Xendit webhooks', () => {
  const request = {
    payment_request_id: 'pr-1',
    reference_id: 'GP261120-7Q4M2ZK8XW',
    status: 'EXPIRED',
    currency: 'IDR',
    request_amount: 100_000,
  }
  test.each(['payment_request.expiry', 'payment_request.expired'])(
    'the event %s reports that a payment request has expired',
    event => {
      expect(told(event, request)).toMatchObject({ providerPaymentId: 'pr-1', fact: { type: 'expired' } })
    },
  )

  test.each(['SUCCEEDED', 'REQUIRES_ACTION', 'FAILED', 'CANCELED'])(
    'an expiry webhook about a payment request with the status %s does not prove an expiry, so a status inquiry follows',
    status => {
      expect(told('payment_request.expiry', { ...request, status })).toMatchObject({
        fact: { type: 'unproven' },
      })
    },
  )
})

test.each(['payment_token.activation', 'payout.succeeded', 'v3_payout.failed', 'recurring.cycle.created'])(
  'the Xendit webhook event %s is not about a payment',
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
  ['an event that is not text', { event: null, data: payment }],
  ['no data', { event: 'payment.capture', data: null }],
  ['an empty message', null],
])('a Xendit webhook with %s is unreadable', (_, message) => {
  expect(() => updateOf(message)).toThrow(UnreadableError)
})

test.each([null, undefined, ' '])(
  'if a webhook has no reference (%j), its payment is found by the id of its payment request',
  reference_id => {
    expect(capture({ reference_id })).toMatchObject({
      reference: null,
      providerPaymentId: 'pr-1',
      fact: { type: 'paid', amountPaid: 10_000_000n },
    })
  },
)

describe('the Xendit adapter rejects webhooks with a wrong callback token', () => {
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
  const updatesIn = (reading: Received) => (reading.verified && 'updates' in reading ? reading.updates : [])

  test('a Xendit webhook is acknowledged only if its callback token is correct', () => {
    expect(called({ 'x-callback-token': callback_token })).toMatchObject({
      verified: true,
      updates: [{ fact: { type: 'paid' } }],
      acknowledgement: { contentType: 'application/json', body: '{"status":"ok"}' },
    })
  })

  test('a webhook is rejected if a byte in its callback token is changed, missing or added', () => {
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
    'a webhook with the right token and the body %j is verified but unreadable',
    body => {
      expect(called({ 'x-callback-token': callback_token }, body)).toMatchObject({
        verified: true,
        unreadable: { refusal: { status: 500 } },
      })
    },
  )

  test('the database can store every text that the adapter reads from a webhook', () => {
    const fields = Object.keys(payment)
    const text = fc.constantFrom('a\0b', '\ud83d', '\ude00a', 'a\nb')
    fc.assert(
      fc.property(fc.constantFrom(...fields), text, (field, value) => {
        const reading = called(
          { 'x-callback-token': callback_token },
          { event: 'payment.capture', data: { ...payment, [field]: value } },
        )
        const said = updatesIn(reading).flatMap(each => [...Object.values(each), ...Object.values(each.fact)])
        const texts = said.filter(each => typeof each === 'string')
        expect(texts.filter(each => each.includes('\0') || !each.isWellFormed())).toEqual([])
      }),
    )
  })
})
