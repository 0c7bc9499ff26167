// Tests charges, fees, refunds and Partners' margins on a Citus cluster, which consists of several PostgreSQL
// servers (nodes) (test/support/citus-cluster.ts).

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type CitusDatabase,
  commandsDuring,
  coordinator,
  distributedDatabase,
  ofOneShard,
  servicePool,
} from '../../../test/support/citus-cluster.ts'
import { insertPendingPayment, later, makePayment, makeTenant, now } from '../../../test/support/make.ts'
import { recordingApp } from '../../../test/support/recording-app.ts'
import { refundScene } from '../../../test/support/refund-scene.ts'
import { creditPartnerMargins } from '../../fees/credit-partner-margins.ts'
import { accountNameOf } from '../../ledger/account.ts'
import { countEntries, findBalance, listEntries } from '../../ledger/ledger.sql.ts'
import { listAttempts } from '../../payments/attempt.sql.ts'
import { chargePayment } from '../../payments/create/charge-payment.ts'
import {
  findPaymentByKeyInBatch,
  findPaymentInBatch,
  insertPaymentInBatch,
} from '../../payments/payment.sql.ts'
import type { Payment, PaymentEvent } from '../../payments/payment.ts'
import { recordEvents } from '../../payments/record/record-event.ts'
import { recordRefundEvent } from '../../payments/record/record-refund-event.ts'
import { recordAcceptedReturn } from '../../payments/record/record-returns.ts'
import type { UnexpectedMoney } from '../../payments/record/unexpected-money.ts'
import { createRefund } from '../../payments/refund/create-refund.ts'
import { listVisibleRefunds } from '../../payments/refund/refund-list.sql.ts'
import { midtrans } from '../../providers/midtrans/midtrans.ts'
import { ProviderError } from '../../providers/provider.ts'
import { insertApiRequests } from '../../request-log/api-request.sql.ts'
import type { ApiRequest } from '../../request-log/api-request.ts'
import { newId } from '../../values/id.ts'
import { firstPage } from '../list-order.ts'
import { inScope, scopeOfTenant } from '../tenant-scope.ts'

const methodData = { type: 'virtual_account', bank: 'BCA', va_number: '812785002530231' } as const
const term = { version: 1, refund_fees: true, percent_bps: 70, min: null, max: null, tax_bps: 1_100 }
const feeTerms = { operator: { ...term, fixed: 400_000 }, partner: { ...term, fixed: 500_000 } }
const byKey = { byUser: false, unprovenUpTo: null }

