import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { account, fake, ID, inquiry, reply, startFakeXendit } from '../../../test/support/fake-xendit.ts'
import { changesOf } from '../../../test/support/field-changes.ts'
import { aRefund } from '../../../test/support/refund.ts'
import type { Refund } from '../provider.ts'
import type { RefundOutcome } from '../refund.ts'
import { refunds } from './refund.ts'

startFakeXendit()

const order = inquiry({ channel: 'dana', methodDetail: { type: 'e_wallet', wallet_type: 'DANA' } })
const refund = aRefund(order)
const request = (overrides: Partial<Refund> = {}) => refunds.refund(account(), { ...refund, ...overrides })
const inquire = () => refunds.inquireRefund(account(), refund)
const typeOf = async (outcome: Promise<RefundOutcome>) => {
  const { type, ...rest } = await outcome
  return 'isRetriable' in rest && rest.isRetriable ? 'retriable' : type
}

/** Xendit's response to a successful refund, as shown in docs.xendit.co refund-payment-request. */
const made = {
  id: 'rfd-1',
  payment_request_id: ID,
  payment_id: 'py-1',
  invoice_id: null,
  payment_method_type: 'EWALLET',
  reference_id: refund.reference,
  channel_code: 'DANA',
  currency: 'IDR',
  amount: 25_000,
  status: 'PENDING',
  reason: 'REQUESTED_BY_CUSTOMER',
  failure_code: null,
  refund_fee_amount: null,
  metadata: null,
  created: '2026-11-20T03:10:08.001Z',
  updated: '2026-11-20T03:10:08.001Z',
}

