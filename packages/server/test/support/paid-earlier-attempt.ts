import type { Db } from '../../src/db/db.ts'
import { insertPaymentInBatch } from '../../src/payments/payment.sql.ts'
import type { Payment, PaymentEvent } from '../../src/payments/payment.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { newId } from '../../src/values/id.ts'
import { later, makePayment, now } from './make-payment.ts'

/**
 * Inserts a payment that was charged at Midtrans and then at Xendit. Midtrans reports the payment of its order before
 * Xendit accepts the charge, and with the payment ID `p-1`. Xendit's payment ID is `p-2`.
 */
export async function insertPaidAtEarlierAttempt(db: Db, tenantId: string): Promise<Payment> {
  const { methodData, ...fields } = makePayment({ tenantId })
  if (methodData === null) throw new Error('a pending payment has payment instructions')
  const payment: Payment = { ...fields, methodData: null, providerPaymentId: null }
  const failureReason = 'the provider has no such order'
  await insertPaymentInBatch(db, { ...payment, status: 'uncharged', transitionCount: 0, failureReason })
  const events: PaymentEvent[] = [
    {
      type: 'charge_started',
      ...{ provider: 'xendit', providerAccountId: newId(), reason: failureReason },
      ...{ expiresAt: payment.expiresAt, nextCheckAt: later(60_000) },
    },
    {
      type: 'paid',
      ...{
        amountPaid: payment.amount,
        paidAt: now,
        reference: payment.paymentCode,
        providerPaymentId: 'p-1',
      },
    },
    { type: 'accepted', providerPaymentId: 'p-2', methodData },
  ]
  let last = payment
  for (const event of events) {
    const report = { tenantId, paymentId: payment.id, event, cause: 'test' } as const
    const [recorded] = await db.transaction(tx => recordEvents(tx, [report], later(1)))
    last = (recorded as { payment: Payment }).payment
  }
  return last
}
