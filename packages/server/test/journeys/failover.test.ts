// Tests the fallback to another provider account. If it is certain that no order exists at an account, the service
// charges the next account with a new order reference. If an order may exist, the service charges no other account,
// because the payer could then pay twice.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { eraseCustomers } from '../../src/customers/customer.sql.ts'
import { listAttempts } from '../../src/payments/attempt.sql.ts'
import { findPaymentByKeyInBatch } from '../../src/payments/payment.sql.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { signatureOf } from '../../src/providers/midtrans/signature.ts'
import { type AnyProvider, ProviderError, type ProviderErrorKind } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Managers, managersOf } from '../support/management-api.ts'
import { createRequests, http, merchantOf, receiver, simulate, until } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let as: Managers
let merchant: ReturnType<typeof merchantOf>
/**
 * The merchant's provider accounts in order of priority. Charges at the first account fail, because nothing
 * listens at its address.
 */
let accounts: [closed: string, ill: string, well: string]
/**
 * Maps a customer's name to the error with which the second provider account rejects this customer's payments. The
 * account accepts all other payments.
 */
const faults = new Map<string, ProviderErrorKind>()
const open = new Set<string>()

const SERVER_KEY = 'SB-Mid-server-failover'
const NOBODY = 'http://127.0.0.1:9'
const CUSTOMER = 'Budi Santoso'

beforeAll(async () => {
  const midtrans = providers.get('midtrans') as AnyProvider
  const guarded: AnyProvider = {
    ...midtrans,
    async charge(account, order) {
      const fault = account.id === accounts[1] ? faults.get(order.customer.name) : undefined
      if (fault) throw new ProviderError(fault, `the second says ${fault}`)
      return midtrans.charge(account, order)
    },
  }
  const overrides = { providers: new Map([...providers, ['midtrans', guarded]]) }
  ;({ app, demo } = await testApp({ overrides }))
  app.health.isOpen = id => open.has(id)
  as = await managersOf(demo)
  const account = async (base_url: string): Promise<string> => {
    const credentials = { server_key: SERVER_KEY }
    const body = { mode: 'test', name: 'One of three', credentials, base_url }
    return (await as.owner('POST', '/v1/providers/midtrans/accounts', body)).data.id
  }
  const sandbox = `${demo.sandbox_url}/midtrans`
  accounts = [await account(NOBODY), await account(sandbox), await account(sandbox)]
  const items = accounts.map((id, priority) => ({ provider_account_id: id, priority }))
  await as.owner('PUT', `/v1/tenants/${demo.client.tenant_id}/entitlements`, { items })
  merchant = merchantOf(demo)
  // In this test, the service rereads its settings every half second, because it is not notified of changes
  // to them.
  await new Promise(resolve => setTimeout(resolve, 600))
})

async function keptOf(key: string): Promise<Payment> {
  const payment = await findPaymentByKeyInBatch(app.db, demo.client.tenant_id, 'test', key)
  if (!payment) throw new Error('there is no such payment')
  return payment
}

test('if the connection to a provider is refused, the next account is charged with a new order reference', async () => {
  const hook = await receiver(demo)
  const key = randomUUID()
  const created = await merchant.create({}, key)
  expect(created.data).toMatchObject({ status: 'pending', provider: 'midtrans' })
  const payment = await keptOf(key)
  expect(payment).toMatchObject({ attempt: 2, providerAccountId: accounts[1] })
  const code = created.data.payment_code
  expect(await listAttempts(app.db, payment)).toMatchObject([
    { number: 1, reference: code, reason: 'could not be reached' },
    { number: 2, reference: `${code}-2`, endedAt: null, reason: null },
  ])
  expect(await createRequests(demo, created.data)).toMatchObject([{ reference: `${code}-2` }])

  expect(await simulate(demo, created.data, 'paid')).toMatchObject([{ status: 200 }])
  await until('the webhook arrives', () => hook.of(created.data).length === 1)
  expect((await merchant.ledger(created.data.id)).data).toMatchObject([
    { entry_type: 'credit', amount: 10_000_000, reference_id: code },
  ])
  hook.close()
})

test.each(['unavailable', 'inactive'] as const)(
  'if the first provider account cannot be reached and the second returns the error %s, the payment is charged at the third account',
  async fault => {
    faults.set(`${CUSTOMER} ${fault}`, fault)
    const key = randomUUID()
    const created = await merchant.create({ customer_name: `${CUSTOMER} ${fault}` }, key)
    expect(created.data).toMatchObject({ status: 'pending' })
    const payment = await keptOf(key)
    expect(payment).toMatchObject({ attempt: 3, providerAccountId: accounts[2], failureReason: null })
    expect((await listAttempts(app.db, payment)).map(each => each.reason)).toEqual([
      'could not be reached',
      `the second says ${fault}`,
      null,
    ])
  },
)

test.each(['declined', 'invalid'] as const)(
  'if a provider account reports a charge as %s, the payment is rejected, and no further account is tried',
  async fault => {
    faults.set(`${CUSTOMER} ${fault}`, fault)
    const key = randomUUID()
    for (let i = 0; i < 2; i++) {
      const refused = await merchant.create({ customer_name: `${CUSTOMER} ${fault}` }, key)
      expect(refused).toMatchObject({ status: 502, error: { code: 'PROVIDER_ERROR' } })
    }
    expect(await keptOf(key)).toMatchObject({ status: 'rejected', attempt: 2 })
  },
)

