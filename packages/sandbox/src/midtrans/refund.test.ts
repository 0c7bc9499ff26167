import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call, charge, type Json, methods, newOrderId, SERVER_KEY } from '../../test/support/merchant.ts'
import { startReceiver, until } from '../../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

let sandbox: RunningSandbox
let merchant: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  merchant = await startReceiver()
  sandbox = await startSandbox({ port: 0, notificationUrl: merchant.url, pendingNotifications: false })
})
beforeEach(() => {
  merchant.received.length = 0
})
afterAll(async () => {
  await sandbox.close()
  await merchant.close()
})

const simulate = async (body: unknown, path = '/simulate') =>
  (await call(`${sandbox.url}${path}`, body, { serverKey: null })).body
const status = async (orderId: string) => (await call(`${sandbox.url}/midtrans/v2/${orderId}/status`)).body
const record = async (orderId: string) =>
  (await call(`${sandbox.url}/orders?payment_code=${orderId}`)).body.orders[0]
const refund = async (orderId: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  await call(`${sandbox.url}/midtrans/v2/${orderId}/refund`, body, { headers })

/** Creates a paid order for 44,000 rupiah. */
async function paid(method: Record<string, unknown> = methods.gopay ?? {}): Promise<string> {
  const orderId = newOrderId()
  await call(`${sandbox.url}/midtrans/v2/charge`, charge(method, orderId))
  await simulate({ payment_code: orderId, outcome: 'paid' }, '/simulate/silently')
  return orderId
}

function isSigned(body: Json): boolean {
  const text = body.order_id + body.status_code + body.gross_amount + SERVER_KEY
  return createHash('sha512').update(text).digest('hex') === body.signature_key
}

describe('a merchant can refund payments at Midtrans', () => {
  test('each Midtrans refund causes two notifications, and a status inquiry returns the sum of all refunds', async () => {
    const orderId = await paid()
    const first = await refund(orderId, { refund_key: 'R-1', amount: 5_000, reason: 'one item' })
    expect([first.status, first.body]).toEqual([
      200,
      expect.objectContaining({
        status_code: '200',
        transaction_status: 'partial_refund',
        gross_amount: '44000.00',
        refund_amount: '5000.00',
        refund_key: 'R-1',
        refund_chargeback_id: expect.any(Number),
      }),
    ])
    await merchant.waitFor(2)
    await refund(orderId, { refund_key: 'R-2', amount: 7_000 })
    await merchant.waitFor(4)
    const told = merchant.received.map(({ body }) => body)
    expect(told.every(isSigned)).toBe(true)
    expect(told.map(body => [body.transaction_status, body.refund_amount])).toEqual([
      ['partial_refund', '5000.00'],
      ['partial_refund', '5000.00'],
      ['partial_refund', '12000.00'],
      ['partial_refund', '12000.00'],
    ])
    // Only the second notification of a refund has bank_confirmed_at, because the bank confirms the refund later.
    expect(told.map(body => 'bank_confirmed_at' in body.refunds.at(-1))).toEqual([false, true, false, true])
    expect((await status(orderId)).refunds).toEqual([
      expect.objectContaining({ refund_key: 'R-1', refund_amount: '5000.00', reason: 'one item' }),
      expect.objectContaining({ refund_key: 'R-2', refund_amount: '7000.00', reason: '' }),
    ])
    expect(await record(orderId)).toMatchObject({ held_cents: 3_200_000 })
  })

  test('a Midtrans refund without an amount returns the full remaining amount of the payment', async () => {
    const orderId = await paid()
    await refund(orderId, { refund_key: 'R-1', amount: 4_000 })
    const { body } = await refund(orderId, { refund_key: 'R-2' })
    expect(body).toMatchObject({ refund_amount: '40000.00', transaction_status: 'refund' })
    expect(await record(orderId)).toMatchObject({ held_cents: 0, status: 'paid' })
  })

  test('a repeated Midtrans refund with the same refund key does not refund a second time', async () => {
    const orderId = await paid()
    const first = await refund(orderId, { refund_key: 'R-1', amount: 5_000 })
    const again = await refund(orderId, { refund_key: 'R-1', amount: 5_000 })
    expect(again.body).toMatchObject({
      refund_chargeback_id: first.body.refund_chargeback_id,
      refund_amount: '5000.00',
    })
    expect((await record(orderId)).returns).toHaveLength(1)
  })

  test('a Midtrans refund request can contain the amount as a JSON string', async () => {
    const orderId = await paid()
    const { body } = await refund(orderId, { refund_key: 'R-1', amount: '5000' })
    expect(body).toMatchObject({ status_code: '200', refund_amount: '5000.00' })
  })

  test('a Midtrans refund request with an already used refund key but a different amount is rejected', async () => {
    const orderId = await paid()
    await refund(orderId, { refund_key: 'R-1', amount: 5_000 })
    const { status: http, body } = await refund(orderId, { refund_key: 'R-1', amount: 6_000 })
    expect([http, body.status_code, body.status_message]).toEqual([200, '406', 'Duplicate refund ID'])
    expect(await record(orderId)).toMatchObject({ held_cents: 3_900_000 })
  })

  test('two equal Midtrans refund requests without a refund key create two refunds', async () => {
    const orderId = await paid()
    await refund(orderId, { amount: 1_000 })
    await refund(orderId, { amount: 1_000 })
    expect(await record(orderId)).toMatchObject({ held_cents: 4_200_000 })
  })

  test('a repeated Midtrans refund request with the same Idempotency-Key does not refund a second time', async () => {
    const orderId = await paid()
    const headers = { 'idempotency-key': newOrderId() }
    const first = await refund(orderId, { amount: 1_000 }, headers)
    const again = await refund(orderId, { amount: 1_000 }, headers)
    expect(again.text).toBe(first.text)
    expect((await record(orderId)).returns).toHaveLength(1)
  })

  test('a Midtrans refund request can use either refund path, with the order ID or the transaction ID', async () => {
    const orderId = await paid()
    const { transaction_id: id } = await status(orderId)
    const { body } = await call(`${sandbox.url}/midtrans/v2/${id}/refund/online/direct`, {
      refund_key: 'D-1',
      amount: 1_000,
    })
    expect(body).toMatchObject({ status_code: '200', refund_key: 'D-1' })
  })

  test.each([
    ['more than the remaining amount', { amount: 44_001 }, '414'],
    ['a fraction of a rupiah', { amount: 0.5 }, '400'],
    ['an amount of zero', { amount: 0 }, '400'],
    ['a refund key with a space', { refund_key: 'R 1' }, '400'],
    ['a reason of 256 characters', { reason: 'x'.repeat(256) }, '400'],
    ['a body that is not JSON', 'amount=1', '413'],
  ])('a Midtrans refund with %s is rejected and refunds nothing', async (_name, body, code) => {
    const orderId = await paid()
    expect((await refund(orderId, body)).body.status_code).toBe(code)
    expect(await record(orderId)).toMatchObject({ held_cents: 4_400_000, returns: [] })
  })

  test.each(['bca', 'permata', 'mandiri', 'alfamart', 'indomaret'])(
    'a Midtrans payment by %s cannot be refunded',
    async name => {
      const orderId = await paid(methods[name])
      expect((await refund(orderId, { amount: 1_000 })).body.status_code).toBe('412')
    },
  )

  test.each(['shopeepay', 'qris shopee', 'ovo'])(
    'a Midtrans payment by %s can be refunded only in full',
    async name => {
      const orderId = await paid(methods[name])
      expect((await refund(orderId, { amount: 1_000 })).body.status_code).toBe('412')
      expect((await refund(orderId)).body.status_code).toBe('200')
    },
  )

  test('Midtrans rejects a refund if the payment is unsettled, was already refunded or belongs to another merchant', async () => {
    const pending = newOrderId()
    await call(`${sandbox.url}/midtrans/v2/charge`, charge(methods.gopay, pending))
    expect((await refund(pending)).body.status_code).toBe('412')
    const orderId = await paid()
    await refund(orderId)
    expect((await refund(orderId)).body.status_code).toBe('412')
    const url = `${sandbox.url}/midtrans/v2/${await paid()}/refund`
    expect((await call(url, {}, { serverKey: 'SB-Mid-server-stranger' })).status).toBe(404)
  })
})

describe('the name of the customer can trigger a simulated result for a Midtrans refund', () => {
  const named = (name: string) => paid({ ...methods.gopay, customer_details: { first_name: name } })

  test.each([
    ['SANDBOX REFUND REJECT', '412'],
    ['SANDBOX REFUND FAIL', '202'],
    ['SANDBOX REFUND OUTAGE', '503'],
  ])(
    'a Midtrans refund for the customer %s returns the status code %s and refunds nothing',
    async (name, code) => {
      const orderId = await named(name)
      expect((await refund(orderId)).body.status_code).toBe(code)
      expect(await record(orderId)).toMatchObject({ held_cents: 4_400_000, returns: [] })
    },
  )

  test('for the customer SANDBOX REFUND TIMEOUT, Midtrans refunds the payment but never responds', async () => {
    const orderId = await named('SANDBOX REFUND TIMEOUT')
    const waiting = new AbortController()
    const asked = fetch(`${sandbox.url}/midtrans/v2/${orderId}/refund`, {
      method: 'POST',
      signal: waiting.signal,
      headers: { authorization: `Basic ${Buffer.from(`${SERVER_KEY}:`).toString('base64')}` },
    })
    await until(async () => (await record(orderId)).held_cents === 0)
    waiting.abort()
    await expect(asked).rejects.toThrow()
  })
})

describe('the sandbox simulates refunds and chargebacks made by Midtrans itself', () => {
  test("a Midtrans refund in the sandbox has all fields of Midtrans' published examples", async () => {
    const fixture = (name: string) =>
      JSON.parse(
        readFileSync(
          new URL(`../../../server/src/providers/midtrans/fixtures/${name}.json`, import.meta.url),
          'utf8',
        ),
      )
    const published = JSON.parse(fixture('refund-notif-not-ours-second-of-two-official').raw_body)
    const inquired = fixture('refund-status-two-refunds-bank-confirmed-official').response
    const orderId = await paid({ payment_type: 'credit_card', credit_card: { token_id: '48111111-1114-x' } })
    await simulate({ payment_code: orderId, outcome: 'partially_refunded', amount: 500_000 })
    const [first] = merchant.received.filter(({ body }) => body.transaction_status === 'partial_refund')
    expect(Object.keys(first?.body ?? {})).toEqual(expect.arrayContaining(Object.keys(published)))
    expect(Object.keys(first?.body.refunds[0])).toEqual(
      expect.arrayContaining(Object.keys(published.refunds[0])),
    )
    const listed = await status(orderId)
    // payment_option_type is a GoPay field, but the published sample contains it for a card payment.
    const { payment_option_type: _, ...expected } = inquired
    expect(Object.keys(listed)).toEqual(expect.arrayContaining(Object.keys(expected)))
    expect(Object.keys(listed.refunds[0])).toEqual(expect.arrayContaining(Object.keys(inquired.refunds[0])))
  })

  test('if the merchant wins a dispute, Midtrans sends no notification and keeps the money', async () => {
    const orderId = await paid()
    merchant.received.length = 0
    await simulate({ payment_code: orderId, outcome: 'dispute_won' })
    expect(merchant.received).toEqual([])
    expect(await record(orderId)).toMatchObject({ held_cents: 4_400_000 })
  })

  test('a chargeback causes one Midtrans notification, which contains no list of refunds', async () => {
    const orderId = await paid()
    await simulate({ payment_code: orderId, outcome: 'chargeback', amount: 100_000 })
    await simulate({ payment_code: orderId, outcome: 'chargeback' })
    expect(
      merchant.received.map(({ body }) => [body.transaction_status, body.status_code, 'refunds' in body]),
    ).toEqual([
      ['partial_chargeback', '200', false],
      ['chargeback', '200', false],
    ])
    expect(await status(orderId)).toMatchObject({
      transaction_status: 'chargeback',
      gross_amount: '44000.00',
    })
  })

  test('if a test sends the notification of a Midtrans payment again after a refund, the payment stays refunded', async () => {
    const orderId = await paid()
    await simulate({ payment_code: orderId, outcome: 'refunded' })
    merchant.received.length = 0
    await simulate({ payment_code: orderId, outcome: 'paid' })
    expect(merchant.received[0]?.body).toMatchObject({ transaction_status: 'settlement' })
    expect(merchant.received[0]?.body).not.toHaveProperty('refunds')
    expect(await status(orderId)).toMatchObject({ transaction_status: 'refund' })
  })
})
