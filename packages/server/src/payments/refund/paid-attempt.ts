import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { LoadAccount, LoadedAccount } from '../../provider-accounts/load-account.ts'
import { findAccountOfReference } from '../attempt.sql.ts'
import { findPaymentInBatch, type PaymentKey } from '../payment.sql.ts'
import { asOfAttempt, type Payment, referenceOf } from '../payment.ts'
import type { PaymentRefund } from '../record/refund.ts'
import { findReferenceOfRecord } from '../record/unexpected-money.sql.ts'

/** The charge attempt that the payer paid: the provider account, and the payment's state during the attempt. */
export type PaidAttempt = LoadedAccount & { payment: Payment }

/**
 * Loads the charge attempt that received the money to refund. For unexpected money, its record names the attempt.
 * Otherwise, it is the attempt the payer paid.
 */
export async function attemptOfRefund(
  app: { db: Db; accountOf: LoadAccount },
  refund: PaymentKey & Pick<PaymentRefund, 'refundedMoneyId'>,
): Promise<PaidAttempt> {
  const reference = refund.refundedMoneyId && (await findReferenceOfRecord(app.db, refund.refundedMoneyId))
  return paidAttempt(app, refund, reference ?? undefined)
}

/**
 * Loads the charge attempt the payer paid. This may be an earlier attempt that was still payable. `received` is the
 * order reference of the received money, if known.
 */
export async function paidAttempt(
  app: { db: Db; accountOf: LoadAccount },
  { tenantId, paymentId }: PaymentKey,
  received?: string,
): Promise<PaidAttempt> {
  const payment = await findPaymentInBatch(app.db, tenantId, paymentId, null)
  if (!payment) throw fault('payment_not_found', { id: paymentId })
  const reference = received ?? payment.paidReference ?? referenceOf(payment)
  const accountId = (await findAccountOfReference(app.db, tenantId, reference)) ?? payment.providerAccountId
  const loaded = await app.accountOf(accountId)
  if (!loaded) throw new Error(`there is no provider account ${accountId}`)
  const isLatest = reference === referenceOf(payment)
  const providerPaymentId = isLatest ? payment.providerPaymentId : null
  return {
    ...loaded,
    payment: asOfAttempt(payment, { reference, providerAccountId: accountId, providerPaymentId }),
  }
}
