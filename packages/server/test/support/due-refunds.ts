import type { Db } from '../../src/db/db.ts'
import { lockPaymentsWithBalances } from '../../src/payments/payment.sql.ts'
import { newBatch } from '../../src/payments/record/event-batch.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { recordRefund } from '../../src/payments/record/record-refund.ts'
import { refundReferenceOf } from '../../src/payments/record/refund.ts'
import { writeBatch } from '../../src/payments/record/write-batch.ts'
import { insertPendingPayment, makeTenant, now } from './make.ts'
import { makeRefund } from './make-refund.ts'

/** Inserts due refunds of a new paid payment at the provider account, and returns their references. */
export async function insertDueRefunds(
  db: Db,
  providerAccountId: string,
  count: number,
  { requestedAt = now, nextCheckAt = now }: { requestedAt?: Date | null; nextCheckAt?: Date } = {},
): Promise<string[]> {
  const payment = await insertPendingPayment(db, { tenantId: await makeTenant(db), providerAccountId })
  const { tenantId, id: paymentId, paymentCode, amount: amountPaid } = payment
  const event = { type: 'paid', amountPaid, paidAt: now, reference: paymentCode } as const
  const references = [...Array(count).keys()].map(index => refundReferenceOf(paymentCode, index + 1))
  await db.transaction(async tx => {
    await recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now)
    const { payments, balances } = await lockPaymentsWithBalances(tx, [{ tenantId, paymentId }])
    const batch = newBatch(payments, now, balances)
    for (const [index, reference] of references.entries()) {
      const terms = { number: index + 1, reference, amount: 100n, requestedAt, nextCheckAt }
      const refund = makeRefund({ tenantId, paymentId, providerAccountId, ...terms })
      recordRefund(batch, undefined, refund, 'merchant')
    }
    await writeBatch(tx, batch)
  })
  return references
}
