// Which posting a payment's change asks for.

import type { Posting } from '../ledger/posting.ts'
import type { Payment, Status } from './payment.ts'

/** Money that arrived is credited once, when the payment becomes paid, with what really arrived. */
export function postingFor(payment: Payment, from: Status): Posting | undefined {
  if (payment.status !== 'paid' || from === 'paid') return undefined
  if (payment.amountPaid === null) throw new Error(`payment ${payment.id} is paid without an amount`)
  return {
    tenantId: payment.tenantId,
    mode: payment.mode,
    paymentId: payment.id,
    entryType: 'credit',
    amount: payment.amountPaid,
    referenceId: payment.paymentCode,
    reason: `payment ${payment.paymentCode} received`,
  }
}
