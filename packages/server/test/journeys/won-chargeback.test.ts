// Tests that the Owner records a Midtrans chargeback as won through the API.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { outerTransaction } from '../../src/db/outer-transaction.ts'
import { midtrans } from '../../src/providers/midtrans/midtrans.ts'
import type { AnyProvider, MoneyReturn } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { inboxBench, type Paid } from '../support/inbox.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { refusal } from '../support/management-api.ts'
import { http, logIn } from '../support/merchant.ts'

const AMOUNT = 10_000_000

/** The references of the orders with a chargeback. */
const charged = new Set<string>()
const chargeback: MoneyReturn = { kind: 'chargeback', id: null, amount: BigInt(AMOUNT), status: 'succeeded' }
let isInTransaction = false
const listing: AnyProvider = {
  ...midtrans,
  async inquire(account, inquiry) {
    isInTransaction ||= outerTransaction() !== undefined
    const result = await midtrans.inquire(account, inquiry)
    return typeof result !== 'string' && charged.has(inquiry.reference)
      ? { ...result, returns: [chargeback] }
      : result
  },
}

const { app, demo, advance, owner, shop, paid, tell, entriesOf, toldOf } = await inboxBench({
  providers: new Map([...providers, ['midtrans', listing]]),
})

const refundOf = async ({ id }: Paid) => (await shop.call('GET', `/v1/payments/${id}/refunds`)).data.at(-1)
const notify = async ({ payment_code }: Paid) => {
  advance(60_000)
  await tell(payment_code, { transaction_status: 'chargeback' }, 1)
}
/** Records the payment's last chargeback as won, with an idempotency key, as the SDK and the CLI do. */
const win = async (payment: Paid, key = randomUUID()) =>
  http('POST', `${demo.base_url}/v1/refunds/${(await refundOf(payment)).id}/resolve`, {
    ...{ auth: await logIn(demo, demo.owner), headers: { 'X-Idempotency-Key': key } },
    body: { outcome: 'failed', reason: 'the bank confirmed it' },
  })

test('a chargeback can be recorded as won only after Midtrans no longer lists it', async () => {
  const payment = await paid(AMOUNT)
  const before = await shop.balance()
  charged.add(payment.payment_code)
  await notify(payment)
  expect(await shop.balance()).toBe(before - AMOUNT)
  expect(refusal(await win(payment))).toEqual([
    409,
    'INVALID_STATE_TRANSITION',
    expect.stringContaining('Midtrans still reports this chargeback'),
  ])
  expect(await shop.balance()).toBe(before - AMOUNT)

  charged.delete(payment.payment_code)
  const key = randomUUID()
  const won = await win(payment, key)
  expect([won.status, won.data]).toMatchObject([
    200,
    { status: 'failed', origin: 'chargeback', failure_reason: 'the bank confirmed it' },
  ])
  expect(isInTransaction).toBe(false)
  const repeated = await win(payment, key)
  expect([repeated.data, repeated.headers.get('Idempotency-Replayed')]).toEqual([won.data, 'true'])
  expect(await shop.balance()).toBe(before)
  await notify(payment)
  expect(await shop.balance()).toBe(before)
  expect((await win(payment)).status).toBe(409)

  charged.add(payment.payment_code)
  for (let times = 0; times < 2; times++) await notify(payment)
  expect(await entriesOf(payment)).toEqual([
    ['credit', AMOUNT],
    ['debit', AMOUNT],
    ['credit', AMOUNT],
    ['debit', AMOUNT],
  ])
  expect(await toldOf(payment, 4)).toEqual([
    ['payment.paid'],
    ['payment.reversed', 'debit', AMOUNT],
    ['refund.failed', 'credit', AMOUNT],
    ['payment.reversed', 'debit', AMOUNT],
  ])
  const { data } = await owner('GET', `/v1/unexpected-money?payment_id=${payment.id}`)
  expect(data.items.map(({ status }: { status: string }) => status).sort()).toEqual(['accepted', 'dismissed'])
  expect(await ledgerDifferences(app)).toEqual([])
})
