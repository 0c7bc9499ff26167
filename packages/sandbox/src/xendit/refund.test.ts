import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call, type Json, newOrderId } from '../../test/support/merchant.ts'
import { startReceiver, until } from '../../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

const KEY = 'xnd_development_refunds'
let sandbox: RunningSandbox
let merchant: Awaited<ReturnType<typeof startReceiver>>
let token: string

const control = async (path: string, body?: unknown) =>
  (await call(`${sandbox.url}${path}`, body, { serverKey: null })).body
const at = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(`${sandbox.url}/xendit${path}`, body, { serverKey: KEY, headers })
const record = async (reference: string) => (await control(`/orders?payment_code=${reference}`)).orders[0]

beforeAll(async () => {
  merchant = await startReceiver()
  sandbox = await startSandbox({ port: 0, pendingNotifications: false })
  const registered = await control('/merchants', {
    provider: 'xendit',
    credentials: { secret_key: KEY },
    notification_url: merchant.url,
  })
  token = registered.credentials.callback_token
})
beforeEach(() => {
  merchant.received.length = 0
})
afterAll(async () => {
  await sandbox.close()
  await merchant.close()
})

const returning = {
  success_return_url: 'https://shop.example/done',
  failure_return_url: 'https://shop.example/failed',
}

/** Creates a payment request for 44,000 rupiah that is already paid. */
async function paid(channel = 'DANA', customer = 'Budi'): Promise<{ id: string; reference: string }> {
  const reference = newOrderId()
  const { body } = await at('/v3/payment_requests', {
    reference_id: reference,
    type: channel === 'ALFAMART' ? 'REUSABLE_PAYMENT_CODE' : 'PAY',
    country: 'ID',
    currency: 'IDR',
    request_amount: 44_000,
    channel_code: channel,
    channel_properties: { ...returning, display_name: customer, payer_name: customer },
    metadata: { customer_name: customer },
    items: [{ name: 'Shoes' }],
    customer: { reference_id: 'C' },
  })
  await control('/simulate/silently', { payment_code: reference, outcome: 'paid' })
  return { id: body.payment_request_id, reference }
}

const refund = (id: string, over: Json = {}, headers: Record<string, string> = {}) =>
  at('/refunds', { payment_request_id: id, reason: 'REQUESTED_BY_CUSTOMER', ...over }, headers)

function vector(name: string): Json {
  return JSON.parse(
    readFileSync(
      new URL(`../../../server/src/providers/xendit/fixtures/${name}.json`, import.meta.url),
      'utf8',
    ),
  )
}

