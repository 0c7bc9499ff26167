// Tests what a reversal does to the payment's fee. If the operator credited the payment and the provider never confirmed
// the money, the whole fee is returned. If the provider had confirmed the money, the fee stays charged.

import pg from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { clusterPool } from '../../../test/support/cluster-pool.ts'
import { asOwner, testDatabase } from '../../../test/support/database.ts'
import { ledgerDifferences } from '../../../test/support/ledger.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../../test/support/make.ts'
import { bankAccount, refundScene } from '../../../test/support/refund-scene.ts'
import { creditPartnerMargins } from '../../fees/credit-partner-margins.ts'
import { stateFees } from '../../fees/fee-statement.ts'
import type { StoredFeeTerms } from '../../fees/stored-fee-rule.ts'
import { acceptMoney } from '../../inbox/accept-money.ts'
import { findBalance, listEntriesOfPayment } from '../../ledger/ledger.sql.ts'
import { findDifferences } from '../../reports/difference.ts'
import { getPaymentsOfDay } from '../../reports/payments-of-day.sql.ts'
import { dayOf, periodOfDays } from '../../values/day.ts'
import { newId } from '../../values/id.ts'
import { createRefund } from '../refund/create-refund.ts'
import { resolveRefund } from '../refund/resolve-refund.ts'
import { recordEvents } from './record-event.ts'
import { recordRefundEvent } from './record-refund-event.ts'

const { db, url } = await testDatabase()
const operator = {
  ...{ version: 1, refund_fees: false, percent_bps: 70, fixed: 400_000 },
  ...{ min: null, max: null, tax_bps: 1_100 },
}
const partner = { ...operator, fixed: 500_000 }
const returning = { operator: { ...operator, refund_fees: true }, partner: { ...partner, refund_fees: true } }

const AMOUNT = 15_000_000n
const FEE = 671_550n
const MARGIN = 111_000n
const owner = { tenantId: newId(), userId: newId() }

let partnerId: string
let tenantId: string
let scene: ReturnType<typeof refundScene>
beforeEach(async () => {
  partnerId = await makeTenant(db, { role: 'partner' })
  tenantId = await makeTenant(db, { parentId: partnerId })
  scene = refundScene(db)
})

async function begin(feeTerms: StoredFeeTerms | null): Promise<void> {
  scene.payment = await insertPendingPayment(db, { tenantId, amount: AMOUNT, feeTerms })
}
const paid = (rest: object = {}) => ({
  ...{ type: 'paid', amountPaid: AMOUNT, paidAt: now, reference: scene.payment.paymentCode },
  ...rest,
})
const creditUnconfirmed = () => scene.record({ event: paid({ unconfirmed: 'seen on the statement' }) })
/** Credits another payment without a fee, so that the balance covers a full refund of the payment. */
async function earn(): Promise<void> {
  const { id: paymentId, amount, paymentCode } = await insertPendingPayment(db, { tenantId, amount: FEE })
  const event = { type: 'paid', amountPaid: amount, paidAt: now, reference: paymentCode } as const
  await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now))
}
const confirm = () => scene.record({ event: paid({ receipt: 'r-1' }) })
const reversal = () => ({ type: 'reversed', reason: 'deny', unexpectedMoneyId: newId() }) as const
const reverse = () => scene.record({ event: reversal() })

/** Creates a refund by bank transfer, which stays pending until its outcome is recorded. */
async function refund(amount: bigint) {
  const key = { ...scene.key(), mode: 'live' } as const
  const input = { amount: Number(amount), bank_account: bankAccount }
  scene.terms = undefined
  return (await createRefund(scene.app, key, newId(), input, { byUser: false, unprovenUpTo: null })).refund
}
const succeed = (id: string) =>
  resolveRefund(scene.app, owner, id, { outcome: 'succeeded', bank_reference: 'TRX-1', reason: undefined })
const fail = (id: string) =>
  db.transaction(tx =>
    recordRefundEvent(
      tx,
      { ...scene.key(), id },
      { type: 'failed', reason: 'the transfer came back' },
      { cause: 'owner', at: later(9_000) },
    ),
  )

const feeEntries = async () =>
  (await listEntriesOfPayment(db, tenantId, scene.payment.id))
    .map(({ entryType, amount, reason }) => [entryType, amount, reason])
    .filter(([, , reason]) => String(reason).startsWith('fee'))
