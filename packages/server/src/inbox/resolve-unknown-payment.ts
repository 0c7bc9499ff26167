import { type Actor, auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import type { Payment } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import type { Clock } from '../values/time.ts'
import { getUnknownPayment, notUnknown } from './get-unknown-payment.ts'

/**
 * Records that an operator found no order at the provider for a charge whose outcome is unknown. A request with the
 * same idempotency key can then charge again. If money is received later, it still makes the payment paid.
 */
export async function resolveUnknownPayment(
  app: { db: Db; clock: Clock },
  owner: Actor,
  id: string,
  reason: string,
): Promise<Payment> {
  const { tenantId, id: paymentId } = await getUnknownPayment(app, id)
  return auditedTransaction(app, owner, async tx => {
    const event = (payment: Payment) =>
      payment.status === 'unknown' ? ({ type: 'not_created', reason } as const) : undefined
    const [recorded] = await recordEvents(tx, [{ tenantId, paymentId, event, cause: 'owner' }], app.clock())
    if (!recorded) throw new Error('recording the decision about the payment returned no result')
    if (recorded.kind !== 'changed') throw notUnknown(recorded.payment)
    return {
      result: recorded.payment,
      action: 'unknown_payment.resolve',
      tenantId,
      subjectId: paymentId,
      before: { status: recorded.from },
      after: { status: recorded.payment.status, decision: 'not_created', reason },
    }
  })
}
