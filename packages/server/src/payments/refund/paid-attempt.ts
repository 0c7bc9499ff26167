import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { LoadAccount, LoadedAccount } from '../../provider-accounts/load-account.ts'
import { findAccountOfReference } from '../attempt.sql.ts'
import { findPaymentInBatch, type PaymentKey } from '../payment.sql.ts'
import { asOfAttempt, isOwnReference, type Payment, referenceOf } from '../payment.ts'
import type { PaymentRefund } from '../record/refund.ts'
import { findAssignedCredit, findOriginOfMoney, type MoneyOrigin } from '../record/unexpected-money.sql.ts'

/** The charge attempt that the payer paid: its provider account, and the payment as it was during this attempt. */
export type PaidAttempt = LoadedAccount & {
  payment: Payment
  /**
   * False if the Owner (the operator) assigned the money to the payment. The provider then gets no refund
   * request, because none of the payment's charge attempts received the money. The channel that the payer used is
   * unknown.
   */
  isOwnOrder: boolean
}

type Deps = { db: Db; accountOf: LoadAccount }

/**
 * Loads the charge attempt that received the money to refund. For unexpected money, the record of the money determines
 * the attempt. Otherwise, the function loads the attempt that the payer paid.
 */
export async function attemptOfRefund(
  app: Deps,
  refund: PaymentKey & Pick<PaymentRefund, 'refundedMoneyId'>,
): Promise<PaidAttempt> {
  const money = refund.refundedMoneyId && (await findOriginOfMoney(app.db, refund.refundedMoneyId))
  return paidAttempt(app, refund, money || undefined)
}

/**
 * Loads the charge attempt that the payer paid, which may be an earlier attempt that was still payable. `received` is
 * the record of the received money. If `received` is omitted, the function uses the money that paid the payment.
 */
export async function paidAttempt(
  app: Deps,
  { tenantId, paymentId }: PaymentKey,
  received?: MoneyOrigin,
): Promise<PaidAttempt> {
  const payment = await findPaymentInBatch(app.db, tenantId, paymentId, null)
  if (!payment) throw fault('payment_not_found', { id: paymentId })
  const money = received ?? (await findAssignedCredit(app.db, payment))
  const reference = money?.reference ?? payment.paidReference ?? referenceOf(payment)
  if (money?.kind === 'unknown_reference' || !isOwnReference(payment, reference))
    return {
      ...(await load(app, money?.providerAccountId ?? payment.providerAccountId)),
      ...{ payment, isOwnOrder: false },
    }
  const providerAccountId =
    (await findAccountOfReference(app.db, tenantId, reference)) ?? payment.providerAccountId
  const isLatest = reference === referenceOf(payment)
  const providerPaymentId = isLatest ? payment.providerPaymentId : null
  return {
    ...(await load(app, providerAccountId)),
    payment: asOfAttempt(payment, { reference, providerAccountId, providerPaymentId }),
    isOwnOrder: true,
  }
}

async function load(app: Deps, accountId: string): Promise<LoadedAccount> {
  const loaded = await app.accountOf(accountId)
  if (!loaded) throw new Error(`there is no provider account ${accountId}`)
  return loaded
}
