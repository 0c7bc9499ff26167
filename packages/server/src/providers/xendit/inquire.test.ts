import { describe, expect, test } from 'vitest'
import {
  account,
  fake,
  has,
  ID,
  inquiry,
  keys,
  kindOf,
  known,
  PAYMENT_ID,
  paid,
  payable,
  REFERENCE,
  startFakeXendit,
} from '../../../test/support/fake-xendit.ts'
import { authorization } from './client.ts'
import { xendit } from './xendit.ts'

startFakeXendit()

describe('inquiries at Xendit', () => {
  test("a status inquiry uses the payment request's id if it is known", async () => {
    has(payable)
    expect(await xendit.inquire(account(), inquiry())).toEqual({
      reference: REFERENCE,
      providerPaymentId: ID,
      fact: { type: 'pending', methodData: { type: 'virtual_account', bank: 'BCA', va_number: '1' } },
    })
    expect(fake.received).toHaveLength(1)
    expect(fake.received[0]).toMatchObject({
      method: 'GET',
      url: `/v3/payment_requests/${ID}`,
      headers: { 'api-version': '2024-11-11', authorization: authorization(keys) },
    })
  })

  const listed = (list: unknown) => {
    fake.answer = (response, { url }) =>
      response.end(
        JSON.stringify(url.startsWith('/payment_requests?') ? { data: list, has_more: false } : payable),
      )
  }
  test.each([null, 'ewc_532as23lew2321id'])(
    'if API v3 of Xendit does not know the id %j, a status inquiry searches for the order by its reference',
    async providerPaymentId => {
      listed([
        { id: 'pr-9', reference_id: `${REFERENCE}-2` },
        { id: ID, reference_id: REFERENCE },
      ])
      expect(await xendit.inquire(account(), inquiry({ providerPaymentId }))).toMatchObject({
        reference: REFERENCE,
        providerPaymentId: ID,
        fact: { type: 'pending' },
      })
      expect(fake.received.map(({ url }) => url)).toEqual([
        `/payment_requests?reference_id=${REFERENCE}`,
        `/v3/payment_requests/${ID}`,
      ])
    },
  )

  test.each<[string, unknown]>([
    ['no order', []],
    ['only other orders', [{ id: 'pr-9', reference_id: 'X' }, { id: 'pr-8' }]],
    [
      'two orders with our reference',
      [
        { id: ID, reference_id: REFERENCE },
        { id: 'pr-9', reference_id: REFERENCE },
      ],
    ],
    ['our order with an id that is no text', [{ id: [ID], reference_id: REFERENCE }]],
    ['a text instead of orders', 'none'],
  ])(
    "if Xendit's list contains %s, a status inquiry is inconclusive, because our order may be missing from the list",
    async (_, list) => {
      listed(list)
      expect(await xendit.inquire(account(), inquiry({ providerPaymentId: null }))).toBe('not_reported')
    },
  )

  test('if Xendit does not find an order by ID, the status inquiry is inconclusive', async () => {
    has(undefined)
    expect(await xendit.inquire(account(), inquiry())).toBe('not_reported')
  })

  test('a status inquiry fails if the response is for a different order', async () => {
    has({ ...payable, reference_id: 'GP261120-0000000000' })
    expect(await kindOf(xendit.inquire(account(), inquiry()))).toBe('unknown')
    has({ ...payable, latest_payment_id: PAYMENT_ID }, { ...paid, payment_request_id: 'pr-9' })
    expect(await kindOf(xendit.inquire(account(), inquiry()))).toBe('unknown')
  })

  test('an inquiry about a paid payment reports the same receipt id as the webhook', async () => {
    has({ ...known, status: 'SUCCEEDED', latest_payment_id: PAYMENT_ID }, paid)
    expect(await xendit.inquire(account(), inquiry())).toMatchObject({
      fact: {
        type: 'paid',
        amountPaid: 10_000_000n,
        receipt: PAYMENT_ID,
        paidAt: new Date('2026-11-20T03:05:00.500Z'),
      },
    })
    expect(fake.received.map(({ url }) => url)).toContain(`/v3/payments/${PAYMENT_ID}`)
  })

  test.each(['EXPIRED', 'CANCELED', 'FAILED', 'REQUIRES_ACTION', 'ACCEPTING_PAYMENTS'])(
    'a status inquiry reports the money received for a payment request, even if the request has the status %s',
    async status => {
      has({ ...known, status, latest_payment_id: PAYMENT_ID }, paid)
      expect(await xendit.inquire(account(), inquiry())).toMatchObject({
        fact: { type: 'paid', amountPaid: 10_000_000n },
      })
    },
  )

  test('a status inquiry reports a payment as challenged, not as paid, if Xendit did not verify the sender', async () => {
    const payment_details = { verification_result: { sender_verification: { result: 'UNKNOWN' } } }
    has({ ...known, status: 'SUCCEEDED', latest_payment_id: PAYMENT_ID }, { ...paid, payment_details })
    expect(await xendit.inquire(account(), inquiry())).toMatchObject({ fact: { type: 'challenged' } })
  })

  test('a status inquiry fails if Xendit temporarily cannot return the payment', async () => {
    fake.answer = (response, { url }) =>
      url.startsWith('/v3/payments/')
        ? response.writeHead(500).end(JSON.stringify({ error_code: 'SERVER_ERROR' }))
        : response.end(JSON.stringify({ ...known, status: 'SUCCEEDED', latest_payment_id: PAYMENT_ID }))
    expect(await kindOf(xendit.inquire(account(), inquiry()))).toBe('unknown')
  })

  const failed = { ...paid, status: 'FAILED' }
  test.each<[string, object, object | undefined, object]>([
    [
      'a success whose payment is not found, so the amount of the request is used',
      { status: 'SUCCEEDED', latest_payment_id: PAYMENT_ID },
      undefined,
      { type: 'paid', amountPaid: 10_000_000n, receipt: PAYMENT_ID },
    ],
    ['a success without a payment', { status: 'SUCCEEDED' }, paid, { type: 'paid', amountPaid: 10_000_000n }],
    [
      'a failed attempt to pay an open request',
      { latest_payment_id: PAYMENT_ID },
      failed,
      { type: 'pending' },
    ],
    [
      'a request that failed',
      { status: 'FAILED', failure_code: 'USER_DECLINED_PAYMENT', latest_payment_id: PAYMENT_ID },
      failed,
      { type: 'failed', reason: 'USER_DECLINED_PAYMENT' },
    ],
    [
      'a cancellation, which Xendit spells with one L',
      { status: 'CANCELED' },
      undefined,
      { type: 'cancelled' },
    ],
    ['an expired request', { status: 'EXPIRED' }, undefined, { type: 'expired' }],
    ['an authorization', { status: 'AUTHORIZED' }, undefined, { type: 'pending' }],
    ['success in another currency', { status: 'SUCCEEDED', currency: 'USD' }, undefined, { type: 'nothing' }],
  ])('a status inquiry returns the status that Xendit documents for %s', async (_, fields, payment, fact) => {
    has({ ...payable, ...fields }, payment)
    const word = await xendit.inquire(account(), inquiry())
    expect(word).toMatchObject({ fact })
    // An inquiry returns payment instructions only while the payer can still pay.
    const { type } = fact as { type: string }
    expect('methodData' in (word as { fact: object }).fact).toBe(type === 'pending')
  })

  test.each([
    { status: 'MELTED' },
    { status: null },
    { status: 'SUCCEEDED', request_amount: '1e5' },
    { status: 'SUCCEEDED', currency: null },
    { status: 'EXPIRED', latest_payment_id: {} },
  ])(
    'a status inquiry fails if a required field of the response is missing, invalid or ambiguous: %j',
    async fields => {
      has({ ...payable, ...fields })
      expect(await kindOf(xendit.inquire(account(), inquiry()))).toBe('unknown')
    },
  )
})
