import { createHash, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeAll, expect, test } from 'vitest'
import { inquireAndRecord } from '../../src/payments/inquire/inquire-and-record.ts'
import { findPaymentByKeyInBatch } from '../../src/payments/payment.sql.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { type AnyProvider, ProviderError } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { replaceEntitlements } from '../../src/routing/replace-entitlements.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { createRequests, http, merchantOf, receiver, simulate, until } from '../support/merchant.ts'
import { storedCallbacksWith } from '../support/stored-callbacks.ts'

let { app, demo, advance, stopClock }: TestApp = {} as TestApp
let merchant: ReturnType<typeof merchantOf>

/**
 * Maps a payment's reference to a function that runs after a status inquiry about the payment, and that can delay the
 * inquiry's result.
 */
const inquiries = new Map<string, () => Promise<void>>()

/**
 * Maps a customer's name to a function that runs instead of the provider's `charge`. The function gets the real
 * `charge` as a parameter.
 */
const door = new Map<string, (charge: () => Promise<never>) => Promise<never>>()

beforeAll(async () => {
  const midtrans = providers.get('midtrans') as AnyProvider
  const guarded: AnyProvider = {
    ...midtrans,
    charge: (account, order) => {
      const charge = () => midtrans.charge(account, order) as Promise<never>
      return (door.get(order.customer.name) ?? (go => go()))(charge)
    },
    inquire: async (account, inquiry) => {
      const word = await midtrans.inquire(account, inquiry)
      await inquiries.get(inquiry.reference)?.()
      return word
    },
  }
  const overrides = { providers: new Map([...providers, ['midtrans', guarded]]) }
  ;({ app, demo, advance, stopClock } = await testApp({ overrides }))
  const accounts = demo.provider_accounts.filter(({ provider }) => provider === 'midtrans')
  await replaceEntitlements(
    app,
    null,
    demo.client.tenant_id,
    accounts.map(({ id }) => ({ providerAccountId: id, priority: 0 })),
  )
  merchant = merchantOf(demo)
})

const methods = [
  ['virtual_account', { bank: 'bca' }],
  ['virtual_account', { bank: 'Mandiri' }],
  ['virtual_account', { bank: 'PERMATA' }],
  ['qris', {}],
  ['e_wallet', { wallet_type: 'gopay' }],
  ['e_wallet', { wallet_type: 'SHOPEEPAY' }],
  ['over_the_counter', { store: 'alfamart' }],
  ['over_the_counter', { store: 'INDOMARET' }],
] as const

test.each(methods)(
  'a payment by the method %s (%o) is created, paid and credited, and its webhook is sent',
  async (type, channel) => {
    const hook = await receiver(demo)
    const before = await merchant.balance()
    const created = await merchant.create({
      method_type: type,
      method_detail: { type, ...channel },
      amount: 7_500_000,
    })
    expect(created.status).toBe(200)
    expect(created.data).toMatchObject({ status: 'pending', paid_at: null, amount_paid: null })
    expect(created.data.method_data).toMatchObject({ type, ...channel })

    const acknowledged = await simulate(demo, created.data, 'paid', { copies: 3 })
    expect(acknowledged.map(each => each.status)).toEqual([200, 200, 200])
    const paid = await untilStatus(created.data.id, 'paid')
    expect(await merchant.balance()).toBe(before + 7_500_000)
    expect((await merchant.ledger(paid.id)).data).toHaveLength(1)
    expect((await merchant.call('GET', '/v1/payments?limit=1')).data.items).toEqual([paid])

    const [told] = await until('the webhook arrives', () => hook.of(paid).length > 0 && hook.of(paid))
    expect(new Webhook(hook.secret).verify(told?.raw ?? '', told?.headers ?? {})).toEqual({
      id: told?.headers['x-service-event-id'],
      type: 'payment.paid',
      created_at: expect.any(String),
      mode: 'test',
      previous_status: 'pending',
      data: paid,
    })
    hook.close()
  },
)

test('an overpaid payment becomes paid, and the full amount received is credited', async () => {
  const { data } = await merchant.create({ amount: 1_000_000 })
  await simulate(demo, data, 'paid', { amount: 1_500_000 })
  expect(await untilStatus(data.id, 'paid')).toMatchObject({ amount: 1_000_000, amount_paid: 1_500_000 })
  expect((await merchant.ledger(data.id)).data).toMatchObject([{ amount: 1_500_000 }])
})