test('[M20] after a charge with an unknown outcome, no other provider account is charged', async () => {
  faults.set(`${CUSTOMER} unknown`, 'unknown')
  const key = randomUUID()
  const lost = await merchant.create({ customer_name: `${CUSTOMER} unknown` }, key)
  expect(lost).toMatchObject({ status: 502, error: { code: 'PROVIDER_ERROR' } })
  const payment = await keptOf(key)
  expect(payment).toMatchObject({ status: 'unknown', attempt: 2, providerAccountId: accounts[1] })
  expect(await createRequests(demo, { payment_code: payment.paymentCode })).toEqual([])
})

test('a repeated request tries all accounts again if no provider account accepted the payment', async () => {
  const key = randomUUID()
  const steered = { customer_name: 'SANDBOX OUTAGE' }
  expect(await merchant.create(steered, key)).toMatchObject({ status: 502 })
  expect(await keptOf(key)).toMatchObject({ status: 'uncharged', attempt: 3 })
  expect(await merchant.create(steered, key)).toMatchObject({ status: 502 })
  expect(await keptOf(key)).toMatchObject({ status: 'uncharged', attempt: 6 })
  const references = (await listAttempts(app.db, await keptOf(key))).map(each => each.reference)
  expect(new Set(references).size).toBe(6)
})

test('after 150 charge attempts, a repeated create request gets a longer Retry-After and starts no further charge', async () => {
  const key = randomUUID()
  const steered = { customer_name: 'SANDBOX OUTAGE' }
  await merchant.create(steered, key)
  await app.db.raw('update payments set attempt = 150 where id = ?', [(await keptOf(key)).id])
  const refused = await merchant.create(steered, key)
  expect(refused).toMatchObject({ status: 502, error: { code: 'PROVIDER_ERROR' } })
  expect(refused.headers.get('retry-after')).toBe('500')
  expect(await keptOf(key)).toMatchObject({ status: 'uncharged', attempt: 150 })
})

test('a repeated create request charges with its own payer data if the stored data was erased', async () => {
  const key = randomUUID()
  const steered = { customer_name: 'SANDBOX OUTAGE' }
  await merchant.create(steered, key)
  const { tenantId, id } = await keptOf(key)
  expect(await eraseCustomers(app.db, tenantId, [id], new Date())).toBe(1)
  // The sandbox simulates an outage only for this payer name, so the error 502 shows that the charge
  // contained the name.
  expect(await merchant.create(steered, key)).toMatchObject({ status: 502 })
  expect(await keptOf(key)).toMatchObject({ status: 'uncharged', attempt: 6, customerName: '' })
})

test('a provider account with an open circuit breaker is skipped while another account is healthy', async () => {
  open.add(accounts[0])
  const key = randomUUID()
  expect((await merchant.create({}, key)).data).toMatchObject({ status: 'pending' })
  expect(await keptOf(key)).toMatchObject({ attempt: 1, providerAccountId: accounts[1] })
  open.clear()
})

test('a payment is charged even if the circuit breakers of all provider accounts are open', async () => {
  for (const id of accounts) open.add(id)
  const key = randomUUID()
  expect((await merchant.create({}, key)).data).toMatchObject({ status: 'pending' })
  expect(await keptOf(key)).toMatchObject({ attempt: 2 })
  open.clear()
})

/** Sends Midtrans' callback with the given reference to a provider account. */
async function call(accountId: string, reference: string, fields: object) {
  const message = {
    order_id: reference,
    status_code: '200',
    transaction_id: `t-${reference}`,
    gross_amount: '100000.00',
    payment_type: 'bank_transfer',
    transaction_status: 'settlement',
    ...fields,
  }
  const body = { ...message, signature_key: signatureOf(message, SERVER_KEY) }
  return http('POST', `${demo.base_url}/v1/callbacks/midtrans/${accountId}`, { body })
}

test('the failure of an earlier charge attempt leaves the payment open', async () => {
  const key = randomUUID()
  const created = await merchant.create({}, key)
  await call(accounts[0], created.data.payment_code, { status_code: '202', transaction_status: 'expire' })
  const { rows } = await until('the callback is applied', async () => {
    const found = await app.db.raw(
      "select status from provider_callbacks where payment_id = ? and provider_account_id = ? and status <> 'received'",
      [created.data.id, accounts[0]],
    )
    return found.rows.length > 0 && found
  })
  expect(rows).toEqual([{ status: 'ignored' }])
  expect((await merchant.get(created.data.id)).data.status).toBe('pending')
})

test('if the payer pays the order of an earlier charge attempt, the payment becomes paid', async () => {
  const created = await merchant.create()
  await call(accounts[0], created.data.payment_code, {})
  await until('the payment is paid', async () => (await merchant.get(created.data.id)).data.status === 'paid')
  expect((await merchant.ledger(created.data.id)).data).toMatchObject([{ amount: 10_000_000 }])
  // The payer also pays the last attempt's order. Because the payment is already paid, this money awaits the
  // Owner's decision.
  await simulate(demo, created.data, 'paid')
  const { rows } = await until('the money is in the inbox', async () => {
    const found = await app.db.raw('select kind, reference from unexpected_money where payment_id = ?', [
      created.data.id,
    ])
    return found.rows.length > 0 && found
  })
  expect(rows).toEqual([{ kind: 'second_payment', reference: `${created.data.payment_code}-2` }])
  expect((await merchant.ledger(created.data.id)).data).toHaveLength(1)
})
