// Opens a merchant's payment for the Owner or the merchant's Partner, and records this in the audit log. The
// dashboard's payment page sends several requests, so a user's repeated requests within a minute add only one entry.

import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { addLogFields } from '../logging/log.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import { isShown, type Payment } from '../payments/payment.ts'
import { findPaymentByCode } from '../payments/read/payment-list.sql.ts'
import { isId } from '../values/id.ts'
import { auditOpenedPayment } from './audit-opened-payment.ts'
import type { Supporter } from './audit-read.ts'

/**
 * Returns the payment and records that it was opened. Call this function with database access limited to the
 * payment's tenant, so that it cannot read another tenant's payments.
 */
export async function openPayment(
  app: { db: Db },
  supporter: Supporter,
  tenantId: string,
  idOrCode: string,
): Promise<Payment> {
  const payment = isId(idOrCode)
    ? await findPaymentInBatch(app.db, tenantId, idOrCode, null)
    : await findPaymentByCode(app.db, idOrCode)
  if (!payment || payment.tenantId !== tenantId || !isShown(payment.status))
    throw fault('payment_not_found', { id: idOrCode })
  addLogFields({ paymentId: payment.id, paymentCode: payment.paymentCode })
  await auditOpenedPayment(app, supporter, payment)
  return payment
}