async function chargedFee() {
  const { rows } = await db.raw(
    `select coalesce(sum(net), 0)::bigint as net, coalesce(sum(tax), 0)::bigint as tax,
            coalesce(sum(operator_net), 0)::bigint as operator_net, coalesce(sum(operator_tax), 0)::bigint as operator_tax
     from fee_charges where payment_id = ?`,
    [scene.payment.id],
  )
  return rows[0]
}
const nothing = { net: 0n, tax: 0n, operator_net: 0n, operator_tax: 0n }

describe('the reversal of a credit that the provider never confirmed returns the whole fee', () => {
  test('[M33] a reversal returns the fee, its tax, the operator’s part and the margin', async () => {
    await begin({ operator, partner })
    await creditUnconfirmed()
    expect(await scene.book()).toMatchObject({ 'fee:operator': FEE - MARGIN, 'fee:partner': MARGIN })
    await reverse()
    await reverse()
    expect(await feeEntries()).toEqual([
      ['debit', FEE, 'fee: virtual_account BCA 0.7% + Rp 5.000, PPN 11%'],
      [
        'credit',
        FEE,
        `fee returned: payment ${scene.payment.paymentCode} was credited without the provider's confirmation and reversed`,
      ],
    ])
    expect(await scene.balance()).toBe(0n)
    expect(await scene.book()).toEqual({})
    expect(await chargedFee()).toEqual(nothing)
  })

  test('ledger verification and reconciliation find no difference after the fee was returned', async () => {
    await begin({ operator, partner })
    await creditUnconfirmed()
    await reverse()
    expect(await ledgerDifferences({ db })).toEqual([])
    const day = dayOf(now)
    const query = { viewer: null, mode: 'live' as const, date: day, period: periodOfDays(day, day) }
    const [payment] = await getPaymentsOfDay(db, query, tenantId, [scene.payment.id], 'now')
    const status = {
      ...{ reference: scene.payment.paymentCode, providerPaymentId: 'p' },
      fact: { type: 'failed', reason: 'deny' } as const,
    }
    expect(payment && findDifferences(payment, { source: 'inquiry', status })).toEqual([])
  })

  test('if the provider received less than was credited, the whole fee is returned', async () => {
    await begin({ operator, partner })
    await creditUnconfirmed()
    const { paymentCode: reference } = scene.payment
    await scene.record({
      event: {
        type: 'underpaid',
        received: 100_000n,
        paidAt: now,
        reference,
        reason: 'a part',
        receipt: 'r-1',
      },
    })
    expect(await scene.balance()).toBe(0n)
    expect(await chargedFee()).toEqual(nothing)
    const money = (await scene.records()).find(({ status, kind }) => status === 'open' && kind !== 'reversal')
    await acceptMoney(scene.app, owner, money?.id ?? '', { reason: 'it is the rest' })
    expect(await scene.balance()).toBe(100_000n)
    expect(await chargedFee()).toEqual(nothing)
  })

  test('if refunds returned a part of the fee before, only the rest of the fee is returned', async () => {
    await begin(returning)
    await creditUnconfirmed()
    await succeed((await refund(5_000_000n)).id)
    await reverse()
    expect((await feeEntries()).map(([type, amount]) => [type, amount])).toEqual([
      ['debit', FEE],
      ['credit', FEE / 3n],
      ['credit', FEE - FEE / 3n],
    ])
    expect(await chargedFee()).toEqual(nothing)
    expect(await scene.book()).not.toHaveProperty('fee:operator')
  })

  test.each([
    ['only the Partner returns its fee', { operator, partner: returning.partner }],
    ['only the operator returns its fee', { operator: returning.operator, partner }],
  ])(
    'if a full refund returned one part of the fee because %s, the reversal returns the other part',
    async (_, terms) => {
      await begin(terms)
      await earn()
      await creditUnconfirmed()
      await succeed((await refund(AMOUNT)).id)
      await reverse()
      expect(await chargedFee()).toEqual(nothing)
      expect(await scene.book()).not.toHaveProperty('fee:operator')
      expect(await scene.book()).not.toHaveProperty('fee:partner')
      expect(await ledgerDifferences({ db })).toEqual([])
    },
  )

  test.each([
    ['succeeds', succeed],
    ['fails', fail],
  ])('if a pending refund %s after the reversal, the fee does not change again', async (_, settle) => {
    await begin(returning)
    await creditUnconfirmed()
    const { id } = await refund(5_000_000n)
    await reverse()
    await settle(id)
    expect(await feeEntries()).toHaveLength(2)
    expect(await chargedFee()).toEqual(nothing)
  })

  test.each([5_000_000n, AMOUNT])(
    'if a succeeded refund of %d cents turns out to have failed after the reversal, no part of the fee is charged again',
    async amount => {
      await begin(returning)
      await earn()
      await creditUnconfirmed()
      const { id } = await refund(amount)
      await succeed(id)
      await reverse()
      await fail(id)
      expect(await chargedFee()).toEqual(nothing)
      expect(await scene.balance()).toBe(FEE)
    },
  )

  test('if the fee was charged and the payment reversed in one transaction, the fee is returned', async () => {
    await begin({ operator, partner })
    const of = { ...scene.key(), cause: 'owner' }
    const events = [paid({ unconfirmed: 'seen on the statement' }) as never, reversal()]
    await db.transaction(tx =>
      recordEvents(
        tx,
        events.map(event => ({ ...of, event })),
        now,
      ),
    )
    expect(await scene.balance()).toBe(0n)
    expect(await chargedFee()).toEqual(nothing)
  })

  test('a returned margin that the Partner already got is offset against its next margins', async () => {
    const app = { db, clock: () => later(20_000) }
    await begin({ operator, partner })
    await creditUnconfirmed()
    await creditPartnerMargins(app)
    expect(await findBalance(db, partnerId, 'live')).toBe(MARGIN)
    await reverse()
    expect(await scene.book()).toMatchObject({ 'fee:partner': -MARGIN })
    const month = dayOf(now).slice(0, 7)
    const statementOf = (id: string, role: 'client' | 'partner') =>
      stateFees(app, { id, name: 'a tenant', role }, 'live', month)
    expect(await statementOf(tenantId, 'client')).toMatchObject({ net: 0, tax: 0, total: 0 })
    expect((await statementOf(partnerId, 'partner')).margins).toMatchObject({
      ...{ uncredited_before: 0, total: 0 },
      ...{ credited: Number(MARGIN), uncredited_after: -Number(MARGIN) },
    })
    await begin({ operator, partner })
    await scene.receive(AMOUNT, 'r-2')
    await creditPartnerMargins(app)
    expect(await findBalance(db, partnerId, 'live')).toBe(MARGIN)
    expect(await scene.book()).not.toHaveProperty('fee:partner')
  })

  test('on a distributed database, the whole fee is returned as well', async () => {
    await begin({ operator, partner })
    await creditUnconfirmed()
    // A cluster has this function. The test's database is a single server, so the test creates a function that does
    // nothing.
    await asOwner(db, owner =>
      owner.raw(`create function hold_shard(tenant uuid) returns void language sql as 'select'`),
    )
    const pool = await clusterPool(url)
    await pool.transaction(tx =>
      recordEvents(tx, [{ ...scene.key(), cause: 'inquiry', event: reversal() }], now),
    )
    expect(await scene.balance()).toBe(0n)
    expect(await chargedFee()).toEqual(nothing)
  })
})

