import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, type Json, newOrderId } from '../../test/support/merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

// Tests the sandbox with Xendit's official client, a CommonJS module without types.
const { Transaction } = createRequire(import.meta.url)('xendit-node') as Json

const KEY = 'xnd_development_transactions'
const basic = (key: string) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`
let sandbox: RunningSandbox
let client: Json
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  client = new Transaction({ secretKey: KEY, xenditURL: `${sandbox.url}/xendit` })
})
afterAll(() => sandbox.close())

async function created(channel_code: string, channel_properties: Json = {}): Promise<Json> {
  const { status, body } = await call(
    `${sandbox.url}/xendit/v3/payment_requests`,
    {
      reference_id: newOrderId(),
      type: 'PAY',
      country: 'ID',
      currency: 'IDR',
      request_amount: 44_000,
      channel_code,
      channel_properties,
    },
    { serverKey: null, headers: { authorization: basic(KEY) } },
  )
  expect(status).toBe(201)
  return body
}
const simulate = (payment_code: string, outcome: string) =>
  call(`${sandbox.url}/simulate/silently`, { payment_code, outcome }, { serverKey: null })

const account = { display_name: 'Budi' }

test('Xendit’s official client library lists received payments, failed payments, and unpaid QRIS codes (as pending)', async () => {
  const paid = await created('BNI_VIRTUAL_ACCOUNT', account)
  await created('BNI_VIRTUAL_ACCOUNT', account)
  const qris = await created('QRIS')
  const failed = await created('DANA', {
    success_return_url: 'https://shop.example',
    failure_return_url: 'https://shop.example',
  })
  await simulate(paid.reference_id, 'paid')
  await simulate(failed.reference_id, 'failed')

  const { data, hasMore } = await client.getAllTransactions({})
  expect(hasMore).toBe(false)
  const found = new Map(data.map((each: Json) => [each.referenceId, each.status]))
  expect(found).toEqual(
    new Map([
      [paid.reference_id, 'SUCCESS'],
      [qris.reference_id, 'PENDING'],
      [failed.reference_id, 'FAILED'],
    ]),
  )
  expect(data.find((each: Json) => each.referenceId === paid.reference_id)).toMatchObject({
    id: expect.stringMatching(/^txn_/),
    productId: paid.payment_request_id.replace('pr-', 'py-'),
    type: 'PAYMENT',
    currency: 'IDR',
    amount: 44_000,
    cashflow: 'MONEY_IN',
  })
})

test("Xendit's list of transactions contains only the transactions that match the filters for time, status and type", async () => {
  const list = async (query: string, key = KEY) => {
    const { body } = await call(`${sandbox.url}/xendit/transactions?${query}`, undefined, {
      serverKey: null,
      headers: { authorization: basic(key) },
    })
    return body
  }
  const first = await list('types=PAYMENT&limit=2')
  expect([first.data.length, first.has_more]).toEqual([2, true])
  const second = await list(`types=PAYMENT&limit=2&after_id=${first.data[1].id}`)
  expect([second.data.length, second.has_more]).toEqual([1, false])
  expect(new Set([...first.data, ...second.data].map(({ id }: Json) => id)).size).toBe(3)

  const later = new Date(Date.now() + 60_000).toISOString()
  expect((await list(`created[gte]=${later}`)).data).toEqual([])
  expect((await list(`created[lte]=${later}&statuses=SUCCESS`)).data).toHaveLength(1)
  expect((await list('types=REFUND')).data).toEqual([])
  expect((await list('created[gte]=soon')).error_code).toBe('API_VALIDATION_ERROR')
  expect((await list('', 'xnd_development_stranger')).data).toEqual([])
})
