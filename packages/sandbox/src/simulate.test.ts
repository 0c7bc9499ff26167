import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call, charge, type Json, methods, newOrderId, SERVER_KEY } from '../test/support/merchant.ts'
import { type Received, startReceiver } from '../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from './server.ts'

let sandbox: RunningSandbox
let merchant: Awaited<ReturnType<typeof startReceiver>>

const simulate = (body: unknown, path = '/simulate') =>
  call(`${sandbox.url}${path}`, body, { serverKey: null })
const status = async (orderId: string) => (await call(`${sandbox.url}/midtrans/v2/${orderId}/status`)).body

async function created(method: Record<string, unknown> = {}, orderId = newOrderId()): Promise<string> {
  const headers = { 'x-override-notification': `${merchant.url}/callbacks` }
  const { body } = await call(`${sandbox.url}/midtrans/v2/charge`, charge(method, orderId), { headers })
  expect(body.order_id).toBe(orderId)
  return orderId
}

/** Verifies a notification's signature as a merchant would, without the sandbox's code. */
function isSigned({ body }: Received): boolean {
  const text = body.order_id + body.status_code + body.gross_amount + SERVER_KEY
  return createHash('sha512').update(text).digest('hex') === body.signature_key
}

beforeAll(async () => {
  merchant = await startReceiver(() => ({ status: 200, body: 'OK' }))
  sandbox = await startSandbox({ port: 0, pendingNotifications: false, retryScale: 0 })
})
beforeEach(() => {
  merchant.received.length = 0
})
afterAll(async () => {
  await sandbox.close()
  await merchant.close()
})

describe('simulated payment outcomes', () => {
  test.each([
    ['paid', '200', 'settlement', 'accept', '200'],
    ['failed', '202', 'deny', 'accept', '202'],
    ['expired', '202', 'expire', 'accept', '407'],
    ['cancelled', '202', 'cancel', 'accept', '202'],
    ['challenged', '201', 'capture', 'challenge', '201'],
  ])(
    'the simulated outcome %s is stored with the payment, and the notification to the merchant has the status code %s and the status %s',
    async (outcome, code, transactionStatus, fraud, inquired) => {
      const orderId = await created()
      const answer = await simulate({ payment_code: orderId, outcome })
      expect(answer.body).toEqual({ callbacks: [{ status: 200, body: 'OK' }] })
      const [notification] = merchant.received as [Received]
      expect(notification.headers).toMatchObject({
        'user-agent': 'Veritrans',
        'content-type': 'application/json',
      })
      expect(notification.body).toMatchObject({
        order_id: orderId,
        status_code: code,
        status_message: 'midtrans payment notification',
        transaction_status: transactionStatus,
        fraud_status: fraud,
        gross_amount: '44000.00',
      })
      expect(isSigned(notification)).toBe(true)
      expect('settlement_time' in notification.body).toBe(outcome === 'paid')
      expect(await status(orderId)).toMatchObject({
        status_code: inquired,
        transaction_status: transactionStatus,
      })
    },
  )

  const common = [
    'transaction_time',
    'transaction_status',
    'transaction_id',
    'status_message',
    'status_code',
    'signature_key',
    'settlement_time',
    'payment_type',
    'order_id',
    'merchant_id',
    'gross_amount',
    'currency',
  ]
  // For each payment type, the fields that its published settlement notification contains in addition to the
  // common fields.
  test.each([
    ['bca', ['fraud_status', 'va_numbers', 'payment_amounts']],
    ['bni', ['fraud_status', 'va_numbers', 'payment_amounts']],
    ['permata', ['fraud_status', 'permata_va_number']],
    ['mandiri', ['fraud_status', 'biller_code', 'bill_key']],
    ['gopay', ['fraud_status']],
    ['shopeepay', ['fraud_status', 'shopeepay_reference_number', 'reference_id']],
    ['qris gopay', ['fraud_status', 'acquirer', 'issuer', 'transaction_type', 'merchant_cross_reference_id']],
    ['indomaret', ['store', 'payment_code', 'approval_code']],
  ])(
    'the notification of a payment by %s has every field of a published notification',
    async (name, fields) => {
      const orderId = await created(methods[name])
      await simulate({ payment_code: orderId, outcome: 'paid' })
      const [{ body }] = merchant.received as [Received]
      expect(Object.keys(body)).toEqual(expect.arrayContaining([...common, ...fields]))
      expect('fraud_status' in body).toBe(fields.includes('fraud_status'))
      for (const value of Object.values(body)) expect(['string', 'object']).toContain(typeof value)
    },
  )

  test("the notification of a simulated outcome contains the charge's custom fields and metadata", async () => {
    const orderId = await created({ custom_field1: 'one', metadata: { shop: 7 } })
    await simulate({ payment_code: orderId, outcome: 'paid' })
    expect(merchant.received[0]?.body).toMatchObject({ custom_field1: 'one', metadata: { shop: 7 } })
  })
})

