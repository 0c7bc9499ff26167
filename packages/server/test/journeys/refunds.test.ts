// Tests refunds over HTTP with the provider sandboxes, from the request to the webhook.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { atOnce, http, logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'

const { app, demo } = await testApp()
const shop = merchantOf(demo)
const hook = await receiver(demo)
atEnd(async () => hook.close())
const owner = await logIn(demo, demo.owner)

const qris = { method_type: 'qris', method_detail: { type: 'qris' } }
async function paid(order: object) {
  const { data: payment } = await shop.create(order)
  await simulate(demo, payment, 'paid')
  await until('the payment is paid', async () => (await shop.get(payment.id)).data.status === 'paid')
  return payment
}
const refund = (payment: { id: string }, body: object, key: string = randomUUID()) =>
  shop.call('POST', `/v1/payments/${payment.id}/refunds`, { body, headers: { 'x-idempotency-key': key } })
const entriesOf = async (payment: { id: string }) =>
  (await shop.ledger(payment.id)).data.map((entry: { entry_type: string; amount: number }) => [
    entry.entry_type,
    entry.amount,
  ])

test('a QRIS refund is made by the provider, debited once and reported in a webhook', async () => {
  const [payment, key] = [await paid({ amount: 5_000_000, ...qris }), randomUUID()]
  const before = await shop.balance()
  const body = { amount: 2_000_000, reason: 'one book was missing' }
  const { data: made, status } = await refund(payment, body, key)
  expect(status).toBe(200)
  expect(made).toMatchObject({
    payment_id: payment.id,
    amount: 2_000_000,
    method: 'provider',
    origin: 'merchant',
  })
  expect((await refund(payment, body, key)).data.id).toBe(made.id)
  expect((await refund(payment, { amount: 1_000_000 }, key)).error?.code).toBe('IDEMPOTENCY_CONFLICT')
  await until(
    'the refund succeeds',
    async () => (await shop.call('GET', `/v1/refunds/${made.id}`)).data.status === 'succeeded',
  )
  expect(await shop.balance()).toBe(before - 2_000_000)
  expect(await entriesOf(payment)).toEqual([
    ['credit', 5_000_000],
    ['debit', 2_000_000],
  ])
  expect((await shop.get(payment.id)).data).toMatchObject({ status: 'paid', amount_refunded: 2_000_000 })
  const event = await until('the webhook arrives', async () =>
    hook.of(payment).find(each => each.body.type === 'payment.refunded'),
  )
  expect(event.body).toMatchObject({
    refund: { id: made.id, status: 'succeeded' },
    ledger_entry: { entry_type: 'debit', amount: 2_000_000 },
  })
  for (const path of [`/v1/payments/${payment.id}/refunds`, '/v1/refunds?status=succeeded']) {
    const { data } = await shop.call('GET', path)
    expect((data.items ?? data).map(({ id }: { id: string }) => id)).toContain(made.id)
  }
  const other = merchantOf(demo, demo.client2.test_key)
  expect((await other.call('GET', `/v1/refunds/${made.id}`)).status).toBe(404)
  expect((await http('GET', `${demo.base_url}/v1/refunds/${made.id}`, { auth: owner })).data.id).toBe(made.id)
})

test('the webhook of each partial refund names the one debit of this refund in the ledger', async () => {
  const payment = await paid({ amount: 5_000_000, ...qris })
  for (let count = 0; count < 2; count++)
    expect((await refund(payment, { amount: 1_000_000 })).status).toBe(200)
  const events = await until('both webhooks arrive', async () => {
    const found = hook.of(payment).filter(({ body }) => body.type === 'payment.refunded')
    return found.length === 2 && found
  })
  const { data: entries } = await shop.ledger(payment.id)
  const debited = entries.flatMap((entry: { entry_type: string; reference_id: string }) =>
    entry.entry_type === 'debit' ? [entry.reference_id] : [],
  )
  const named = events.map(({ body }) => (body.ledger_entry as { reference_id: string }).reference_id)
  expect(named.toSorted()).toEqual(debited.toSorted())
  expect(new Set(named).size).toBe(2)
})

test('an API key with only the scope refunds can make and read refunds, but cannot read payments', async () => {
  const payment = await paid({ amount: 5_000_000, ...qris })
  const { data: apiKey } = await http(
    'POST',
    `${demo.base_url}/v1/tenants/${demo.client.tenant_id}/api-keys`,
    {
      auth: await logIn(demo, demo.client),
      body: { mode: 'test', scopes: ['refunds'] },
    },
  )
  const { call } = merchantOf(demo, apiKey.key)
  const { data: made } = await call('POST', `/v1/payments/${payment.id}/refunds`, {
    body: { amount: 1_000_000 },
    headers: { 'x-idempotency-key': randomUUID() },
  })
  expect((await call('GET', `/v1/refunds/${made.id}`)).data).toMatchObject({ id: made.id, amount: 1_000_000 })
  expect((await call('GET', '/v1/refunds?limit=1')).data.items).toMatchObject([{ id: made.id }])
  expect((await call('GET', `/v1/payments/${payment.id}/refunds`)).data).toMatchObject([{ id: made.id }])
  for (const path of ['', `/${payment.id}`, `/${payment.id}/timeline`])
    expect((await call('GET', `/v1/payments${path}`)).status).toBe(403)
})