test('a payment can be read and cancelled with its id in uppercase', async () => {
  const { data } = await merchant.create()
  const id = data.id.toUpperCase()
  expect((await merchant.get(id)).data).toEqual(data)
  expect(await merchant.cancel(id)).toMatchObject({ status: 200, data: { id: data.id, status: 'cancelled' } })
  expect((await merchant.get(data.id)).data.status).toBe('cancelled')
})

test('a charge that timed out is not repeated once a status inquiry has found its order', async () => {
  stopClock()
  const key = randomUUID()
  const refused = await merchant.create({ customer_name: 'SANDBOX TIMEOUT' }, key)
  expect([refused.status, refused.error.code]).toEqual([502, 'PROVIDER_ERROR'])
  expect(await statusOf(key)).toBe('unknown')

  advance(6_000)
  await until(
    'the sweep has found the outcome of the charge',
    async () => (await statusOf(key)) === 'pending',
  )
  const repeated = await merchant.create({ customer_name: 'SANDBOX TIMEOUT' }, key)
  expect(repeated.status).toBe(200)
  expect(repeated.headers.get('idempotency-replayed')).toBe('true')
  expect(repeated.data.method_data.va_number).toMatch(/^\d+$/)
  expect(await createRequests(demo, repeated.data)).toHaveLength(1)
})

test('if the service crashes after an accepted charge, a repeated request returns the existing payment', async () => {
  const key = randomUUID()
  door.set('crash after', async charge => {
    await charge()
    return new Promise<never>(() => {})
  })
  merchant.create({ customer_name: 'crash after' }, key).catch(() => 'the merchant gets no response')
  await until('the order is at the provider', async () => {
    const row = await rowOf(key)
    return row && (await createRequests(demo, row)).length === 1
  })
  advance(20_000)
  const repeated = await merchant.create({ customer_name: 'crash after' }, key)
  expect(repeated.data).toMatchObject({ status: 'pending', idempotency_key: key })
  expect(await createRequests(demo, repeated.data)).toHaveLength(1)
})

test('if the service crashes before it calls the provider, a repeated request charges only once', async () => {
  const key = randomUUID()
  door.set('crash before', () => new Promise<never>(() => {}))
  merchant.create({ customer_name: 'crash before' }, key).catch(() => 'the merchant gets no response')
  await until('the payment is stored', () => rowOf(key))
  door.delete('crash before')
  advance(20_000)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => merchant.create({ customer_name: 'crash before' }, key)),
  )
  expect(answers.map(each => each.status)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(answers.map(each => each.data.id)).size).toBe(1)
  expect(await createRequests(demo, answers[0]?.data)).toHaveLength(1)
})

test('a repeated request charges the payment if another process has found no order at the provider', async () => {
  const key = randomUUID()
  const order = { customer_name: 'found absent' }
  door.set('found absent', () => new Promise<never>(() => {}))
  merchant.create(order, key).catch(() => 'the merchant gets no response')
  await until('the payment is stored', () => rowOf(key))
  door.delete('found absent')
  advance(20_000)
  const payment = await findPaymentByKeyInBatch(app.db, demo.client.tenant_id, 'test', key)
  expect((await inquireAndRecord(app, payment as Payment)).status).toBe('uncharged')
  // Moves the clock back, so that the repeated request counts as received before the inquiry.
  advance(-5_000)
  const repeated = await merchant.create(order, key)
  expect([repeated.status, repeated.data?.status]).toEqual([200, 'pending'])
  expect(await createRequests(demo, repeated.data)).toHaveLength(1)
})

