import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { addLogFields } from '../logging/log.ts'
import type { Mode } from '../values/mode.ts'
import { findPaymentInBatch } from './payment.sql.ts'
import { isShown, type Payment } from './payment.ts'
import type { RecordInBatch } from './record/event-batch.ts'

/**
 * Cancels a payment that is pending or challenged (in fraud review, or partly paid). The provider is not notified,
 * so the payer may still pay, for example to a virtual account. Such money is still credited.
 */
export async function cancelPayment(
  app: { db: Db; recordInBatch: RecordInBatch },
  tenantId: string,
  id: string,
  mode: Mode | null,
): Promise<Payment> {
  const payment = await findPaymentInBatch(app.db, tenantId, id, mode)
  if (!payment || !isShown(payment.status)) throw fault('payment_not_found', { id })
  addLogFields({ paymentId: payment.id, paymentCode: payment.paymentCode })
  const applied = await app.recordInBatch({
    tenantId,
    paymentId: payment.id,
    event: { type: 'cancelled' },
    cause: 'merchant',
  })
  if (applied.kind !== 'changed')
    throw fault('transition_refused', { from: applied.payment.status, to: 'cancelled' })
  return applied.payment
}
