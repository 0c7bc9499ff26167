// Erases a payer's name, email address, phone number, IP address and bank account on request. Amounts,
// statuses, the ledger and its seals (hashes of its entries) do not change.

import { type Actor, auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import { isShown } from '../payments/payment.ts'
import { idOfPayment } from '../payments/read/payment-list.sql.ts'
import { searchQueryOf } from '../payments/read/search-query.ts'
import type { Clock } from '../values/time.ts'
import {
  AFTER_ALL_PAYMENTS,
  type CustomerPayments,
  eraseCustomers,
  paymentsOfCustomer,
} from './customer.sql.ts'

/**
 * Identifies the payer whose data is erased: the payer of one payment (its ID or payment code), or of all payments with
 * this email address or phone number.
 */
export type Payer = { paymentId: string } | { email: string } | { phone: string }

/**
 * The maximum number of payments in which one step searches for the payer's data. One transaction erases the data of at
 * most this number of payments, because it locks all of them.
 */
const PAYMENTS_AT_ONCE = 10_000

type App = { db: Db; clock: Clock }
type TenantUser = Actor & { tenantId: string }

/**
 * Erases the payer's data and writes an audit log entry. Returns the number of affected payments. If there are
 * many, they are erased in several transactions, each with its own audit log entry.
 */
export async function eraseCustomer(
  app: App,
  actor: TenantUser,
  payer: Payer,
  paymentsAtOnce = PAYMENTS_AT_ONCE,
): Promise<number> {
  const { tenantId } = actor
  if ('paymentId' in payer) {
    const paymentId = await findPaymentId(app.db, tenantId, payer.paymentId)
    return erasePayments(app, actor, { paymentId }, [paymentId])
  }
  let erased = 0
  let hasErased = false
  for await (const ids of findPayments(app.db, tenantId, payer, paymentsAtOnce)) {
    erased += await erasePayments(app, actor, payer, ids)
    hasErased = true
  }
  // The audit log also records a request that finds no payment.
  if (!hasErased) await erasePayments(app, actor, payer, [])
  return erased
}

const erasePayments = (app: App, actor: TenantUser, payer: Payer, ids: string[]): Promise<number> =>
  auditedTransaction(app, actor, async tx => {
    const { tenantId } = actor
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

/** Returns the ID of the tenant's payment with this ID or payment code. */
async function findPaymentId(db: Db, tenantId: string, idOrCode: string): Promise<string> {
  const id = await idOfPayment(db, idOrCode)
  const payment =
    id === undefined ? undefined : await findPaymentInBatch(db, tenantId, id.toLowerCase(), null)
  if (!payment || !isShown(payment.status)) throw fault('payment_not_found', { id: idOrCode })
  return payment.id
}

/**
 * Yields the IDs of the payer's payments, in lists of at most `atOnce`. The search compares only the words of an email
 * address, so it also finds payments with similar addresses. A step that finds only such payments yields no list, but
 * the search continues.
 */
async function* findPayments(
  db: Db,
  tenantId: string,
  payer: { email: string } | { phone: string },
  atOnce: number,
): AsyncGenerator<string[]> {
  const [text, exact] =
    'email' in payer
      ? [payer.email, { email: payer.email, phone: null }]
      : [payer.phone, { email: null, phone: payer.phone.replaceAll(/\D/g, '').replace(/^0/, '62') }]
  const query = searchQueryOf(tenantId, { text, channel: undefined, amount: undefined })?.query
  if (query === undefined) return
  let beforeId: string | undefined = AFTER_ALL_PAYMENTS
  while (beforeId !== undefined) {
    const found: CustomerPayments = await paymentsOfCustomer(db, tenantId, query, exact, {
      beforeId,
      limit: atOnce,
    })
    if (found.ids.length > 0) yield found.ids
    beforeId = found.candidates < atOnce ? undefined : found.lastCandidate
  }
}
