// Opens a merchant's payment for the Owner or the merchant's Partner, and records this in the audit log. The
// dashboard's payment page sends several requests, so a user's repeated requests within a minute add only one entry.

import { LRUCache } from 'lru-cache'
import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { addLogFields } from '../logging/log.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import { isShown, type Payment } from '../payments/payment.ts'
import { findPaymentByCode } from '../payments/read/payment-list.sql.ts'
import { isId } from '../values/id.ts'

type Supporter = { tenantId: string; userId: string }

const OPEN_MS = 60_000
/** The audit entries written in the last minute or being written now, by user and payment. */
const audited = new LRUCache<string, Promise<void>>({ max: 10_000, ttl: OPEN_MS })

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
  await auditOnce(app, supporter, payment)
  return payment
}

async function auditOnce(app: { db: Db }, supporter: Supporter, payment: Payment): Promise<void> {
  const key = `${supporter.userId} ${payment.id}`
  const entry = audited.get(key) ?? writeEntry(app, supporter, payment)
  audited.set(key, entry, { noUpdateTTL: true })
  await entry.catch(error => {
    audited.delete(key)
    throw error
  })
}

const writeEntry = (app: { db: Db }, supporter: Supporter, payment: Payment): Promise<void> =>
  auditedTransaction(app, supporter, async () => ({
    result: undefined,
    action: 'payment.open',
    tenantId: payment.tenantId,
    subjectId: payment.id,
    before: null,
    after: { payment_code: payment.paymentCode },
  }))
