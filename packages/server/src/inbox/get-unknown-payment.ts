import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { type Payment, shownStatus } from '../payments/payment.ts'
import { findPaymentByIdOrCode } from '../payments/read/payment-list.sql.ts'

export async function getUnknownPayment(app: { db: Db }, id: string): Promise<Payment> {
  const payment = await findPaymentByIdOrCode(app.db, id)
  if (!payment) throw fault('payment_not_found', { id })
  if (payment.status !== 'unknown') throw notUnknown(payment)
  return payment
}

export const notUnknown = ({ status, failureReason }: Payment) =>
  fault('outcome_known', { outcome: outcomeInWords(status), reason: failureReason ?? null })

function outcomeInWords(status: Payment['status']): string {
  switch (status) {
    case 'charging':
      return 'it is being charged'
    case 'uncharged':
      return 'nothing was created'
    case 'rejected':
      return 'the provider refused it'
    default:
      return `it is ${shownStatus(status)}`
  }
}
