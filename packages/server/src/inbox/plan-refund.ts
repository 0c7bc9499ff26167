// If the Owner decides to refund unexpected money, determines how the payer gets the refund.

import { fault } from '../faults/fault.ts'
import type { Payment } from '../payments/payment.ts'
import { newRefund } from '../payments/record/new-refund.ts'
import type { BankAccount, PaymentRefund, RefundSource } from '../payments/record/refund.ts'
import { isUndecided, type UnexpectedMoney } from '../payments/record/unexpected-money.ts'
import type { PaidAttempt } from '../payments/refund/paid-attempt.ts'
import { refundMethodOf } from '../payments/refund/refund-method.ts'
import { refundableOf, requireWholeRupiah } from '../payments/refund/refundable.ts'
import { type Cents, toJsonNumber } from '../values/money.ts'
import { orderAttemptOf } from './order-attempt.ts'

export type RefundSituation = {
  money: UnexpectedMoney
  payment: Payment
  /** All unexpected money records and all refunds of the payment. */
  records: UnexpectedMoney[]
  refunds: PaymentRefund[]
  /** The charge attempt that received the money. */
  attempt: Pick<PaidAttempt, 'provider' | 'payment' | 'isOwnOrder'>
  at: Date
}

export type PlannedRefund = {
  refund: PaymentRefund
  /**
   * The record of the provider's own report about this refund, if the provider has already reported the refund. In this
   * case, the service sends no refund request to the provider.
   */
  matched?: UnexpectedMoney
}

/**
 * Returns the refund that sends unexpected money back to the payer. Throws an error in these cases:
 *
 * - The amount exceeds what is left to refund.
 * - The amount is less than what is left, and includes a fraction of a rupiah.
 * - A required bank account is missing, or a bank account is given but not needed.
 */
export function planRefund(
  { money, payment, records, refunds, attempt, at }: RefundSituation,
  { amount, source }: { amount: Cents; source: RefundSource },
  { bankAccount, reason }: { bankAccount: BankAccount | undefined; reason: string },
): PlannedRefund {
  const ofPayment = refundableOf(payment.amountPaid ?? 0n, refunds)
  const left = source === 'amount_paid' ? ofPayment.left : (money.amount ?? 0n)
  if (amount > left) throw fault('refund_exceeds_left', { left: toJsonNumber(left) }, { field: 'amount' })
  requireWholeRupiah(amount, left)
  const { provider, providerAccountId, id: refundedMoneyId } = money
  const terms = {
    amount,
    source,
    origin: 'operator',
    reason,
    refundedMoneyId,
    provider,
    providerAccountId,
  } as const
  const matched = source === 'uncredited' ? reportedRefundOf(money, records) : undefined
  if (matched) {
    if (bankAccount) throw fault('refund_reported_already', {}, { field: 'bank_account' })
    return { refund: newRefund(payment, refunds, { ...terms, ...asReported(matched, at) }, at), matched }
  }
  const order = orderAttemptOf({ money, payment, records, refunds }, { amount, source }, at)
  return {
    refund: newRefund(payment, refunds, { ...terms, ...refundMethodOf(attempt, order, bankAccount, at) }, at),
  }
}

/**
 * Finds a refund of the same amount that the provider has reported and that is waiting for the Owner's decision. This
 * refund may already return the money that the Owner wants to refund. It therefore counts as the Owner's refund,
 * because a second refund would pay the payer twice.
 */
const reportedRefundOf = (money: UnexpectedMoney, records: UnexpectedMoney[]): UnexpectedMoney | undefined =>
  records.find(record => record.kind === 'refund' && isUndecided(record) && record.amount === money.amount)

const asReported = ({ returnStatus, receipt }: UnexpectedMoney, at: Date) => ({
  method: 'provider' as const,
  providerRefundId: receipt || null,
  // The provider has already started this refund. The refund is therefore marked as requested, so that the service
  // never requests it from the provider.
  requestedAt: at,
  ...(returnStatus === 'succeeded' && { status: 'succeeded' as const, succeededAt: at }),
})
