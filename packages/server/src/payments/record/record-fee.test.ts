// Tests payment fees. A fee is charged in the transaction that credits the payment, and refunds can return it.

import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { asOwner, testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../../test/support/make.ts'
import type { StoredFeeTerms } from '../../fees/stored-fee-rule.ts'
import { accountNameOf } from '../../ledger/account.ts'
import { findBalance, listEntriesOfPayment } from '../../ledger/ledger.sql.ts'
import type { Payment } from '../payment.ts'
import { recordEvents } from './record-event.ts'

const { db } = await testDatabase()
const formula = { percent_bps: 70, fixed: 400_000, min: null, max: null, tax_bps: 1_100 }
const operator = { version: 1, refund_fees: false, ...formula }
const partner = { ...operator, fixed: 500_000 }

let tenantId: string
beforeEach(async () => {
  tenantId = await makeTenant(db)
})

const pending = (feeTerms: StoredFeeTerms | null, amount = 15_000_000n) =>
  insertPendingPayment(db, { tenantId, amount, feeTerms })
const eventOf = ({ amount, paymentCode }: Payment) =>
  ({ type: 'paid', amountPaid: amount, paidAt: later(1_000), reference: paymentCode }) as const
const pay = (...payments: Payment[]) =>
  db.transaction(tx =>
    recordEvents(
      tx,
      payments.map(each => ({ tenantId, paymentId: each.id, event: eventOf(each), cause: 'callback' })),
      now,
    ),
  )
async function feeAccounts(): Promise<Record<string, bigint>> {
  const { rows } = await db.raw('select account_id as id, balance from book_accounts where tenant_id = ?', [
    tenantId,
  ])
  return Object.fromEntries(
    rows.map(({ id, balance }: { id: string; balance: bigint }) => [accountNameOf(id), balance]),
  )
}
const entriesOf = async ({ id }: Payment) =>
  (await listEntriesOfPayment(db, tenantId, id)).map(({ entryType, amount, reason }) => [
    entryType,
    amount,
    reason,
  ])
const amountsOf = async (payment: Payment) =>
  (await entriesOf(payment)).map(([type, amount]) => [type, amount])

describe('a fee is charged when a payment becomes paid', () => {
  test('a payment is credited in full, and its fee is debited once', async () => {
    const payment = await pending({ operator, partner: null })
    await pay(payment)
    await pay(payment)
    expect(await entriesOf(payment)).toEqual([
      ['credit', 15_000_000n, `payment ${payment.paymentCode} received`],
      ['debit', 560_550n, 'fee: virtual_account BCA 0.7% + Rp 4.000, PPN 11%'],
    ])
    expect(await findBalance(db, tenantId, 'live')).toBe(14_439_450n)
    expect(await feeAccounts()).toMatchObject({ 'fee:operator': 560_550n })
  })

  test("the Partner's margin, which is part of the fee, is transferred to the account `fee:partner`", async () => {
    const payment = await pending({ operator, partner })
    await pay(payment)
    expect(await amountsOf(payment)).toEqual([
      ['credit', 15_000_000n],
      ['debit', 671_550n],
    ])
    expect(await feeAccounts()).toMatchObject({ 'fee:operator': 560_550n, 'fee:partner': 111_000n })
  })

  test('no fee is debited if the payment was created without a fee or if the fee is zero', async () => {
    const free = await pending(null)
    const zero = await pending({ operator: { ...operator, percent_bps: 0, fixed: 0 }, partner: null })
    await pay(free, zero)
    for (const payment of [free, zero]) expect(await entriesOf(payment)).toHaveLength(1)
    expect(await feeAccounts()).not.toHaveProperty('fee:operator')
  })

  test("a payment's fee never exceeds its credit", async () => {
    const payment = await pending({ operator, partner: null }, 100n)
    await pay(payment)
    expect(await amountsOf(payment)).toEqual([
      ['credit', 100n],
      ['debit', 100n],
    ])
    expect(await findBalance(db, tenantId, 'live')).toBe(0n)
  })
})

describe("a refund can return part of the payment's fee", () => {
  /** Records a provider's report that a payment was refunded or charged back. */
  const report = (
    { id, paymentCode }: Payment,
    returned: { id: string; amount: bigint; status: 'succeeded' | 'failed'; kind?: 'refund' | 'chargeback' },
  ) =>
    db.transaction(tx =>
      recordEvents(
        tx,
        [
          {
            ...{ tenantId, paymentId: id, cause: 'callback', event: () => undefined },
            reportedReturns: { reference: paymentCode, returns: [{ kind: 'refund', ...returned }] },
          },
        ],
        now,
      ),
    )
  const returning = { operator: { ...operator, refund_fees: true }, partner: null }

  test('a refund returns the fee only if the fee schedule sets `refund_fees`', async () => {
    const payment = await pending({ operator, partner: null })
    await pay(payment)
    await report(payment, { id: 'r1', amount: 15_000_000n, status: 'succeeded' })
    expect(await findBalance(db, tenantId, 'live')).toBe(-560_550n)
    expect(await feeAccounts()).toMatchObject({ 'fee:operator': 560_550n })
  })

  test('[M33] each refund returns its share of the fee exactly once, and the last refund returns the rest', async () => {
    const payment = await pending(returning)
    await pay(payment)
    for (const id of ['r1', 'r1', 'r2', 'r1', 'r2', 'r3']) {
      const amount = id === 'r3' ? 4_999_999n : id === 'r2' ? 5_000_000n : 5_000_001n
      await report(payment, { id, amount, status: 'succeeded' })
    }
    const fees = (await entriesOf(payment)).filter(([, , reason]) => String(reason).startsWith('fee'))
    expect(fees).toEqual([
      ['debit', 560_550n, 'fee: virtual_account BCA 0.7% + Rp 4.000, PPN 11%'],
      ['credit', 186_850n, `fee returned: refund ${payment.paymentCode}-R1 succeeded`],
      ['credit', 186_850n, `fee returned: refund ${payment.paymentCode}-R2 succeeded`],
      ['credit', 186_850n, `fee returned: refund ${payment.paymentCode}-R3 succeeded`],
    ])
    expect(await findBalance(db, tenantId, 'live')).toBe(0n)
    expect(await feeAccounts()).toMatchObject({ 'fee:operator': 0n })
  })

  test('if a succeeded refund is later reported as failed, the fee that it returned is charged again', async () => {
    const payment = await pending(returning)
    await pay(payment)
    await report(payment, { id: 'r1', amount: 7_500_000n, status: 'succeeded' })
    expect(await feeAccounts()).toMatchObject({ 'fee:operator': 280_275n })
    await report(payment, { id: 'r1', amount: 7_500_000n, status: 'failed' })
    await report(payment, { id: 'r1', amount: 7_500_000n, status: 'failed' })
    expect(await findBalance(db, tenantId, 'live')).toBe(14_439_450n)
    expect(await feeAccounts()).toMatchObject({ 'fee:operator': 560_550n })
    expect((await entriesOf(payment)).at(-1)).toEqual([
      'debit',
      280_275n,
      `fee charged again: refund ${payment.paymentCode}-R1 failed`,
    ])
  })

  test("after a refund, the Partner's margin changes if only the Partner or only the operator returns its fee", async () => {
    const generous = await pending({ operator, partner: { ...partner, refund_fees: true } })
    await pay(generous)
    await report(generous, { id: 'r1', amount: 15_000_000n, status: 'succeeded' })
    expect(await feeAccounts()).toMatchObject({ 'fee:operator': 560_550n, 'fee:partner': -560_550n })
    expect(await findBalance(db, tenantId, 'live')).toBe(0n)
    tenantId = await makeTenant(db)
    const strict = await pending({ operator: { ...operator, refund_fees: true }, partner })
    await pay(strict)
    await report(strict, { id: 'r1', amount: 15_000_000n, status: 'succeeded' })
    expect(await feeAccounts()).toMatchObject({ 'fee:operator': 0n, 'fee:partner': 671_550n })
    expect(await findBalance(db, tenantId, 'live')).toBe(-671_550n)
  })

  test('if one callback reports a payment and its refund, the fee is charged and returned', async () => {
    const payment = await pending(returning)
    await db.transaction(tx =>
      recordEvents(
        tx,
        [
          {
            ...{ tenantId, paymentId: payment.id, cause: 'callback', event: eventOf(payment) },
            reportedReturns: {
              reference: payment.paymentCode,
              returns: [{ kind: 'refund', id: 'r1', amount: 15_000_000n, status: 'succeeded' }],
            },
          },
        ],
        now,
      ),
    )
    expect(await findBalance(db, tenantId, 'live')).toBe(0n)
    expect(await feeAccounts()).toMatchObject({ 'fee:operator': 0n })
  })

  test('after a chargeback, the merchant gets back no part of the fee', async () => {
    const payment = await pending(returning)
    await pay(payment)
    await report(payment, { id: 'c1', amount: 15_000_000n, status: 'succeeded', kind: 'chargeback' })
    expect(await findBalance(db, tenantId, 'live')).toBe(-560_550n)
  })

  test('a refund returns no fee if an earlier version charged no fee for the payment', async () => {
    const payment = await pending(null)
    await pay(payment)
    await asOwner(db, owner =>
      owner.raw('update payments set fee_terms = ? where id = ?', [JSON.stringify(returning), payment.id]),
    )
    await report(payment, { id: 'r1', amount: 15_000_000n, status: 'succeeded' })
    expect(await findBalance(db, tenantId, 'live')).toBe(0n)
  })
})

// The test runs with random fee terms, and with random payment amounts in each batch.
test('[M32] every fee is in the double-entry ledger, and its parts add up to the debit', async () => {
  const term = fc.record({
    version: fc.constant(1),
    refund_fees: fc.boolean(),
    percent_bps: fc.integer({ min: 0, max: 10_000 }),
    fixed: fc.integer({ min: 0, max: 1_000_000 }),
    min: fc.constant(null),
    max: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
    tax_bps: fc.integer({ min: 0, max: 2_000 }),
  })
  const order = fc.record({
    terms: fc.option(fc.record({ operator: fc.option(term), partner: fc.option(term) })),
    amount: fc.bigInt(1n, 10n ** 10n),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(order, { minLength: 1, maxLength: 6 }), async orders => {
      tenantId = await makeTenant(db)
      const payments: Payment[] = []
      for (const { terms, amount } of orders) payments.push(await pending(terms, amount))
      await pay(...payments)
      const { rows } = await db.raw<{ rows: { total: bigint; operator: bigint }[] }>(
        `select coalesce(sum(net + tax), 0)::bigint as total, coalesce(sum(operator_net + operator_tax), 0)::bigint as operator
         from fee_charges where tenant_id = ?`,
        [tenantId],
      )
      const [{ total, operator } = { total: 0n, operator: 0n }] = rows
      const credited = payments.reduce((sum, { amount }) => sum + amount, 0n)
      const accounts = await feeAccounts()
      expect(await findBalance(db, tenantId, 'live')).toBe(credited - total)
      expect([accounts['fee:operator'] ?? 0n, accounts['fee:partner'] ?? 0n]).toEqual([
        operator,
        total - operator,
      ])
    }),
    { numRuns: 15 },
  )
})

describe('database constraints reject inconsistent fees', () => {
  const charge = (payment: Payment, net: bigint, number = 0) =>
    db.raw(`insert into fee_charges values (?, ?, ?, 'live', 'virtual_account', 'bca', ?, 0, ?, 0, now())`, [
      tenantId,
      payment.id,
      number,
      String(net),
      String(net),
    ])

  test('the database rejects a fee change without a ledger entry, or for a payment without a fee', async () => {
    const payment = await pending({ operator: { ...operator, refund_fees: true }, partner: null })
    await pay(payment)
    const other = await pending(null)
    await pay(other)
    for (const each of [payment, other])
      await expect(charge(each, -5n, 3)).rejects.toThrow(
        `the changes of the fee of payment ${each.id} do not follow from its charge`,
      )
  })

  test('the database rejects a fee that was not debited, a second fee for a payment, and changes to a fee', async () => {
    const payment = await pending({ operator, partner: null })
    await pay(payment)
    const other = await pending(null)
    await pay(other)
    await expect(charge(other, 5n)).rejects.toThrow(
      `the fee of payment ${other.id} is not the debit of its fee`,
    )
    await expect(charge(payment, 560_550n)).rejects.toThrow('fee_charges_pkey')
    await expect(db.raw('update fee_charges set net = 1')).rejects.toThrow('permission denied')
  })
})