describe('a merchant can refund paid payment requests at Xendit', () => {
  test('a Xendit refund is pending at first, and the webhook refund.succeeded follows', async () => {
    const { id, reference } = await paid()
    const asked = await refund(id, { amount: 25_000, currency: 'IDR', reference_id: 'R-1' })
    expect([asked.status, asked.body.status]).toEqual([200, 'PENDING'])
    const [webhook] = await merchant.waitFor(1)
    const published = vector('refund-notif-succeeded-dana')
    expect(webhook?.headers).toMatchObject({ 'x-callback-token': token })
    expect(Object.keys(webhook?.body)).toEqual(Object.keys(JSON.parse(published.raw_body)))
    expect(Object.keys(webhook?.body.data)).toEqual(Object.keys(JSON.parse(published.raw_body).data))
    expect(webhook?.body).toMatchObject({
      event: 'refund.succeeded',
      data: {
        id: asked.body.id,
        payment_request_id: id,
        payment_id: id.replace('pr-', 'py-'),
        reference_id: 'R-1',
        payment_method_type: 'EWALLET',
        channel_code: 'DANA',
        amount: 25_000,
        status: 'SUCCEEDED',
      },
    })
    expect((await at(`/refunds/${asked.body.id}`)).body).toEqual(webhook?.body.data)
    await refund(id, { reference_id: 'R-2' })
    const listed = (await at(`/refunds?payment_request_id=${id}`)).body
    expect([listed.has_more, listed.data.map((one: Json) => [one.reference_id, one.amount])]).toEqual([
      false,
      [
        ['R-2', 19_000],
        ['R-1', 25_000],
      ],
    ])
    const [newest] = listed.data
    expect((await at(`/refunds?payment_request_id=${id}&limit=1`)).body).toEqual({
      data: [newest],
      has_more: true,
    })
    expect((await at(`/refunds?payment_request_id=${id}&after_id=${newest.id}`)).body.data).toHaveLength(1)
    expect(await record(reference)).toMatchObject({ held_cents: 0 })
  })

  test('a Xendit refund request repeated with the same idempotency-key does not refund a second time', async () => {
    const { id, reference } = await paid()
    const headers = { 'idempotency-key': newOrderId() }
    const first = await refund(id, { amount: 1_000 }, headers)
    expect((await refund(id, { amount: 1_000 }, headers)).text).toBe(first.text)
    expect((await record(reference)).returns).toHaveLength(1)
  })

  test.each([
    ['more than the remaining amount', { amount: 44_001 }, 400, 'REFUND_AMOUNT_EXCEEDED'],
    ['an unknown reason', { reason: 'BECAUSE' }, 400, 'API_VALIDATION_ERROR'],
    ['a fraction of a rupiah', { amount: 0.5 }, 400, 'API_VALIDATION_ERROR'],
    ['another currency', { currency: 'PHP' }, 400, 'API_VALIDATION_ERROR'],
    ['an unknown payment request', { payment_request_id: 'pr-unknown' }, 404, 'DATA_NOT_FOUND'],
  ])('a Xendit refund with %s is rejected and refunds nothing', async (_name, over, status, code) => {
    const { id, reference } = await paid()
    const answer = await refund(id, over)
    expect([answer.status, answer.body.error_code]).toEqual([status, code])
    expect(await record(reference)).toMatchObject({ held_cents: 4_400_000, returns: [] })
  })

  test.each([
    ['BNI_VIRTUAL_ACCOUNT', 44_000, 'REFUND_NOT_SUPPORTED'],
    ['ALFAMART', 44_000, 'REFUND_NOT_SUPPORTED'],
    ['ASTRAPAY', 44_000, 'REFUND_NOT_SUPPORTED'],
    ['LINKAJA', 1_000, 'PARTIAL_REFUND_NOT_SUPPORTED'],
    ['KREDIVO', 1_000, 'PARTIAL_REFUND_NOT_SUPPORTED'],
  ])(
    'for a Xendit payment by %s of 44,000 rupiah, a refund of %s rupiah is rejected with the error %s',
    async (channel, amount, code) => {
      const { id } = await paid(channel)
      expect((await refund(id, { amount })).body.error_code).toBe(code)
    },
  )

  test('a second partial Xendit refund is rejected if the channel allows only one refund per payment', async () => {
    const { id } = await paid('AKULAKU')
    expect((await refund(id, { amount: 1_000 })).status).toBe(200)
    await merchant.waitFor(1)
    expect((await refund(id, { amount: 1_000 })).body.error_code).toBe('PARTIAL_REFUND_COUNTS_EXCEEDED')
  })

  test('a Xendit refund of an unpaid order is rejected', async () => {
    const { id, reference } = await paid()
    await control('/simulate/silently', { payment_code: reference, outcome: 'failed' })
    expect((await refund(id)).body.error_code).toBe('INELIGIBLE_TRANSACTION_STATUS')
  })

  test("a merchant cannot look up another merchant's Xendit refund", async () => {
    const { id } = await paid()
    const { body } = await refund(id)
    const stranger = { serverKey: 'xnd_development_stranger' }
    expect((await call(`${sandbox.url}/xendit/refunds/${body.id}`, undefined, stranger)).status).toBe(404)
    const asked = { payment_request_id: id, reason: 'OTHERS' }
    expect((await call(`${sandbox.url}/xendit/refunds`, asked, stranger)).status).toBe(404)
  })
})