describe('simulated payments', () => {
  test.each([
    [100, '1.00'],
    [50, '0.50'],
    [4_400_050, '44000.50'],
    [9_900_000, '99000.00'],
  ])(
    'if the payer pays %i cents instead of the requested amount, the signed notification and the order status both show %s rupiah',
    async (amount, grossAmount) => {
      const orderId = await created()
      await simulate({ payment_code: orderId, outcome: 'paid', amount })
      const [notification] = merchant.received as [Received]
      expect(notification.body.gross_amount).toBe(grossAmount)
      expect(isSigned(notification)).toBe(true)
      expect(await status(orderId)).toMatchObject({
        gross_amount: grossAmount,
        transaction_status: 'settlement',
      })
    },
  )

  test('after a partial payment, a payment of the full amount sets the order to the full amount', async () => {
    const orderId = await created()
    await simulate({ payment_code: orderId, outcome: 'paid', amount: 100 })
    await simulate({ payment_code: orderId, outcome: 'paid' })
    expect(await status(orderId)).toMatchObject({ gross_amount: '44000.00' })
  })

  test.each(['expired', 'cancelled', 'challenged'])(
    'if a test simulates the outcome %s for a paid order, the merchant is notified of it, but a status inquiry still returns settlement (paid)',
    async outcome => {
      const orderId = await created()
      await simulate({ payment_code: orderId, outcome: 'paid' })
      await simulate({ payment_code: orderId, outcome })
      expect(merchant.received[1]?.body.transaction_status).not.toBe('settlement')
      expect(await status(orderId)).toMatchObject({ status_code: '200', transaction_status: 'settlement' })
    },
  )

  test('if a paid order is later reported as failed, its payment counts as reversed', async () => {
    const orderId = await created()
    await simulate({ payment_code: orderId, outcome: 'paid', amount: 100 })
    await simulate({ payment_code: orderId, outcome: 'failed' })
    expect(merchant.received[1]?.body).toMatchObject({ transaction_status: 'deny', gross_amount: '1.00' })
    expect(await status(orderId)).toMatchObject({ transaction_status: 'deny' })
  })

  test.each(['expired', 'cancelled', 'failed', 'challenged'])(
    'if an order is paid after the outcome %s, its status becomes settlement (paid)',
    async outcome => {
      const orderId = await created()
      await simulate({ payment_code: orderId, outcome })
      await simulate({ payment_code: orderId, outcome: 'paid' })
      expect(await status(orderId)).toMatchObject({ transaction_status: 'settlement' })
    },
  )
})