test('an inquiry that found no order does not end a charge attempt started in the meantime', async () => {
  const key = randomUUID()
  const order = { customer_name: 'overtaken' }
  door.set('overtaken', () => new Promise<never>(() => {}))
  merchant.create(order, key).catch(() => 'the merchant gets no response')
  const row = await until('the payment is stored', () => rowOf(key))
  door.delete('overtaken')
  // The worker must not send an inquiry itself, because the repeated create request would then send none.
  await app.db.raw("update payments set next_check_at = now() + interval '10 days' where payment_code = ?", [
    row.payment_code,
  ])
  advance(20_000)
  // The first inquiry finds no order, but the test holds back its result. Meanwhile, an inquiry of another process
  // returns, and a second charge attempt succeeds.
  const asked = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  inquiries.set(row.payment_code, () => {
    asked.resolve()
    return late.promise
  })
  const overtaken = merchant.create(order, key)
  await asked.promise
  inquiries.delete(row.payment_code)
  const payment = await findPaymentByKeyInBatch(app.db, demo.client.tenant_id, 'test', key)
  await inquireAndRecord(app, payment as Payment)
  const received = Promise.withResolvers<void>()
  door.set('overtaken', async charge => {
    const accepted = await charge()
    await received.promise
    return accepted
  })
  const second = merchant.create(order, key)
  await until('the second attempt has charged', async () => (await createRequests(demo, row)).length === 1)
  late.resolve()
  await new Promise(resolve => setTimeout(resolve, 300))
  // The payment can already be `pending`, because the provider's callback about the second charge attempt may
  // have arrived earlier.
  expect(['charging', 'pending']).toContain(await statusOf(key))
  received.resolve()
  expect((await second).data.id).toBe((await overtaken).data.id)
  expect(await createRequests(demo, row)).toHaveLength(1)
})

test('a charge that timed out is not repeated while its request may still reach the provider', async () => {
  stopClock()
  const key = randomUUID()
  const order = { customer_name: 'still on its way' }
  door.set('still on its way', () => Promise.reject(new ProviderError('unknown', 'no answer within 10 s')))
  expect((await merchant.create(order, key)).status).toBe(502)
  door.delete('still on its way')
  const row = (await rowOf(key)) as { payment_code: string }
  let inquiriesSent = 0
  inquiries.set(row.payment_code, async () => {
    inquiriesSent += 1
  })
  for (let i = 0; i < 2; i++) {
    const early = await merchant.create(order, key)
    expect([early.status, early.headers.get('retry-after')]).toEqual([502, '5'])
  }
  expect(inquiriesSent).toBe(1)
  expect(await statusOf(key)).toBe('unknown')
  expect(await createRequests(demo, row)).toHaveLength(0)

  advance(20_000)
  const later = await merchant.create(order, key)
  expect(later.data.status).toBe('pending')
  expect(await createRequests(demo, later.data)).toHaveLength(1)
})

test('a repeated create request charges again if the first charge certainly created nothing', async () => {
  const key = randomUUID()
  door.set('closed', () => Promise.reject(new ProviderError('unavailable', 'could not be reached')))
  const refused = await merchant.create({ customer_name: 'closed' }, key)
  expect(refused.error.message).toMatch(
    /^provider error \[midtrans\]: could not be reached; nothing was created/,
  )
  door.delete('closed')
  expect((await merchant.create({ customer_name: 'closed' }, key)).data.status).toBe('pending')
})

test('a create request returns the payment as paid if the money arrives before the charge response', async () => {
  const key = randomUUID()
  door.set('hasty', async charge => {
    const accepted = await charge()
    const row = await rowOf(key)
    await simulate(demo, row as { payment_code: string }, 'paid')
    await until('the payment is paid', async () => (await statusOf(key)) === 'paid')
    return accepted
  })
  const { data } = await merchant.create({ customer_name: 'hasty' }, key)
  expect(data).toMatchObject({
    status: 'paid',
    amount_paid: 10_000_000,
    method_data: { va_number: expect.stringMatching(/^\d+$/) },
  })
  expect((await merchant.ledger(data.id)).data).toHaveLength(1)
})

test('an overdue payment whose callback was lost becomes paid instead of expired', async () => {
  const hook = await receiver(demo)
  const [unpaid, paid] = await Promise.all([merchant.create(), merchant.create()])
  await simulate(demo, paid.data, 'paid', { silently: true })
  advance(61 * 60_000)
  await untilStatus(unpaid.data.id, 'expired')
  expect(await untilStatus(paid.data.id, 'paid')).toMatchObject({ status: 'paid', amount_paid: 10_000_000 })
  expect((await merchant.ledger(paid.data.id)).data).toHaveLength(1)
  const [told] = await until(
    'the webhook arrives',
    () => hook.of(unpaid.data).length > 0 && hook.of(unpaid.data),
  )
  expect(told?.body.type).toBe('payment.expired')

  await simulate(demo, unpaid.data, 'paid')
  expect((await untilStatus(unpaid.data.id, 'paid')).amount_paid).toBe(10_000_000)
  hook.close()
})