describe('the customer name can determine the outcome of a Xendit refund', () => {
  test('a Xendit refund for the customer SANDBOX REFUND FAIL is accepted but fails later', async () => {
    const { id, reference } = await paid('DANA', 'SANDBOX REFUND FAIL')
    expect((await refund(id, { amount: 1_000 })).body.status).toBe('PENDING')
    const [webhook] = await merchant.waitFor(1)
    expect(webhook?.body).toMatchObject({
      event: 'refund.failed',
      data: { status: 'FAILED', failure_code: expect.any(String) },
    })
    expect(await record(reference)).toMatchObject({ held_cents: 4_400_000 })
  })

  test('a second Xendit refund for a payment is rejected while the first is pending', async () => {
    const { id, reference } = await paid('DANA', 'SANDBOX REFUND SLOW')
    const { body } = await refund(id, { amount: 1_000 })
    expect((await at(`/refunds/${body.id}`)).body.status).toBe('PENDING')
    const second = await refund(id, { amount: 1_000 })
    expect([second.status, second.body]).toEqual([400, vector('refund-error-in-progress').response])
    await merchant.waitFor(1)
    expect(await record(reference)).toMatchObject({ held_cents: 4_300_000 })
  })

  test.each([
    ['SANDBOX REFUND REJECT', 'REFUND_NOT_SUPPORTED'],
    ['SANDBOX REFUND OUTAGE', 'CHANNEL_UNAVAILABLE'],
  ])('a Xendit refund for the customer %s returns the error %s and refunds nothing', async (name, code) => {
    const { id, reference } = await paid('DANA', name)
    expect((await refund(id)).body.error_code).toBe(code)
    expect(await record(reference)).toMatchObject({ returns: [] })
  })

  test('for the customer SANDBOX REFUND TIMEOUT, Xendit refunds the payment but never responds', async () => {
    const { id, reference } = await paid('DANA', 'SANDBOX REFUND TIMEOUT')
    const waiting = new AbortController()
    const asked = fetch(`${sandbox.url}/xendit/refunds`, {
      method: 'POST',
      signal: waiting.signal,
      headers: { authorization: `Basic ${Buffer.from(`${KEY}:`).toString('base64')}` },
      body: JSON.stringify({ payment_request_id: id, reason: 'OTHERS' }),
    })
    await until(async () => (await record(reference)).held_cents === 0)
    waiting.abort()
    await expect(asked).rejects.toThrow()
  })
})

describe('the sandbox simulates refunds and chargebacks made by Xendit itself', () => {
  test("the notification about a refund made on Xendit's dashboard contains a reference created by Xendit", async () => {
    const { id, reference } = await paid('QRIS')
    const { callbacks } = await control('/simulate', {
      payment_code: reference,
      outcome: 'partially_refunded',
      amount: 100_000,
    })
    expect(callbacks).toHaveLength(1)
    expect(merchant.received[0]?.body.data).toMatchObject({ payment_request_id: id, amount: 1_000 })
    expect((await at(`/refunds?payment_request_id=${id}`)).body.data).toHaveLength(1)
  })

  test("a Xendit chargeback causes webhooks about a new and then a lost dispute, in Xendit's published format", async () => {
    const published = JSON.parse(vector('chargeback-notif-dispute-lost-terminal-differs').raw_body)
    const { id, reference } = await paid('QRIS')
    await control('/simulate', { payment_code: reference, outcome: 'chargeback', amount: 1_000_000 })
    await control('/simulate', { payment_code: reference, outcome: 'chargeback' })
    const [begun, part, , rest] = merchant.received.map(({ body }) => body)
    expect([Object.keys(begun), Object.keys(part)]).toEqual(Array(2).fill(Object.keys(published)))
    expect(begun).toMatchObject({
      ...{ event: 'dispute.action_required', id: part.id, status: 'ACTION_REQUIRED', status_reason: null },
      amount: { initial: '44000.00', terminal: null },
    })
    expect(part).toMatchObject({
      event: 'dispute.lost',
      status: 'LOST',
      amount: { initial: '44000.00', terminal: '10000.00' },
      payment_id: id.replace('pr-', 'py-'),
      reference_id: reference,
    })
    expect(rest.amount).toEqual({ initial: '44000.00', terminal: '34000.00' })
    expect(rest.id).not.toBe(part.id)
    const { event: _, ...dispute } = part
    expect((await at(`/v1/disputes/${part.id}`)).body).toEqual(dispute)
    expect((await at('/v1/disputes/mi-dspt-1')).status).toBe(404)
    expect(await record(reference)).toMatchObject({ held_cents: 0 })
  })

  test('if the merchant wins a dispute, Xendit sends a webhook and the payer gets no money back', async () => {
    const { reference } = await paid('QRIS')
    await control('/simulate', { payment_code: reference, outcome: 'dispute_won' })
    expect(merchant.received.map(({ body }) => [body.event, body.status, body.amount.initial])).toEqual([
      ['dispute.action_required', 'ACTION_REQUIRED', '44000.00'],
      ['dispute.won', 'WON', '44000.00'],
    ])
    expect(await record(reference)).toMatchObject({ held_cents: 4_400_000, status: 'paid' })
  })

  test("in Xendit webhooks for a full chargeback, amount.terminal is null, as in Xendit's samples", async () => {
    const { reference } = await paid('QRIS')
    await control('/simulate', { payment_code: reference, outcome: 'chargeback' })
    const amounts = merchant.received.map(({ body }) => body.amount)
    expect(amounts).toEqual(Array(2).fill({ initial: '44000.00', terminal: null }))
  })
})
