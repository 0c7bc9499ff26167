import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../test/support/make.ts'
import { findBalance, postTransfers } from '../ledger/ledger.sql.ts'
import { transfer } from '../ledger/transfer.ts'
import { createLog } from '../logging/log.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import { moneyReceivedEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { recordUnmatchedMoney } from '../payments/record/record-unmatched-money.ts'
import type { MoneyReturn, ProviderUpdate } from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { insertCallbacks } from './callback.sql.ts'
import type { ReadCallback } from './callback-message.ts'
import { recordCallbacks } from './record-callbacks.ts'

test('if the operator assigned a refund to a payment, one batch can record a callback about the payment and a callback about the refund', async () => {
  const { db } = await testDatabase()
  const tenantId = await makeTenant(db)
  const payment = await insertPendingPayment(db, { tenantId, amount: 1_000n })
  const { id: paymentId, paymentCode, providerAccountId } = payment
  const account = { provider: 'midtrans', providerAccountId, mode: 'live' } as const
  const refund = (id: string, amount: bigint, status: MoneyReturn['status']): MoneyReturn => ({
    ...{ kind: 'refund', id, amount, status },
  })
  const reportOf = (reference: string, returned: MoneyReturn): ProviderUpdate => ({
    ...{ reference, providerPaymentId: 'p-1', fact: { type: 'nothing', reason: 'a refund' } },
    returns: [returned],
  })
  const readCallback = async (update: ProviderUpdate): Promise<ReadCallback> => {
    const callback = { id: newId(), providerAccountId, receivedAt: now }
    const stored = { ...callback, provider: 'midtrans', path: '', headers: {}, trace: null }
    await insertCallbacks(db, [{ ...stored, body: Buffer.from(callback.id) }])
    return [{ ...{ callback, provider: 'midtrans', mode: 'live', update }, needsConfirmation: false }]
  }

  // The payment is paid. The provider reported a refund for an unknown order. The operator assigned this refund to the
  // payment, so the merchant was debited.
  await db.transaction(async tx => {
    const receipt = { amountPaid: 1_000n, paidAt: now, reference: paymentCode, receipt: 'r-1' }
    const event = moneyReceivedEvent(payment, receipt)
    await recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now)
    await recordUnmatchedMoney(
      tx,
      [{ ...account, update: reportOf('unknown', refund('f-1', 400n, 'pending')) }],
      now,
    )
    const { rows } = await tx.raw(
      `update unexpected_money set tenant_id = ?, payment_id = ?, credited = true, status = 'accepted', decided_at = now()
       where provider_account_id = ? returning id`,
      [tenantId, paymentId, providerAccountId],
    )
    const debit = { tenantId, mode: 'live', paymentId, ...transfer('merchant', 'provider', 400n) } as const
    const entry = { ...debit, unexpectedMoneyId: rows[0].id, referenceId: 'f-1', reason: 'a refund' }
    await postTransfers(tx, [entry], now)
  })
  expect(await findBalance(db, tenantId, 'live')).toBe(600n)

  const batch = [
    await readCallback(reportOf('unknown', refund('f-1', 400n, 'failed'))),
    await readCallback(reportOf(paymentCode, refund('f-2', 300n, 'succeeded'))),
  ]
  const here = { clock: () => later(5_000), publicUrl: 'https://pay.example.com', log: createLog('silent') }
  const results = await db.transaction(tx => recordCallbacks(here, tx, batch, { isFinal: false }))
  expect(results.flatMap(({ applied }) => applied.map(({ status }) => status))).toEqual([
    'unmatched',
    'applied',
  ])
  expect(await findBalance(db, tenantId, 'live')).toBe(700n)
  const after = await findPaymentInBatch(db, tenantId, paymentId, null)
  expect(after).toMatchObject({ status: 'paid', amountRefunded: 300n })
})
