import type { Payment } from '../payments/payment.ts'
import { isOfOwnReceipt } from '../payments/record/plan-received-money.ts'
import type { PaymentRefund, RefundSource } from '../payments/record/refund.ts'
import { isReceived, type UnexpectedMoney } from '../payments/record/unexpected-money.ts'
import type { RefundAttempt } from '../providers/refund-terms.ts'
import type { Cents } from '../values/money.ts'

/**
 * Returns the terms for refunding the recorded money through the provider, or undefined if the order of the money is
 * unknown. A provider refunds an order, not a single receipt, and the merchant can refund the payment in the same way.
 * If the order received other money, too, only the money that paid the payment therefore has such terms.
 */
export function orderAttemptOf(
  {
    money,
    payment,
    records,
    refunds,
  }: { money: UnexpectedMoney; payment: Payment; records: UnexpectedMoney[]; refunds: PaymentRefund[] },
  { amount, source }: { amount: Cents; source: RefundSource },
  at: Date,
): RefundAttempt | undefined {
  if (money.kind === 'unknown_reference') return undefined
  const isOwn = isOfOwnReceipt(payment, money)
  const received = records.filter(record => isReceived(record) && record.reference === money.reference)
  const ofOrder = isOwn ? received.filter(record => isOfOwnReceipt(payment, record)) : received
  const hasOtherReceipts =
    money.reference === payment.paidReference || received.some(({ receipt }) => receipt !== money.receipt)
  if (!isOwn && hasOtherReceipts) return undefined
  const ids = new Set(ofOrder.map(({ id }) => id))
  const standing = refunds.filter(
    refund =>
      refund.status !== 'failed' &&
      (refund.refundedMoneyId === null ? isOwn : ids.has(refund.refundedMoneyId)),
  )
  const { amountPaid, paidAt } = payment
  return {
    amount,
    amountPaid:
      source === 'amount_paid' && amountPaid !== null ? amountPaid : money.fromAmount + (money.amount ?? 0n),
    refunded: standing.reduce((sum, each) => sum + each.amount, 0n),
    refunds: standing.length,
    paidAt: source === 'amount_paid' && paidAt !== null ? paidAt : money.paidAt,
    at,
  }
}
