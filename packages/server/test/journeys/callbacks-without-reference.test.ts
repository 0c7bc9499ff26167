// Tests signed callbacks that do not contain our payment reference. For such a callback, the service finds the payment
// by the provider's own payment id.

import { createHash, createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { startWorker } from '../../src/jobs/worker.ts'
import { testApp } from '../support/app.ts'
import { managersOf } from '../support/management-api.ts'
import { http, until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'

const { app, demo, databaseUrl, advance } = await testApp({ worker: false })
const shop = await merchantWith(app, demo, 'tripay')
const loaded = await app.accountOf(shop.accountId)
const { private_key } = (loaded?.account.credentials ?? {}) as { private_key: string }

/**
 * Sends Tripay's callback for a payment without a merchant reference, for example a payment with an open payment
 * code.
 */
async function notify(reference: string, rupiah: number) {
  const body = {
    reference,
    merchant_ref: null,
    payment_method: 'BRI Virtual Account',
    payment_method_code: 'BRIVA',
    total_amount: rupiah,
    fee_merchant: 0,
    fee_customer: 0,
    total_fee: 0,
    amount_received: rupiah,
    is_closed_payment: 1,
    status: 'PAID',
    paid_at: 1_795_000_000,
    note: null,
  }
  const raw = JSON.stringify(body)
  const signature = createHmac('sha256', private_key).update(raw).digest('hex')
  const answer = await http('POST', `${demo.base_url}/v1/callbacks/tripay/${shop.accountId}`, {
    raw,
    headers: { 'x-callback-event': 'payment_status', 'x-callback-signature': signature },
  })
  expect(answer.status, answer.text).toBe(200)
}

async function withWorker(): Promise<void> {
  const worker = await startWorker(app, databaseUrl, { alone: true })
  onTestFinished(() => worker.stop())
}

const create = async () =>
  (await shop.create({ method_detail: { type: 'virtual_account', bank: 'BRI' } })).data
const providerIdOf = async ({ id }: { id: string }): Promise<string> =>
  (await app.db.raw('select provider_payment_id as id from payments where id = ?', [id])).rows[0].id

test('a callback that contains only the provider’s payment id marks the payment with this id as paid', async () => {
  const [payment, other] = [await create(), await create()]
  await notify(await providerIdOf(payment), 100_000)
  await notify(await providerIdOf(payment), 100_000)
  await withWorker()
  await until('the payment is paid', async () => (await shop.get(payment.id)).data.status === 'paid')
  await until('both callbacks are processed', async () => {
    const { rows } = await app.db.raw(`select from provider_callbacks where status = 'received'`)
    return rows.length === 0
  })
  expect((await shop.ledger(payment.id)).data).toMatchObject([{ entry_type: 'credit', amount: 10_000_000 }])
  expect((await shop.get(other.id)).data.status).toBe('pending')
})

test('a SNAP callback with an empty trxId finds its payment by virtual account number and marks it as paid', async () => {
  const { owner } = await managersOf(demo)
  const snapShop = await merchantWith(app, demo, 'snap')
  const { data: payment } = await snapShop.create()
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const known = (await app.accountOf(snapShop.accountId))?.account.credentials ?? {}
  await owner('PATCH', `/v1/providers/snap/accounts/${snapShop.accountId}`, {
    credentials: { ...known, provider_public_key: publicKey.export({ type: 'spki', format: 'pem' }) },
  })
  await until('the new key is in use', async () => {
    const { callbackRules } = (await app.accountOf(snapShop.accountId)) ?? {}
    return callbackRules?.previousCredentials.length === 1
  })
  const endpoint = '/v1.0/transfer-va/payment'
  const raw = JSON.stringify({
    partnerServiceId: '   77777',
    virtualAccountNo: `   ${await providerIdOf(payment)}`,
    trxId: '',
    paymentRequestId: 'request-1',
    paidAmount: { value: '100000.00', currency: 'IDR' },
    additionalInfo: { paymentFlagStatus: '00', merchantId: 'G812785002' },
  })
  const timestamp = app.clock().toISOString()
  const hash = createHash('sha256').update(raw).digest('hex')
  const signed = Buffer.from(`POST:${endpoint}:${hash}:${timestamp}`)
  const answer = await http('POST', `${demo.base_url}/v1/callbacks/snap/${snapShop.accountId}${endpoint}`, {
    raw,
    headers: {
      'x-timestamp': timestamp,
      'x-signature': sign('sha256', signed, privateKey).toString('base64'),
    },
  })
  expect(answer.status, answer.text).toBe(200)
  await withWorker()
  await until('the payment is paid', async () => (await snapShop.get(payment.id)).data.status === 'paid')
  expect((await snapShop.ledger(payment.id)).data).toMatchObject([
    { entry_type: 'credit', amount: 10_000_000 },
  ])
})

test('callbacks about money create one record of unexpected money for each unknown payment ID', async () => {
  const ids = [`T-${randomUUID()}`, `T-${randomUUID()}`] as const
  for (const id of [...ids, ids[0]]) await notify(id, 40_000)
  advance(61_000)
  const { owner } = await managersOf(demo)
  await withWorker()
  const records = await until('the callbacks are processed', async () => {
    const { items } = (await owner('GET', '/v1/unexpected-money?mode=test&kind=unknown_reference')).data
    return items.length >= 2 && items
  })
  expect(records.map((each: { receipt: string }) => each.receipt).sort()).toEqual([...ids].sort())
  for (const record of records)
    expect(record).toMatchObject({ status: 'open', reference: '', payment_id: null, amount: 4_000_000 })
  const { items } = (await owner('GET', '/v1/provider-callbacks?mode=test&status=unmatched')).data
  expect(items.map((each: { reason: string }) => each.reason)).toContain(
    `no payment of this account has the provider's id ${ids[0]}; its money waits for the Owner`,
  )
})
