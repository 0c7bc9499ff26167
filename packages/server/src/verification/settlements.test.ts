// Tests that ledger verification compares the accounts of providers with the settlements that the Owner uploaded.

import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { ledgerDifferences, tamper } from '../../test/support/ledger.ts'
import { now } from '../../test/support/make.ts'
import { bankAccount, refundScene } from '../../test/support/refund-scene.ts'
import { sumSettlement } from '../settlements/settlement.sql.ts'
import { dayOf, daysBefore } from '../values/day.ts'
import { newId } from '../values/id.ts'

const { db, url } = await testDatabase()
const today = dayOf(now)
const yesterday = daysBefore(today, 1)
const tomorrow = daysBefore(today, -1)
const twoWeeksLater = daysBefore(today, -15)

type Line = ['paid' | 'refunded' | 'reversed', number, (string | undefined)?]

/** Creates a payment of Rp 1,000 that was paid today, at a provider account of its own. */
async function paidPayment(amount = 100_000n) {
  const scene = refundScene(db)
  await scene.begin()
  const { tenantId, id, providerAccountId: accountId } = scene.payment
  await db.raw(
    `insert into provider_accounts (id, provider_code, mode, name, credentials_sealed)
     values (?, 'midtrans', 'live', 'an account', 'sealed')`,
    [accountId],
  )
  await scene.receive(amount, 'r-1')
  return Object.assign(scene, {
    accountId,
    /** Stores a settlement. A line without a payment ID belongs to the payment that this test created. */
    async settle(date: string, ...lines: Line[]): Promise<string> {
      const settlementId = newId()
      await db.raw(
        'insert into settlements (id, provider_account_id, date, uploaded_at) values (?, ?, ?, now())',
        [settlementId, accountId, date],
      )
      for (const [n, [status, amount, paymentId = id]] of lines.entries())
        await db.raw(
          `insert into settlement_lines (settlement_id, line, date, reference, status, amount, fee, tenant_id, payment_id)
           select ?, ?, ?, 'r', ?, ?, 10, tenant_id, id from payments where id = ?`,
          [settlementId, n + 2, date, status, amount, paymentId],
        )
      await sumSettlement(db as never, settlementId)
      return settlementId
    },
    /** Returns the differences that ledger verification finds for this test's provider account. */
    async found(): Promise<object[]> {
      return (await ledgerDifferences({ db }))
        .filter(each => 'provider_account_id' in each && each.provider_account_id === accountId)
        .map(({ provider_account_id: _, mode: __, tenant_id: of, ...rest }: Record<string, unknown>) => {
          expect([undefined, tenantId]).toContain(of)
          return rest
        })
    },
  })
}

test('ledger verification accepts a settlement whose payments, refunds and chargebacks are in the books', async () => {
  const { report, settle, found } = await paidPayment()
  await report({ amount: 30_000n })
  await report({ amount: 20_000n, kind: 'chargeback', id: 'cb-1' })
  await settle(today, ['paid', 100_000], ['refunded', 30_000])
  await settle(tomorrow, ['reversed', 20_000])
  expect(await found()).toEqual([])
})

test('ledger verification reports each payment that differs from its settlement, even if two differences cancel out', async () => {
  const { payment, settle, found, accountId } = await paidPayment()
  const other = await paidPayment()
  await tamper(url, [
    'update payments set provider_account_id = $1 where id = $2',
    [accountId, other.payment.id],
  ])
  await tamper(url, [
    'update ledger_entries set counter_account = $1 where payment_id = $2',
    [accountId, other.payment.id],
  ])
  await settle(today, ['paid', 100_100])
  const own = { kind: 'settlement_differs', date: today, payment_id: payment.id }
  expect(await found()).toEqual([{ ...own, expected: '100100', found: '100000' }])
  await db.raw(
    `insert into settlement_lines (settlement_id, line, date, reference, status, amount, tenant_id, payment_id)
     select id, 3, date, 'r', 'paid', 99900, ?, ? from settlements where provider_account_id = ?`,
    [payment.tenantId, newId(), accountId],
  )
  await tamper(url, ['update settlements set amount = 200000 where provider_account_id = $1', [accountId]])
  expect(await found()).toEqual(
    expect.arrayContaining([
      { ...own, expected: '100100', found: '100000' },
      expect.objectContaining({ kind: 'settlement_differs', expected: '99900', found: '0' }),
    ]),
  )
})

test.each<'refunded' | 'reversed'>(['refunded', 'reversed'])(
  'ledger verification reports money that a settlement lists as %s but that was not debited in any ledger',
  async status => {
    const { payment, settle, found } = await paidPayment()
    await settle(today, ['paid', 100_000], [status, 30_000])
    expect(await found()).toEqual([
      {
        ...{ kind: 'settled_return_differs', date: today, payment_id: payment.id },
        ...{ expected: '30000', found: '0' },
      },
    ])
  },
)