test('a notification that does not prove a payment triggers a status inquiry and credits nothing', async () => {
  const { data } = await merchant.create()
  const account = demo.provider_accounts.find(each => each.mode === 'test')
  const answer = await callBack(account?.id ?? '', account?.ours?.server_key ?? '', {
    ...settlementOf(data),
    status_code: '201',
  })
  expect(answer.status).toBe(200)
  await until('the callback is applied', async () =>
    (await callbacksOf(data)).some(each => each.status !== 'received'),
  )
  expect((await merchant.get(data.id)).data.status).toBe('pending')
  expect((await merchant.ledger(data.id)).data).toEqual([])
})

test('a callback signed with another account’s credentials does not change a payment', async () => {
  const { data } = await merchant.create()
  const live = demo.provider_accounts.find(each => each.mode === 'live')
  const answer = await callBack(live?.id ?? '', live?.ours?.server_key ?? '', settlementOf(data))
  expect(answer.status).toBe(200)
  await until('the callback is unmatched', async () =>
    (await callbacksOf(data)).some(each => each.status === 'unmatched'),
  )
  expect((await merchant.get(data.id)).data.status).toBe('pending')
})

test('a forged callback is rejected, and the service stores at most a fixed number of rejected callbacks', async () => {
  const { data } = await merchant.create()
  const account = demo.provider_accounts.find(each => each.mode === 'test')
  for (let i = 0; i < 3; i++) {
    const answer = await callBack(account?.id ?? '', 'SB-Mid-server-somebody-else', settlementOf(data))
    expect([answer.status, answer.error.code]).toEqual([401, 'UNAUTHORIZED'])
  }
  await asOwner(app.db, owner => owner.raw(`select setval('rejected_callback_slots', 200)`))
  await callBack(account?.id ?? '', 'SB-Mid-server-somebody-else', settlementOf(data))
  const { rows } = await app.db.raw('select slot from rejected_callbacks')
  expect(rows.length).toBeLessThanOrEqual(200)
  expect((await merchant.get(data.id)).data.status).toBe('pending')
})

test('a callback to a URL that belongs to no provider account gets an error response', async () => {
  const account = demo.provider_accounts[0]?.id
  const at = (path: string, method = 'POST') =>
    http(method, `${demo.base_url}/v1/callbacks/${path}`, method === 'POST' ? { raw: '{}' } : {})
  expect((await at(`midtrans/${randomUUID()}`)).status).toBe(404)
  expect((await at('midtrans/none')).status).toBe(404)
  expect((await at(`xendit/${account}`)).status).toBe(404)
  expect((await at(`midtrans/${account}`, 'GET')).status).toBe(405)
  expect(
    (await http('POST', `${demo.base_url}/v1/callbacks/midtrans/${account}`, { raw: 'x'.repeat(300_000) }))
      .status,
  ).toBe(413)
})

async function untilStatus(id: string, status: string) {
  return until(`${id} is ${status}`, async () => {
    const { data } = await merchant.get(id)
    return data?.status === status && data
  })
}

async function rowOf(key: string): Promise<{ payment_code: string; status: string } | undefined> {
  const { rows } = await app.db.raw('select payment_code, status from payments where idempotency_key = ?', [
    key,
  ])
  return rows[0]
}

const statusOf = async (key: string) => (await rowOf(key))?.status

const callbacksOf = async (payment: { payment_code: string }): Promise<{ status: string }[]> =>
  (await storedCallbacksWith(app.db, payment.payment_code, 'settlement')).map(({ status }) => ({ status }))

const settlementOf = (payment: { payment_code: string; provider_payment_id: string }) => ({
  order_id: payment.payment_code,
  transaction_id: payment.provider_payment_id,
  status_code: '200',
  gross_amount: '100000.00',
  currency: 'IDR',
  payment_type: 'bank_transfer',
  transaction_status: 'settlement',
  fraud_status: 'accept',
})

/** Sends a callback with Midtrans' signature, which is computed here without the service's code. */
function callBack(accountId: string, serverKey: string, message: ReturnType<typeof settlementOf>) {
  const signature_key = createHash('sha512')
    .update(message.order_id + message.status_code + message.gross_amount + serverKey)
    .digest('hex')
  return http('POST', `${demo.base_url}/v1/callbacks/midtrans/${accountId}`, {
    body: { ...message, signature_key },
  })
}