describe('refund requests to Xendit', () => {
  test('a refund request contains the amount in rupiah, and our reference as both its reference and its idempotency key', async () => {
    reply(200, made)
    expect(await request()).toEqual({ type: 'pending', id: 'rfd-1' })
    expect(fake.received).toHaveLength(1)
    expect(fake.received[0]).toMatchObject({
      method: 'POST',
      url: '/refunds',
      headers: { 'idempotency-key': refund.reference },
    })
    expect(fake.received[0]?.headers).not.toHaveProperty('api-version')
    expect(JSON.parse(fake.received[0]?.body ?? '')).toEqual({
      payment_request_id: ID,
      reference_id: `${order.reference}-R1`,
      amount: 25_000,
      currency: 'IDR',
      reason: 'REQUESTED_BY_CUSTOMER',
      metadata: { reason: 'one item returned' },
    })
  })

  test.each([
    ['PENDING', 'pending'],
    ['SUCCEEDED', 'succeeded'],
    [undefined, 'pending'],
    ['FAILED', 'refused'],
    ['CANCELLED', 'refused'],
    ['CANCELED', 'refused'],
    ['ON_HOLD', 'unknown'],
  ])('a refund that Xendit created with the status %s has the outcome %s', async (status, expected) => {
    reply(200, { ...made, status })
    expect(await typeOf(request())).toBe(expected)
  })

  test("if Xendit rejects a refund as a duplicate, the refund's outcome is unknown", async () => {
    reply(200, { ...made, status: 'FAILED', failure_code: 'DUPLICATE_ERROR' })
    expect(await typeOf(request())).toBe('unknown')
  })

  test.each<[number, string, string]>([
    [400, 'API_VALIDATION_ERROR', 'refused'],
    [400, 'INVALID_VALUE_ERROR', 'refused'],
    [401, 'INVALID_API_KEY', 'refused'],
    [403, 'UNAUTHORIZED', 'refused'],
    [403, 'REFUND_NOT_SUPPORTED', 'refused'],
    [400, 'REFUND_NOT_SUPPORTED', 'refused'],
    [403, 'PARTIAL_REFUND_NOT_SUPPORTED', 'refused'],
    [403, 'INVALID_MERCHANT_SETTINGS', 'refused'],
    [404, 'DATA_NOT_FOUND', 'refused'],
    [400, 'TRANSACTION_NOT_FOUND', 'refused'],
    [400, 'REFUND_AMOUNT_EXCEEDED', 'refused'],
    [400, 'MAXIMUM_REFUND_AMOUNT_REACHED', 'refused'],
    [400, 'INELIGIBLE_TRANSACTION_STATUS', 'refused'],
    [400, 'INELIGIBLE_TRANSACTION', 'refused'],
    [403, 'INELIGIBLE_TRANSACTION', 'refused'],
    [400, 'INSUFFICIENT_BALANCE', 'refused'],
    [400, 'PARTIAL_REFUND_COUNTS_EXCEEDED', 'refused'],
    [400, 'REFUND_IN_PROGRESS', 'retriable'],
    [400, 'TEMPORARILY_UNAVAILABLE', 'retriable'],
    [400, 'SOME_NEW_ERROR', 'unknown'],
    [409, 'DUPLICATE_ERROR', 'unknown'],
    [409, 'IDEMPOTENCY_ERROR', 'unknown'],
    [429, 'RATE_LIMIT_EXCEEDED', 'retriable'],
    [429, 'SOME_NEW_ERROR', 'unknown'],
    [500, 'SERVER_ERROR', 'unknown'],
    [500, 'INSUFFICIENT_BALANCE', 'unknown'],
    [503, 'CHANNEL_UNAVAILABLE', 'unknown'],
    [503, 'TEMPORARILY_UNAVAILABLE', 'unknown'],
  ])(
    'a refund request that gets HTTP %d with %s has the outcome %s',
    async (status, error_code, expected) => {
      reply(status, { error_code, message: 'words of Xendit' })
      expect(await typeOf(request())).toBe(expected)
      reply(status, { error_code, message: 'words of Xendit' })
      const reason = `${error_code}: words of Xendit`
      expect(await request({ isRepeated: true })).toEqual({ type: 'unknown', reason })
    },
  )

  test.each([
    [502, '<html>Bad Gateway</html>'],
    [429, '<html>Too Many Requests</html>'],
    [404, '{"message":"no Route matched"}'],
    [400, '{}'],
    [200, 'OK'],
    [201, JSON.stringify(made)],
    [200, JSON.stringify({ ...made, reference_id: 'another' })],
    [200, JSON.stringify({ ...made, reference_id: undefined })],
    [200, JSON.stringify({ ...made, amount: 26_000 })],
    [200, JSON.stringify({ ...made, currency: 'PHP' })],
    [200, JSON.stringify({ ...made, id: null })],
  ])('a refund request that gets HTTP %d with the body %s has an unknown outcome', async (status, body) => {
    reply(status, body)
    expect(await typeOf(request())).toBe('unknown')
  })

  test("if the connection breaks during a refund request, the refund's outcome is unknown", async () => {
    fake.answer = response => response.destroy()
    expect(await typeOf(request())).toBe('unknown')
  })

  test("if the payment request's id is unknown, the adapter looks it up before requesting the refund", async () => {
    fake.answer = (response, { url }) =>
      response.end(
        JSON.stringify(url === '/refunds' ? made : { data: [{ id: ID, reference_id: order.reference }] }),
      )
    expect(await typeOf(request({ order: { ...order, providerPaymentId: null } }))).toBe('pending')
    expect(fake.received.map(({ url }) => url)).toEqual([
      `/payment_requests?reference_id=${order.reference}`,
      '/refunds',
    ])
  })

  test("if looking up the payment request's id fails, the refund is not requested and can be retried", async () => {
    reply(500, { error_code: 'SERVER_ERROR' })
    expect(await typeOf(request({ order: { ...order, providerPaymentId: null } }))).toBe('retriable')
    expect(fake.received.map(({ url }) => url)).not.toContain('/refunds')
  })

  test('a live account with a test key sends no refund request, and the refund can be retried', async () => {
    const live = account({ mode: 'live', baseUrl: null })
    expect(await typeOf(refunds.refund(live, refund))).toBe('retriable')
  })

  test('a refund rejected because another refund is in progress can be retried later', async () => {
    const name = 'refund-error-in-progress.json'
    const { response, http_status } = JSON.parse(
      readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'),
    )
    reply(http_status, response)
    expect(await typeOf(request())).toBe('retriable')
  })

  test('a successful refund response with a missing or malformed field never counts as a rejection', async () => {
    for (const { path, kind, message } of changesOf(made)) {
      reply(200, message)
      expect([path, kind, await typeOf(request())]).not.toEqual([path, kind, expect.stringMatching(/^re/)])
    }
  })
})