test('ledger verification reports a refund if, after two weeks, the settlements list a smaller amount than the ledger', async () => {
  const { payment, report, settle, found } = await paidPayment()
  await report({ amount: 30_000n })
  await settle(today, ['refunded', 20_000])
  await settle(tomorrow, ['refunded', 8_000])
  expect(await found(), 'the rest may be in a later settlement').toEqual([])
  await settle(twoWeeksLater, ['refunded', 1_000])
  expect(await found()).toEqual([
    {
      ...{ kind: 'settled_return_differs', date: twoWeeksLater, payment_id: payment.id },
      ...{ expected: '29000', found: '30000' },
    },
  ])
})

test('ledger verification expects settlements to list a chargeback only after the merchant has lost it', async () => {
  const { report, settle, found } = await paidPayment()
  const chargeback = { kind: 'chargeback', id: 'cb-1', amount: 40_000n } as const
  await report({ ...chargeback, status: 'pending' })
  await report({ amount: 10_000n })
  await settle(twoWeeksLater, ['refunded', 10_000])
  expect(await found(), 'pending').toEqual([])
  await report({ ...chargeback, amount: 25_000n, status: 'succeeded' })
  await settle(daysBefore(today, -16), ['reversed', 25_000])
  expect(await found(), 'lost in part').toEqual([])
})

test('ledger verification reports a difference if a settlement lists twice the amount of a pending chargeback', async () => {
  const { report, settle, found } = await paidPayment()
  await report({ kind: 'chargeback', id: 'cb-1', amount: 40_000n, status: 'pending' })
  await settle(today, ['reversed', 80_000])
  expect(await found()).toMatchObject([{ expected: '80000', found: '40000' }])
})

test('ledger verification reports a settled refund deleted from the ledger, even if all balances match', async () => {
  const { payment, report, settle, found } = await paidPayment()
  await report({ amount: 30_000n })
  await settle(today, ['paid', 100_000], ['refunded', 30_000])
  await tamper(
    url,
    [`delete from ledger_entries where payment_id = $1 and entry_type = 'debit'`, [payment.id]],
    ['delete from refunds where payment_id = $1', [payment.id]],
    [
      'update balances set balance = 100000, version = 1 where tenant_id = $1 and version > 0',
      [payment.tenantId],
    ],
    ['update book_accounts set balance = -100000 where tenant_id = $1', [payment.tenantId]],
  )
  expect(await found()).toMatchObject([{ kind: 'settled_return_differs', expected: '30000', found: '0' }])
})

test('ledger verification reports no difference for a settled chargeback that the merchant won later', async () => {
  const { report, settle, found } = await paidPayment()
  await report({ amount: 40_000n, kind: 'chargeback', id: 'cb-1' })
  await settle(today, ['paid', 100_000], ['reversed', 40_000])
  await report({ amount: 40_000n, kind: 'chargeback', id: 'cb-1', status: 'failed' })
  expect(await found()).toEqual([])
})

test("ledger verification accepts a settled refund that still awaits the Owner's decision", async () => {
  const { report, settle, found } = await paidPayment()
  await report({ amount: 150_000n })
  await settle(today, ['paid', 100_000], ['refunded', 150_000])
  expect(await found()).toEqual([])
})

test('ledger verification reports no difference for a settled refund of money that was never credited', async () => {
  const scene = await paidPayment(120_000n)
  await scene.settle(today, ['paid', 120_000])
  await scene.giveBack()
  expect(scene.asked).toHaveLength(1)
  await scene.settle(tomorrow, ['refunded', 20_000])
  expect(await scene.found()).toEqual([])
})

test('ledger verification accepts a refund by bank transfer, which no settlement lists', async () => {
  const scene = await paidPayment()
  await scene.receive(70_000n, 'r-2')
  await scene.giveBack({ bankAccount })
  await scene.report({ amount: 30_000n })
  await scene.settle(today, ['paid', 170_000], ['refunded', 30_000])
  await scene.settle(tomorrow, ['refunded', 1_000])
  expect(await scene.found()).toMatchObject([
    { expected: '31000', found: '30000' },
    { expected: '31000', found: '30000' },
  ])
})

test.each<['amount' | 'fees', string, string]>([
  ['amount', '70000', '70001'],
  ['fees', '20', '21'],
])(
  'ledger verification reports a settlement whose stored total of %s differs from its lines',
  async (total, expected, found) => {
    const scene = await paidPayment()
    await scene.report({ amount: 30_000n })
    const id = await scene.settle(yesterday, ['paid', 100_000], ['refunded', 30_000])
    await tamper(url, [`update settlements set ${total} = ${total} + 1 where id = $1`, [id]])
    expect(await scene.found()).toEqual([
      { kind: 'settlement_total_differs', date: yesterday, total, expected, found },
    ])
  },
)
