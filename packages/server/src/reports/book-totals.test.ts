import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { tamper } from '../../test/support/ledger.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { sentWhile } from '../../test/support/sent-statements.ts'
import { type Account, accountIdOf } from '../ledger/account.ts'
import { postTransfers } from '../ledger/ledger.sql.ts'
import { transfer } from '../ledger/transfer.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { insertProviderAccount } from '../provider-accounts/provider-account.sql.ts'
import { newId } from '../values/id.ts'
import type { Mode } from '../values/mode.ts'
import { MAX_SUM } from '../values/money.ts'
import { reportBooks } from './book-totals.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let [midtrans, xendit] = [newId(), newId()]
beforeEach(async () => {
  database = await testDatabase()
  midtrans = await insertAccount('midtrans', 'Midtrans of Toko Budi')
  xendit = await insertAccount('xendit', 'Xendit of Toko Budi')
})

const report = (mode: Mode = 'live') => reportBooks(database, mode)

async function insertAccount(providerCode: string, name: string): Promise<string> {
  const of = { credentialsSealed: '', baseUrl: null, enabled: true, callbackSources: [], inquireAbove: null }
  const { id } = await insertProviderAccount(database.db, {
    ...{ id: newId(), providerCode, name, mode: 'live', ...of },
  })
  return id
}

/** Creates a paid payment with fees and returns its id. */
async function pay(tenantId: string, amount: bigint, providerAccountId: string, mode: Mode = 'live') {
  const fee = { version: 1, refund_fees: false, percent_bps: 0, min: null, max: null, tax_bps: 0 }
  const { id: paymentId, paymentCode: reference } = await insertPendingPayment(database.db, {
    ...{ tenantId, amount, providerAccountId, mode },
    feeTerms: { operator: { ...fee, fixed: 1_000 }, partner: { ...fee, fixed: 1_300 } },
  })
  const event = { type: 'paid', amountPaid: amount, paidAt: now, reference } as const
  const about = { tenantId, paymentId, event, cause: 'callback' } as const
  await database.db.transaction(tx => recordEvents(tx, [about], now))
  return paymentId
}

const move = (
  tenantId: string,
  from: Account,
  to: Account,
  amount: bigint,
  paymentId: string | null = null,
) =>
  database.db.transaction(tx =>
    postTransfers(
      tx,
      [
        {
          ...{ ...transfer(from, to, amount), tenantId, mode: 'live', paymentId },
          ...{ unexpectedMoneyId: null, referenceId: 'r', reason: 'a test' },
        },
      ],
      now,
    ),
  )

const nothing = {
  ...{ currency: 'IDR', provider_accounts: [], owed_by_providers: 0 },
  merchant_balances: { positive: 0, negative: 0 },
  ...{ operator_fees: 0, partner_fees: 0, refunds_in_transit: 0, payouts_in_transit: 0 },
  ...{ adjustment: 0, unassigned: 0, sum: 0, unbalanced_books: 0, balanced: true },
}

test('the report adds up each ledger account over all tenants in one mode, and lists negative merchant balances separately', async () => {
  const { db } = database
  const [one, other, third] = [await makeTenant(db), await makeTenant(db), await makeTenant(db)]
  const refunded = await pay(one, 500_000n, xendit)
  await pay(one, 100_000n, midtrans)
  await pay(other, 20_000n, midtrans)
  await pay(one, 77_700n, midtrans, 'test')
  await move(one, 'merchant', 'refunds_in_transit', 90_000n, refunded)
  await move(one, 'refunds_in_transit', 'adjustment', 30_000n)
  await move(other, 'merchant', 'payouts_in_transit', 7_000n)
  await move(third, 'merchant', 'adjustment', 400n)

  expect(await report()).toEqual({
    ...{ mode: 'live', currency: 'IDR' },
    provider_accounts: [
      { id: midtrans, provider_code: 'midtrans', name: 'Midtrans of Toko Budi', owed: 120_000 },
      { id: xendit, provider_code: 'xendit', name: 'Xendit of Toko Budi', owed: 500_000 },
    ],
    owed_by_providers: 620_000,
    // Each of the three live payments has a fee of 1,300 cents, of which the operator gets 1,000 cents.
    merchant_balances: { positive: 620_000 - 3 * 1_300 - 97_000, negative: -400 },
    ...{ operator_fees: 3_000, partner_fees: 900, refunds_in_transit: 60_000, payouts_in_transit: 7_000 },
    ...{ adjustment: 30_400, unassigned: 0, sum: 0, unbalanced_books: 0, balanced: true },
  })
  expect(await report('test')).toMatchObject({
    ...{ mode: 'test', owed_by_providers: 77_700, operator_fees: 1_000, partner_fees: 300, sum: 0 },
    merchant_balances: { positive: 76_400, negative: 0 },
  })
})

test('the ledger totals of a service without payments are zero', async () => {
  expect(await report()).toEqual({ mode: 'live', ...nothing })
  await makeTenant(database.db)
  expect(await report('test')).toEqual({ mode: 'test', ...nothing })
})

test("the report counts tenants' ledgers that do not sum to zero, even if their imbalances cancel each other out", async () => {
  const { db, url } = database
  const [one, other] = [await makeTenant(db), await makeTenant(db)]
  for (const each of [one, other]) await pay(each, 100_000n, midtrans)
  const change = (tenantId: string, by: number) =>
    tamper(url, [
      'update book_accounts set balance = balance + $2 where tenant_id = $1 and account_id = $3',
      [tenantId, by, accountIdOf('fee:operator')],
    ])
  await change(one, 7)
  expect(await report()).toMatchObject({ sum: 7, unbalanced_books: 1, balanced: false })
  await change(other, -7)
  expect(await report()).toMatchObject({ sum: 0, unbalanced_books: 2, balanced: false })
})

test('the ledger totals show no account name for a provider account that is no longer in the database', async () => {
  const absent = newId()
  await pay(await makeTenant(database.db), 100_000n, absent)
  expect(await report()).toMatchObject({
    provider_accounts: [{ id: absent, provider_code: null, name: null, owed: 100_000 }],
    ...{ owed_by_providers: 100_000, balanced: true },
  })
})

test('the ledger totals report fails if JSON cannot represent a total exactly', async () => {
  const fill = async () => move(await makeTenant(database.db), 'adjustment', 'merchant', MAX_SUM)
  await fill()
  expect((await report()).merchant_balances.positive).toBe(Number.MAX_SAFE_INTEGER)
  await fill()
  await expect(report()).rejects.toMatchObject({ code: 'BAD_REQUEST', fault: 'book_total_too_large' })
})

test('the ledger totals report takes two SQL statements, regardless of the number of tenants', async () => {
  const sell = async () => pay(await makeTenant(database.db), 100_000n, midtrans)
  await sell()
  const few = await sentWhile(() => report())
  for (let n = 0; n < 5; n++) await sell()
  const many = await sentWhile(() => report())
  expect(few).toHaveLength(2)
  expect(many.map(({ text }) => text)).toEqual(few.map(({ text }) => text))
})