describe("an inquiry about a Xendit refund finds the refund in Xendit's list of refunds and returns its status", () => {
  const list = (...data: object[]) => ({ data, has_more: false })
  const theirs = { ...made, id: 'rfd-2', reference_id: 'b7c9', amount: 5_000, status: 'SUCCEEDED' }

  test.each<[string, object, object]>([
    ['pending', list(made), { type: 'pending', id: 'rfd-1' }],
    ['pending without a status', list({ ...made, status: undefined }), { type: 'pending', id: 'rfd-1' }],
    ['succeeded', list(theirs, { ...made, status: 'SUCCEEDED' }), { type: 'succeeded', id: 'rfd-1' }],
    ['failed', list({ ...made, status: 'FAILED' }), { type: 'failed', id: 'rfd-1' }],
    [
      'succeeded after a failed attempt',
      list({ ...made, id: 'rfd-0', status: 'FAILED' }, { ...made, status: 'SUCCEEDED' }),
      { type: 'succeeded', id: 'rfd-1' },
    ],
    ['absent', list(theirs), { type: 'absent' }],
    ['absent', list(), { type: 'absent' }],
  ])(
    "if Xendit's refund list shows a refund as %s, a status inquiry returns this status",
    async (_, answer, status) => {
      reply(200, answer)
      expect((await inquire()).status).toEqual(status)
      expect(fake.received[0]?.url).toBe(`/refunds?payment_request_id=${ID}&limit=100`)
    },
  )

  test("a status inquiry reads all pages of Xendit's refund list and returns every listed refund", async () => {
    fake.answer = (response, { url }) =>
      response.end(
        JSON.stringify(url.includes('after_id=rfd-2') ? list(made) : { data: [theirs], has_more: true }),
      )
    expect(await inquire()).toEqual({
      status: { type: 'pending', id: 'rfd-1' },
      returns: [
        { kind: 'refund', id: 'rfd-2', reference: 'b7c9', amount: 500_000n, status: 'succeeded' },
        { kind: 'refund', id: 'rfd-1', reference: refund.reference, amount: 2_500_000n, status: 'pending' },
      ],
    })
  })

  test.each<[string, number, unknown]>([
    ['does not find the payment', 404, { error_code: 'DATA_NOT_FOUND' }],
    ['is an error', 500, { error_code: 'SERVER_ERROR' }],
    ['has no list', 200, { has_more: false }],
    ['does not say whether it is complete', 200, { data: [] }],
    ['never ends', 200, { data: [theirs], has_more: true }],
    ['lists an unknown status', 200, list({ ...theirs, status: 'ON_HOLD' })],
    ['lists a refund without a reference', 200, list({ ...theirs, reference_id: null })],
    ['lists the refund with a different amount', 200, list({ ...made, amount: 25_001 })],
  ])(
    "a refund's status stays unknown if the inquiry about it gets no usable response, because the response %s",
    async (_, status, body) => {
      reply(status, body)
      expect((await inquire()).status.type).toBe('unknown')
    },
  )

  test('a missing or malformed field in an inquiry response never causes a listed refund to be reported as failed', async () => {
    for (const { path, kind, message } of changesOf(list({ ...made, status: 'SUCCEEDED' }))) {
      reply(200, message)
      const { status } = await inquire()
      const mayHide = path[0] === 'data' && (path.length < 3 || path[2] === 'reference_id')
      expect([path, kind, status.type]).not.toEqual([path, kind, 'failed'])
      if (!mayHide) expect([path, kind, status.type]).not.toEqual([path, kind, 'absent'])
    }
  })
})
