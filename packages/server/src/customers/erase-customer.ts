// Erases a payer's name, email address, phone number, IP address and bank account on request. Amounts,
// statuses, the ledger and its seals (hashes of its entries) do not change.

import { type Actor, auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import { isShown } from '../payments/payment.ts'
import { searchQueryOf } from '../payments/read/search-query.ts'
import { isId } from '../values/id.ts'
import type { Clock } from '../values/time.ts'
import { eraseCustomers, paymentsOfCustomer } from './customer.sql.ts'

/**
 * Identifies the payer whose data is erased: the payer of one payment, or of all payments with this email
 * address or phone number.
 */
export type Payer = { paymentId: string } | { email: string } | { phone: string }

/**
 * The maximum number of payments whose data one request erases. If a payer has more payments, the request must be
 * repeated.
 */
const MAX_PAYMENTS = 10_000

/** Erases the payer's data and writes an audit log entry. Returns the number of affected payments. */
export async function eraseCustomer(
  app: { db: Db; clock: Clock },
  actor: Actor & { tenantId: string },
  payer: Payer,
): Promise<number> {
  const { tenantId } = actor
  if ('paymentId' in payer) await getPayment(app, tenantId, payer.paymentId)
  return auditedTransaction(app, actor, async tx => {
    const ids = 'paymentId' in payer ? [payer.paymentId] : await findPayments(tx, tenantId, payer)
    const erased = await eraseCustomers(tx, tenantId, ids, app.clock())
    return {
      result: erased,
      action: 'customer.erase',
      tenantId,
      subjectId: 'paymentId' in payer ? payer.paymentId : null,
      before: null,
      // The audit log entry contains no personal data, because the audit log is kept forever.
      after: { by: 'email' in payer ? 'email' : 'phone' in payer ? 'phone' : 'payment', payments: erased },
    }
  })
}

async function getPayment(app: { db: Db }, tenantId: string, id: string): Promise<void> {
  const payment = isId(id) ? await findPaymentInBatch(app.db, tenantId, id, null) : undefined
  if (!payment || !isShown(payment.status)) throw fault('payment_not_found', { id })
}

async function findPayments(db: Db, tenantId: string, payer: { email: string } | { phone: string }) {
  const [text, exact] =
    'email' in payer
      ? [payer.email, { email: payer.email, phone: null }]
      : [payer.phone, { email: null, phone: payer.phone.replaceAll(/\D/g, '').replace(/^0/, '62') }]
  const query = searchQueryOf(tenantId, { text, channel: undefined, amount: undefined })?.query
  return query === undefined ? [] : paymentsOfCustomer(db, tenantId, query, exact, MAX_PAYMENTS)
}