describe.skipIf(!coordinator)(
  'on a Citus cluster, payments are charged and their money is recorded in the ledger',
  () => {
    let cluster: CitusDatabase

    beforeAll(async () => {
      cluster = await distributedDatabase()
    }, 300_000)
    afterAll(() => cluster.drop())

    const newPayment = (tenantId: string): Payment =>
      makePayment({
        ...{ tenantId, status: 'charging', transitionCount: 0 },
        ...{ methodData: null, providerPaymentId: null },
      })

    test('on a cluster, a payment is created once for its idempotency key, without a two-phase commit', async () => {
      const db = await servicePool(cluster)
      const tenantId = await makeTenant(db)
      const { app, state } = recordingApp(db)
      let charges = 0
      state.provider = {
        async charge() {
          charges += 1
          return { providerPaymentId: 'p-1', methodData }
        },
      }
      const payment = newPayment(tenantId)
      const repeated = { ...newPayment(tenantId), idempotencyKey: payment.idempotencyKey }
      const create = async (each: Payment) => {
        if (await insertPaymentInBatch(db, each)) await chargePayment(app, each, [])
      }
      const createBoth = () =>
        inScope(scopeOfTenant(tenantId), async () => {
          await create(payment)
          await create(repeated)
        })
      expect(await commandsDuring(createBoth)).toEqual(ofOneShard)
      expect(charges).toBe(1)
      const found = await findPaymentByKeyInBatch(db, tenantId, 'live', payment.idempotencyKey)
      expect(found).toMatchObject({ id: payment.id, status: 'pending', providerPaymentId: 'p-1' })
      expect(await listAttempts(db, repeated)).toEqual([])
    }, 60_000)

    test('on a Citus cluster, a payment whose code is already used is rejected without storing any rows', async () => {
      const db = await servicePool(cluster)
      const [one, other] = [newPayment(await makeTenant(db)), newPayment(await makeTenant(db))]
      await insertPaymentInBatch(db, one)
      await expect(
        insertPaymentInBatch(db, { ...other, paymentCode: one.paymentCode }),
      ).rejects.toMatchObject({
        constraint: 'payment_references_pkey',
      })
      expect(await findPaymentInBatch(db, other.tenantId, other.id, null)).toBeUndefined()
    }, 60_000)

    test('on a cluster, if a charge creates no order, the payment is charged through the next account', async () => {
      const db = await servicePool(cluster)
      const { app, state } = recordingApp(db)
      let charges = 0
      state.provider = {
        async charge() {
          if (charges++ === 0) throw new ProviderError('unavailable', 'could not be reached')
          return { providerPaymentId: 'p-1', methodData }
        },
      }
      const payment = newPayment(await makeTenant(db))
      await insertPaymentInBatch(db, payment)
      const next = { accountId: newId(), provider: { ...midtrans, code: 'xendit' } } as never
      const charged = await chargePayment(app, payment, [next])
      expect(charged).toMatchObject({ status: 'pending', attempt: 2 })
      expect(await listAttempts(db, charged)).toMatchObject([
        { number: 1, reason: 'could not be reached' },
        { number: 2, provider: 'xendit', endedAt: null },
      ])
    }, 60_000)

    test('on a cluster, requests of several tenants are logged without a two-phase commit', async () => {
      const db = await servicePool(cluster)
      const tenants = [await makeTenant(db), await makeTenant(db)]
      const request = (tenantId: string): ApiRequest => ({
        ...{ id: newId(), tenantId, mode: 'live', apiKeyId: newId(), requestId: newId(), method: 'GET' },
        ...{ route: '/v1/payments', path: '/v1/payments', status: 200, errorCode: null, errorField: null },
        ...{ idempotencyKey: null, durationMs: 1, clientAddress: null, userAgent: null },
        ...{ paymentId: null, paymentCode: null },
      })
      const rows = [...tenants, ...tenants].map(request)
      expect(await commandsDuring(() => insertApiRequests(db, rows))).toEqual(ofOneShard)
      const { rows: stored } = await db.raw(
        'select id from api_requests where tenant_id = any(?) order by id',
        [tenants],
      )
      expect(stored.map(({ id }: { id: string }) => id)).toEqual(rows.map(({ id }) => id).sort())
    }, 60_000)

    test("on a cluster, the double-entry ledger records fees, refunds, chargebacks and a Partner's margin", async () => {
      const db = await servicePool(cluster)
      const partnerId = await makeTenant(db, { role: 'partner' })
      const tenantId = await makeTenant(db, { parentId: partnerId })
      const payment = await insertPendingPayment(db, { tenantId, amount: 15_000_000n, feeTerms })
      const { paymentCode: reference, id: paymentId, providerAccountId } = payment
      const book = async () => {
        const { rows } = await db.raw<{ rows: { id: string; balance: bigint }[] }>(
          'select account_id as id, balance from book_accounts where tenant_id = ? and balance <> 0',
          [tenantId],
        )
        const nameOf = (id: string) => (id === providerAccountId ? 'provider' : accountNameOf(id))
        const merchant = await findBalance(db, tenantId, 'live')
        return { merchant, ...Object.fromEntries(rows.map(({ id, balance }) => [nameOf(id), balance])) }
      }
      const pay = () =>
        db.transaction(tx => {
          const event = { type: 'paid', amountPaid: 15_000_000n, paidAt: later(1_000), reference } as const
          return recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now)
        })
      expect(await commandsDuring(pay)).toEqual(ofOneShard)
      await pay()
      expect(await book()).toEqual({
        ...{ merchant: 14_328_450n, provider: -15_000_000n },
        ...{ 'fee:operator': 560_550n, 'fee:partner': 111_000n },
      })

      const scene = refundScene(db)
      scene.payment = payment
      scene.state.at = later(5_000)
      scene.respond = () => ({ type: 'pending', id: 'rf-1' })
      const key = { tenantId, paymentId, mode: 'live' } as const
      const request = (idempotencyKey: string) =>
        inScope(scopeOfTenant(tenantId), () =>
          createRefund(scene.app, key, idempotencyKey, { amount: 1_000_000 }, byKey),
        )
      const created: Awaited<ReturnType<typeof request>>[] = []
      const requestTwice = async () => {
        for (let times = 0; times < 2; times++) created.push(await request('one'))
      }
      expect(await commandsDuring(requestTwice)).toEqual(ofOneShard)
      expect(created.map(({ isReplayed }) => isReplayed)).toEqual([false, true])
      expect(scene.asked).toHaveLength(1)
      expect(await book()).toMatchObject({ merchant: 13_328_450n, refunds_in_transit: 1_000_000n })

      const at = later(6_000)
      const record = (index: number, event: Parameters<typeof recordRefundEvent>[2]) =>
        db.transaction(tx => {
          const { refund } = created[index] as (typeof created)[number]
          return recordRefundEvent(tx, refund, event, { cause: 'inquiry', at })
        })
      const succeed = () => record(0, { type: 'succeeded', providerRefundId: 'rf-1' })
      expect(await commandsDuring(succeed)).toEqual(ofOneShard)
      created.push(await request('other'))
      await record(2, { type: 'failed', reason: 'the account is closed' })
      await scene.report({ amount: 2_000_000n, id: 'rf-2' })
      await scene.report({ amount: 500_000n, id: 'cb-1', kind: 'chargeback' })
      expect((await scene.refunds()).map(({ origin, status, amount }) => [origin, status, amount])).toEqual([
        ['merchant', 'succeeded', 1_000_000n],
        ['merchant', 'failed', 1_000_000n],
        ['provider', 'succeeded', 2_000_000n],
        ['chargeback', 'succeeded', 500_000n],
      ])
      expect(await book()).toEqual({
        ...{ merchant: 10_962_760n, provider: -11_500_000n },
        ...{ 'fee:operator': 448_440n, 'fee:partner': 88_800n },
      })

      await creditPartnerMargins({ db, clock: () => later(9_000) })
      expect(await findBalance(db, partnerId, 'live')).toBe(88_800n)
      expect(await book()).toMatchObject({ merchant: 10_962_760n, adjustment: 88_800n })

      const entries = await listEntries(db, tenantId, null, null, 100)
      expect(entries.map(({ balanceAfter }) => balanceAfter)[0]).toBe(10_962_760n)
      expect(await countEntries(db, tenantId, 'live')).toMatchObject({ count: entries.length })
      const createdIn = { from: new Date(0), before: later(1e9) }
      const all = { viewer: tenantId, mode: null, status: null, isWaiting: false, createdIn }
      const listed = await inScope(scopeOfTenant(tenantId), () =>
        listVisibleRefunds(db, all, firstPage(), 10),
      )
      expect(listed).toHaveLength(4)

      // After fees, 11,500,000 of the payment is left. This chargeback is larger, so it waits for the Owner's decision,
      // and the database rejects an automatic debit.
      await scene.report({ amount: 11_500_001n, id: 'cb-2', kind: 'chargeback' })
      expect(await scene.refunds()).toHaveLength(4)
      const waiting = (await scene.records()).find(({ receipt }) => receipt === 'cb-2') as UnexpectedMoney
      const debit = (reason: string) =>
        db.transaction(tx => recordAcceptedReturn(tx, key, waiting, { cause: 'callback', reason, at }))
      await expect(debit('')).rejects.toThrow('could not commit')
      expect(await book()).toMatchObject({ merchant: 10_962_760n })
      await debit('accepted by the Owner')
      expect(await scene.refunds()).toHaveLength(5)
    }, 120_000)

    test('on a cluster, refunded unexpected money is not opened again unless its refund failed', async () => {
      const db = await servicePool(cluster)
      const tenantId = await makeTenant(db)
      const payment = await insertPendingPayment(db, { tenantId, amount: 15_000_000n })
      const { id: paymentId, paymentCode: reference } = payment
      const record = (receipt: string) => {
        const event = { type: 'paid', amountPaid: 15_000_000n, paidAt: now, reference, receipt } as const
        return db.transaction(tx =>
          recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now),
        )
      }
      await record('r-1')
      await record('r-2')
      const set = (status: string, decidedAt: Date | null) =>
        db.raw('update unexpected_money set status = ?, decided_at = ? where payment_id = ?', [
          ...[status, decidedAt, paymentId],
        ] as never[])
      await set('refunded', now)
      await expect(set('open', null)).rejects.toThrow('its refund did not fail')
    }, 60_000)

    test('on a cluster, the reversal of a credit that the provider never confirmed returns the whole fee', async () => {
      const db = await servicePool(cluster)
      const tenantId = await makeTenant(db)
      const payment = await insertPendingPayment(db, { tenantId, amount: 15_000_000n, feeTerms })
      const { id: paymentId, paymentCode: reference } = payment
      const record = (event: PaymentEvent) =>
        db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'owner' }], now))
      const paid = { type: 'paid', amountPaid: 15_000_000n, paidAt: later(1_000), reference } as const
      await record({ ...paid, unconfirmed: 'seen on the statement' })
      expect(await findBalance(db, tenantId, 'live')).toBe(14_328_450n)
      await record({ type: 'reversed', reason: 'deny', unexpectedMoneyId: newId() })
      expect(await findBalance(db, tenantId, 'live')).toBe(0n)
      const { rows } = await db.raw('select 1 from book_accounts where tenant_id = ? and balance <> 0', [
        tenantId,
      ])
      expect(rows).toEqual([])
    }, 60_000)
  },
)