describe('the reversal of money that the provider had confirmed keeps the fee', () => {
  test.each([
    ['', confirm],
    [' after the operator had credited it', () => creditUnconfirmed().then(confirm)],
  ])('if the provider confirmed the money%s, the fee stays charged', async (_, credit) => {
    await begin(returning)
    await credit()
    await reverse()
    expect(await scene.balance()).toBe(-FEE)
    expect(await feeEntries()).toHaveLength(1)
    expect(await ledgerDifferences({ db })).toEqual([])
  })

  test('if a pending refund succeeds after the reversal, it returns its share of the fee', async () => {
    await begin(returning)
    await confirm()
    const { id } = await refund(5_000_000n)
    await reverse()
    await succeed(id)
    expect(await chargedFee()).toMatchObject({ net: 403_333n, tax: 44_367n })
  })
})

describe('fees are read from the database only if a reversal can return them', () => {
  test.each([
    ['no statement reads or writes fees if the payment has no fee', null, creditUnconfirmed, 0],
    [
      'no statement reads or writes fees if the provider had confirmed the money',
      { operator, partner },
      confirm,
      0,
    ],
    [
      'one statement reads fees and one writes them if the whole fee is returned',
      { operator, partner },
      creditUnconfirmed,
      2,
    ],
  ])('during a reversal, %s', async (_, feeTerms, credit, statements) => {
    await begin(feeTerms)
    await credit()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await reverse()
    const texts = query.mock.calls.map(([given]) => String((given as { text?: string }).text))
    query.mockRestore()
    expect(texts.filter(text => text.includes('fee_charges'))).toHaveLength(statements)
  })
})
