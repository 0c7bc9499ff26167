// Applies providers' callbacks on a Citus cluster, which consists of several PostgreSQL servers (nodes): one
// coordinator and several workers (test/support/citus-cluster.ts).

import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { alwaysHealthy } from '../../../test/support/always-healthy.ts'
import { coordinator, runOn } from '../../../test/support/citus-cluster.ts'
import { distributedDatabase } from '../../../test/support/distributed-database.ts'
import { insertPendingPayment, makeTenant, noCallbackRules, now } from '../../../test/support/make.ts'
import { settlementCallback } from '../../../test/support/midtrans.ts'
import { callbackApplier } from '../../callbacks/apply-callbacks.ts'
import { insertCallbacks } from '../../callbacks/callback.sql.ts'
import type { EmptyMessage } from '../../callbacks/callback-message.ts'
import { recordCallbacks } from '../../callbacks/record-callbacks.ts'
import { postTransfers } from '../../ledger/ledger.sql.ts'
import { transfer } from '../../ledger/transfer.ts'
import { createLog } from '../../logging/log.ts'
import { accountSlots } from '../../provider-accounts/account-slots.ts'
import { inquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import { midtrans } from '../../providers/midtrans/midtrans.ts'
import type { CallbackUpdate, MoneyReturn } from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import type { Db } from '../db.ts'

const here = { clock: () => now, publicUrl: 'https://pay.example.com', log: createLog('silent') }

describe.skipIf(!coordinator)('on a Citus cluster, callbacks are applied to payments on any shard', () => {
  const { cluster, servicePool } = distributedDatabase()
  let db: Db
  beforeEach(async () => {
    db = await servicePool()
  })
  const sql = <Row extends object>(...statements: string[]) => runOn<Row>(cluster().url, ...statements)

  /** Stores and applies a callback with the given updates. Each update is about a single payment. */
  async function apply(providerAccountId: string, updates: CallbackUpdate[], unreadable = false) {
    const callback = { id: newId(), providerAccountId, receivedAt: now }
    const body = Buffer.from('{}')
    await insertCallbacks(db, [
      { ...callback, provider: 'midtrans', path: '', headers: {}, trace: null, body },
    ])
    const messages = updates.map(update => ({
      ...{ callback, provider: 'midtrans', mode: 'live' as const, update, needsConfirmation: false },
    }))
    const digest = createHash('sha256').update(body).digest()
    const empty: EmptyMessage = { callback, status: 'unreadable', reason: 'unknown field', digest }
    await db.transaction(tx =>
      recordCallbacks(here, tx, [unreadable ? [empty] : messages], { isFinal: true }),
    )
    return sql(`select status, payment_id as "paymentId" from provider_callbacks where id = '${callback.id}'`)
  }
  const paid = (fields: Partial<CallbackUpdate>): CallbackUpdate => ({
    ...{ reference: null, providerPaymentId: 'p-1' },
    fact: { type: 'paid', amountPaid: 100n, paidAt: now, receipt: 'r-1' },
    ...fields,
  })
  const balances = (tenantIds: string[]) =>
    sql<{ id: string }>(
      `select tenant_id as id, balance from balances
       where mode = 'live' and tenant_id in ('${tenantIds.join("', '")}') order by tenant_id`,
    )

  test("on a cluster, a callback that reports several tenants' payments credits each payment once", async () => {
    const accountId = newId()
    const tenantIds: string[] = []
    const updates: CallbackUpdate[] = []
    for (let n = 0; n < 4; n++) {
      const tenantId = await makeTenant(db)
      const fields = { tenantId, providerAccountId: accountId, amount: 100n }
      const payment = await insertPendingPayment(db, fields)
      tenantIds.push(tenantId)
      updates.unshift(paid({ reference: payment.paymentCode }))
    }
    for (let times = 0; times < 2; times++) await apply(accountId, updates)
    expect(await balances(tenantIds)).toEqual(tenantIds.toSorted().map(id => ({ id, balance: '100' })))
  }, 60_000)

  test('on a cluster, a callback without an order reference is matched by the provider’s payment ID', async () => {
    const [accountId, providerPaymentId] = [newId(), "payments 'of' \\ 1"]
    const tenantId = await makeTenant(db)
    const fields = { tenantId, providerAccountId: accountId, providerPaymentId, amount: 100n }
    const { id: paymentId } = await insertPendingPayment(db, fields)
    expect(await apply(accountId, [paid({ providerPaymentId })])).toEqual([{ status: 'applied', paymentId }])
    expect(await balances([tenantId])).toEqual([{ id: tenantId, balance: '100' }])
  }, 60_000)

  test('on a Citus cluster, received money that matches no payment on any shard is recorded as unexpected money', async () => {
    const [accountId, tenantId] = [newId(), await makeTenant(db)]
    const fields = { tenantId, providerAccountId: accountId, providerPaymentId: 'p-2', amount: 100n }
    const { paymentCode } = await insertPendingPayment(db, fields)
    await apply(accountId, [paid({ providerPaymentId: 'p-2' }), paid({ reference: 'GP-unknown' })])
    const again = { type: 'paid', amountPaid: 70n, paidAt: now, receipt: 'r-2' } as const
    await apply(accountId, [paid({ reference: paymentCode, fact: again })])
    const records = await sql(
      `select kind, reference, amount, tenant_id as "tenantId" from unexpected_money
       where provider_account_id = '${accountId}' order by kind`,
    )
    expect(records).toEqual([
      { kind: 'second_payment', reference: paymentCode, amount: '70', tenantId },
      { kind: 'unknown_reference', reference: 'GP-unknown', amount: '100', tenantId: null },
    ])
  }, 60_000)

  test('on a cluster, one callback about assigned money and another tenant’s payment changes the balances of both tenants', async () => {
    const accountId = newId()
    const [tenantId, other] = [await makeTenant(db), await makeTenant(db)]
    const fields = { providerAccountId: accountId, amount: 100n }
    const assigned = await insertPendingPayment(db, { ...fields, tenantId })
    const another = await insertPendingPayment(db, { ...fields, tenantId: other })
    const refund = (status: MoneyReturn['status']): CallbackUpdate => ({
      ...{
        reference: 'GP-refunded',
        providerPaymentId: 'p-3',
        fact: { type: 'nothing', reason: 'a refund' },
      },
      returns: [{ kind: 'refund', id: 'f-1', amount: 40n, status }],
    })
    await apply(accountId, [paid({ reference: assigned.paymentCode }), refund('pending')])
    // The operator assigns the refund to the payment, so the merchant is debited.
    const [record] = await sql<{ id: string }>(
      `update unexpected_money
       set tenant_id = '${tenantId}', payment_id = '${assigned.id}', credited = true, status = 'accepted', decided_at = now()
       where reference = 'GP-refunded' returning id`,
    )
    const debit = {
      tenantId,
      mode: 'live',
      paymentId: assigned.id,
      referenceId: 'f-1',
      reason: 'a refund',
    } as const
    await db.transaction(tx =>
      postTransfers(
        tx,
        [{ ...debit, ...transfer('merchant', 'provider', 40n), unexpectedMoneyId: record?.id ?? null }],
        now,
      ),
    )
    await apply(accountId, [refund('failed'), paid({ reference: another.paymentCode })])
    const expected = [tenantId, other].toSorted().map(id => ({ id, balance: '100' }))
    expect(await balances([tenantId, other])).toEqual(expected)
  }, 60_000)

  test('an unreadable callback that is delivered twice on a cluster is listed once', async () => {
    const accountId = newId()
    expect(await apply(accountId, [], true)).toEqual([{ status: 'unreadable', paymentId: null }])
    expect(await apply(accountId, [], true)).toEqual([{ status: 'repeated', paymentId: null }])
    const listed = `select repeats from unreadable_callbacks where provider_account_id = '${accountId}'`
    expect(await sql(listed)).toEqual([{ repeats: 1 }])
  }, 60_000)

  test('on a cluster, a callback whose outcome was lost is applied again without a second credit', async () => {
    const [accountId, tenantId] = [newId(), await makeTenant(db)]
    const fields = { tenantId, providerAccountId: accountId, amount: 100n }
    const { id: paymentId, paymentCode } = await insertPendingPayment(db, fields)
    const app = {
      ...{ ...here, db, health: alwaysHealthy },
      accountOf: async (id: string) => ({
        provider: midtrans,
        account: { id, mode: 'live' as const, credentials: { server_key: id }, baseUrl: null },
        callbackRules: noCallbackRules,
      }),
    }
    const callbackId = newId()
    const paidCallback = settlementCallback(accountId, { paymentCode, amount: 1, transactionId: 't-1' })
    await insertCallbacks(db, [
      {
        ...{ id: callbackId, providerAccountId: accountId, receivedAt: now, provider: 'midtrans', path: '' },
        ...{ headers: {}, trace: null, body: Buffer.from(JSON.stringify(paidCallback)) },
      },
    ])
    const apply = () => callbackApplier(app, accountSlots(200), inquiryLimits(app.clock)).applyOne(callbackId)
    const state = async () => [
      ...(await sql(`select status from provider_callbacks where id = '${callbackId}'`)),
      ...(await sql(`select amount from ledger_entries where payment_id = '${paymentId}'`)),
      ...(await balances([tenantId])),
    ]
    const credit = [{ amount: '100' }, { id: tenantId, balance: '100' }]
    const begin = db.transaction.bind(db)
    const spy = vi
      .spyOn(db, 'transaction')
      .mockImplementationOnce(begin as never)
      .mockRejectedValueOnce(new Error('the process has crashed'))
    await expect(apply()).rejects.toThrow('the process has crashed')
    expect(await state()).toEqual([{ status: 'received' }, ...credit])
    spy.mockRestore()
    await apply()
    expect(await state()).toEqual([{ status: 'repeated' }, ...credit])
  }, 60_000)
})