describe('a test can make the sandbox repeat, forge or suppress the notification of a simulated payment outcome', () => {
  test('a simulation with `copies` sends that number of notifications and returns the response to each', async () => {
    const orderId = await created()
    const { body } = await simulate({ payment_code: orderId, outcome: 'paid', copies: 100 })
    expect(body.callbacks).toHaveLength(100)
    expect(new Set(merchant.received.map(one => one.text)).size).toBe(1)
    expect(merchant.received).toHaveLength(100)
  })

  test('a simulation with a bad signature does not change the sandbox’s records', async () => {
    const orderId = await created()
    await simulate({ payment_code: orderId, outcome: 'paid', bad_signature: true })
    const [notification] = merchant.received as [Received]
    expect(notification.body.signature_key).toMatch(/^[0-9a-f]{128}$/)
    expect(isSigned(notification)).toBe(false)
    expect(await status(orderId)).toMatchObject({ transaction_status: 'pending' })
  })

  test.each([
    ['the currency', { currency: 'USD' }, { currency: 'USD', transaction_status: 'settlement' }],
    [
      'the status',
      { status: 'refund' },
      { currency: 'IDR', transaction_status: 'refund', status_code: '200' },
    ],
    ['the fields', { unknown_fields: true }, { sandbox_new_object: { nested: { list: [1, null, true] } } }],
  ])(
    'if a simulation changes %s of the notification, the sandbox still sends a valid signature and records the outcome',
    async (...row) => {
      const [, asked, told] = row
      const orderId = await created()
      await simulate({ payment_code: orderId, outcome: 'paid', ...asked })
      const [notification] = merchant.received as [Received]
      expect(notification.body).toMatchObject(told)
      expect(isSigned(notification)).toBe(true)
      expect(await status(orderId)).toMatchObject({ transaction_status: 'settlement', currency: 'IDR' })
    },
  )

  test('the sandbox does not retry a forged notification, which has a bad signature', async () => {
    const refusing = await startReceiver(() => ({ status: 500 }))
    const orderId = newOrderId()
    const headers = { 'x-override-notification': refusing.url }
    await call(`${sandbox.url}/midtrans/v2/charge`, charge({}, orderId), { headers })
    await simulate({ payment_code: orderId, outcome: 'paid', bad_signature: true })
    await simulate({ payment_code: orderId, outcome: 'paid' })
    // Waits until the genuine notification is retried. The forged notification was sent before it, so a retry of the
    // forged one would have arrived by now.
    await refusing.waitFor(3)
    expect(refusing.received.map(isSigned)).toEqual([false, true, true])
    await refusing.close()
  })

  test('a simulation through /simulate/silently records the outcome of a payment without notifying the merchant', async () => {
    const orderId = await created()
    const { body } = await simulate(
      { payment_code: orderId, outcome: 'paid', amount: 100 },
      '/simulate/silently',
    )
    expect(body).toEqual({ callbacks: [] })
    expect(merchant.received).toHaveLength(0)
    expect(await status(orderId)).toMatchObject({ transaction_status: 'settlement', gross_amount: '1.00' })
  })

  test("if the merchant's server cannot be reached, the simulation response contains status 0", async () => {
    const orderId = newOrderId()
    const headers = { 'x-override-notification': 'http://127.0.0.1:9/nobody' }
    await call(`${sandbox.url}/midtrans/v2/charge`, charge({}, orderId), { headers })
    const { body } = await simulate({ payment_code: orderId, outcome: 'paid' })
    expect(body).toEqual({ callbacks: [{ status: 0, body: expect.stringMatching(/./) }] })
  })

  test("a simulation for a payment code affects only the payment's newest order", async () => {
    const code = newOrderId()
    await created({}, code)
    await created({}, `${code}-2`)
    await created({}, `${code}X`)
    await simulate({ payment_code: code, outcome: 'paid' })
    expect(merchant.received.map((one: Json) => one.body.order_id)).toEqual([`${code}-2`])
  })

  test('a /simulate request with an unknown payment code is rejected with a 404 error', async () => {
    const answer = await simulate({ payment_code: 'nothing', outcome: 'paid' })
    expect([answer.status, answer.body.field]).toEqual([404, 'payment_code'])
  })

  test.each([
    ['outcome', { payment_code: 'x', outcome: 'lost' }],
    ['payment_code', { outcome: 'paid' }],
    ['amount', { payment_code: 'x', outcome: 'paid', amount: 1.5 }],
    ['copies', { payment_code: 'x', outcome: 'paid', copies: 101 }],
    ['bad_signature', { payment_code: 'x', outcome: 'paid', bad_signature: 'yes' }],
    ['currency', { payment_code: 'x', outcome: 'paid', currency: 360 }],
    ['status', { payment_code: 'x', outcome: 'paid', status: '' }],
    ['unknown_fields', { payment_code: 'x', outcome: 'paid', unknown_fields: 3 }],
    ['body', 'no json'],
  ])(
    'a simulation with an invalid %s is rejected with a 400 error that names the field',
    async (field, body) => {
      for (const path of ['/simulate', '/simulate/silently']) {
        const answer = await simulate(body, path)
        expect([answer.status, answer.body.field]).toEqual([400, field])
      }
    },
  )
})
