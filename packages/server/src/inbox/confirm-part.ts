import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { confirmPartialPayment } from '../payments/inquire/confirm-partial-payment.ts'
import { endOf } from '../payments/record/plan-received-money.ts'
import { paidAttempt } from '../payments/refund/paid-attempt.ts'
import { isId } from '../values/id.ts'
import { findUnexpectedMoney } from './unexpected-money-list.sql.ts'

type Deps = { db: Db } & Parameters<typeof confirmPartialPayment>[0]

/**
 * Confirms the money of a partial payment with the provider, and records the provider's response. This is necessary
 * before the Owner (the operator) accepts the money. Does nothing for other kinds of records.
 *
 * Throws a fault in these cases:
 *
 * - The provider does not respond or does not confirm the money.
 * - The response makes the payment paid, but leaves the record open. The payment's credit may then already include this
 *   money.
 */
export async function confirmPart(app: Deps, id: string): Promise<void> {
  const money = isId(id) ? await findUnexpectedMoney(app.db, id) : undefined
  if (money?.kind !== 'underpaid' || money.status !== 'open' || money.credited) return
  const { tenantId, paymentId, receipt } = money
  if (tenantId === null || paymentId === null) return
  const { payment } = await paidAttempt(app, { tenantId, paymentId }, money)
  const confirmed = await confirmPartialPayment(app, payment, { receipt, sum: endOf(money) })
  confirmed.assertConfirmed()
  const becamePaid = payment.status !== 'paid' && confirmed.payment.status === 'paid'
  if (becamePaid && (await findUnexpectedMoney(app.db, id))?.status === 'open')
    throw fault('payment_paid_meanwhile', { paymentCode: payment.paymentCode })
}