test('the sum of fifty concurrent refunds of a payment never exceeds the amount paid', async () => {
  const payment = await paid({ amount: 5_000_000, ...qris })
  const amounts = Array.from({ length: 50 }, () => 1_000_000)
  const answers = await atOnce(50, amounts, amount => refund(payment, { amount }))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  for (const { status, error } of answers)
    if (status !== 200) expect([status, error?.code]).toEqual([400, 'BAD_REQUEST'])
  expect((await entriesOf(payment)).slice(1)).toEqual(Array.from({ length: 5 }, () => ['debit', 1_000_000]))
})

test('a virtual account refund requires a bank account, and succeeds once the Owner enters the bank reference', async () => {
  const payment = await paid({})
  expect((await refund(payment, {})).error?.message).toMatch(/^bad request: bank_account: is required/)
  const bank_account = { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' }
  const { data: made } = await refund(payment, { amount: 1_000_000, bank_account })
  expect(made).toMatchObject({ status: 'pending', method: 'manual' })
  const asOwner = (method: string, path: string, body?: object) =>
    http(method, demo.base_url + path, { auth: owner, ...(body && { body }) })
  const { data: waiting } = await asOwner('GET', '/v1/refunds?waiting=true&mode=test')
  expect(waiting.items.map(({ id }: { id: string }) => id)).toContain(made.id)
  const resolve = (body: object) => asOwner('POST', `/v1/refunds/${made.id}/resolve`, body)
  expect((await resolve({ outcome: 'succeeded' })).error?.message).toMatch(/bank_reference/)
  expect((await resolve({ outcome: 'succeeded', bank_reference: 'TRF-1' })).data.status).toBe('succeeded')
  expect((await resolve({ outcome: 'failed', reason: 'returned' })).error?.code).toBe(
    'INVALID_STATE_TRANSITION',
  )
})

test('the webhook of a refund recorded as failed without a reason has a standard reason', async () => {
  const payment = await paid({})
  const bank_account = { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' }
  const { data: made } = await refund(payment, { amount: 1_000_000, bank_account })
  const { status, data: failed } = await http('POST', `${demo.base_url}/v1/refunds/${made.id}/resolve`, {
    auth: owner,
    body: { outcome: 'failed' },
  })
  const failure = { id: made.id, status: 'failed', failure_reason: 'the operator recorded the failure' }
  expect([status, failed]).toMatchObject([200, failure])
  expect((await entriesOf(payment)).at(-1)).toEqual(['credit', 1_000_000])
  const event = await until('the webhook arrives', async () =>
    hook.of(payment).find(each => each.body.type === 'refund.failed'),
  )
  expect(event.body.refund).toMatchObject(failure)
})

test('a refund request for a pending payment, or without an idempotency key, is rejected', async () => {
  const { data: payment } = await shop.create()
  expect((await refund(payment, {})).error?.code).toBe('INVALID_STATE_TRANSITION')
  const { error } = await shop.call('POST', `/v1/payments/${payment.id}/refunds`, { body: {} })
  expect(error?.message).toMatch(/X-Idempotency-Key/)
})

test('a Xendit refund webhook without a payment request is matched to the refund by our reference', async () => {
  const atXendit = await merchantWith(app, demo, 'xendit')
  const { data: payment } = await atXendit.create({
    method_type: 'e_wallet',
    method_detail: { type: 'e_wallet', wallet_type: 'dana' },
  })
  await simulate(demo, payment, 'paid')
  const refundOf = async () => (await atXendit.call('GET', `/v1/payments/${payment.id}/refunds`)).data[0]
  await until('the payment is paid', async () => (await atXendit.get(payment.id)).data.status === 'paid')
  const made = await atXendit.call('POST', `/v1/payments/${payment.id}/refunds`, {
    body: { amount: 1_000_000 },
    headers: { 'x-idempotency-key': randomUUID() },
  })
  expect(made.status, made.text).toBe(200)
  await until('the refund succeeds', async () => (await refundOf()).status === 'succeeded')

  const { provider_refund_id: id } = await refundOf()
  const credentials = (await app.accountOf(atXendit.accountId))?.account.credentials
  const { callback_token } = credentials as { callback_token: string }
  const data = {
    ...{ id, payment_request_id: null, payment_id: `py-${randomUUID()}`, status: 'SUCCEEDED' },
    ...{ reference_id: `${payment.payment_code}-R1`, currency: 'IDR', amount: 10_000 },
  }
  const path = `/v1/callbacks/xendit/${atXendit.accountId}`
  const sent = await http('POST', demo.base_url + path, {
    headers: { 'x-callback-token': callback_token },
    body: { event: 'refund.succeeded', business_id: 'b', data },
  })
  expect(sent.status).toBe(200)
  const stored = await until('the callback is applied', async () => {
    const { data: callbacks } = await http('GET', `${demo.base_url}/v1/provider-callbacks?mode=test`, {
      auth: owner,
    })
    const found = callbacks.items.find(({ body }: { body: string }) => body.includes(data.payment_id))
    return found.status !== 'received' && found
  })
  expect(stored).toMatchObject({ payment_id: payment.id })
  expect((await atXendit.ledger(payment.id)).data).toMatchObject([
    { entry_type: 'credit' },
    { amount: 1_000_000 },
  ])
  const { rows } = await app.db.raw("select 1 from unexpected_money where provider = 'xendit'")
  expect(rows).toEqual([])
})
