import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { balanceLock, lockingInOrder, type RowLock } from '../../test/support/lock-order.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../test/support/make.ts'
import type { Tx } from '../db/db.ts'
import { findBalance, postTransfers } from '../ledger/ledger.sql.ts'
import { transfer } from '../ledger/transfer.ts'
import { createLog } from '../logging/log.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import { moneyReceivedEvent, type Payment } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { recordUnmatchedMoney } from '../payments/record/record-unmatched-money.ts'
import type { MoneyReturn, ProviderUpdate } from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { insertCallbacks } from './callback.sql.ts'
import type { ReadCallback } from './callback-message.ts'
import { recordCallbacks } from './record-callbacks.ts'

const { db } = await testDatabase()

const refund = (id: string, amount: bigint, status: MoneyReturn['status']): MoneyReturn => ({
  ...{ kind: 'refund', id, amount, status },
})
const reportOf = (reference: string, returned: MoneyReturn): ProviderUpdate => ({
  ...{ reference, providerPaymentId: 'p-1', fact: { type: 'nothing', reason: 'a refund' } },
  returns: [returned],
})

async function readCallback(providerAccountId: string, update: ProviderUpdate): Promise<ReadCallback> {
  const callback = { id: newId(), providerAccountId, receivedAt: now }
  const stored = { ...callback, provider: 'midtrans', path: '', headers: {}, trace: null }
  await insertCallbacks(db, [{ ...stored, body: Buffer.from(callback.id) }])
  return [{ ...{ callback, provider: 'midtrans', mode: 'live', update }, needsConfirmation: false }]
}

async function insertPaid(tenantId: string): Promise<Payment> {
  const payment = await insertPendingPayment(db, { tenantId, amount: 1_000n })
  const { id: paymentId, paymentCode: reference } = payment
  const event = moneyReceivedEvent(payment, { amountPaid: 1_000n, paidAt: now, reference, receipt: 'r-1' })
  await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now))
  return payment
}

/**
 * Inserts a paid payment. The provider reported a refund of 400 for the order reference `unknown`. The operator
 * assigned this refund to the payment, so the merchant was debited.
 */
async function insertPaidWithAssignedRefund(tenantId: string): Promise<Payment> {
  const payment = await insertPaid(tenantId)
  const { id: paymentId, providerAccountId } = payment
  const account = { provider: 'midtrans', providerAccountId, mode: 'live' } as const
  await db.transaction(async tx => {
    const update = reportOf('unknown', refund('f-1', 400n, 'pending'))
    await recordUnmatchedMoney(tx, [{ ...account, update }], now)
    const { rows } = await tx.raw(
      `update unexpected_money set tenant_id = ?, payment_id = ?, credited = true, status = 'accepted', decided_at = now()
       where provider_account_id = ? returning id`,
      [tenantId, paymentId, providerAccountId],
    )
    const debit = { tenantId, mode: 'live', paymentId, ...transfer('merchant', 'provider', 400n) } as const
    const entry = { ...debit, unexpectedMoneyId: rows[0].id, referenceId: 'f-1', reason: 'a refund' }
    await postTransfers(tx, [entry], now)
  })
  return payment
}

const recordBatch = (tx: Tx, batch: ReadCallback[]) =>
  recordCallbacks(
    { clock: () => later(5_000), publicUrl: 'https://pay.example.com', log: createLog('silent') },
    ...([tx, batch, { isFinal: false }] as const),
  )

test('one batch can record callbacks about a payment and about a refund that was assigned to it', async () => {
  const tenantId = await makeTenant(db)
  const { id, paymentCode, providerAccountId } = await insertPaidWithAssignedRefund(tenantId)
  expect(await findBalance(db, tenantId, 'live')).toBe(600n)
  const batch = [
    await readCallback(providerAccountId, reportOf('unknown', refund('f-1', 400n, 'failed'))),
    await readCallback(providerAccountId, reportOf(paymentCode, refund('f-2', 300n, 'succeeded'))),
  ]
  const results = await db.transaction(tx => recordBatch(tx, batch))
  expect(results.flatMap(({ applied }) => applied.map(({ status }) => status))).toEqual([
    'unmatched',
    'applied',
  ])
  expect(await findBalance(db, tenantId, 'live')).toBe(700n)
  const after = await findPaymentInBatch(db, tenantId, id, null)
  expect(after).toMatchObject({ status: 'paid', amountRefunded: 300n })
})

test.each(['payment', 'record', 'balance'] as const)(
  'a batch with a callback about assigned money locks the %s to which the callback refers before it posts to other tenants’ balances',
  async kind => {
    const [tenantId, other] = [await makeTenant(db), await makeTenant(db)].sort() as [string, string]
    const assigned = await insertPaidWithAssignedRefund(tenantId)
    const paid = await insertPaid(other)
    const batch = [
      await readCallback(assigned.providerAccountId, reportOf('unknown', refund('f-1', 400n, 'failed'))),
      await readCallback(
        paid.providerAccountId,
        reportOf(paid.paymentCode, refund('f-2', 300n, 'succeeded')),
      ),
    ]
    const first = {
      payment: ['select from payments where id = ? for update', [assigned.id]] as RowLock,
      record: ['select from unexpected_money where payment_id = ? for update', [assigned.id]] as RowLock,
      balance: balanceLock(tenantId),
    }[kind]
    await lockingInOrder(db, { first, second: balanceLock(other) }, tx => recordBatch(tx, batch))
    expect(await findBalance(db, tenantId, 'live')).toBe(1_000n)
    expect(await findBalance(db, other, 'live')).toBe(700n)
  },
)
