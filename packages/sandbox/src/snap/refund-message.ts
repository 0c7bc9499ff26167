import type { MoneyReturn } from '../money-return.ts'
import type { Order } from '../order.ts'
import { idr } from './order.ts'
import { isoWib } from './time.ts'

// How SNAP shows refunds. docs.midtrans.com payment-notification-api names the fields partnerRefundNo and refundTime in
// its table, partnerReferenceNo and refundDate in its sample: notifications here follow the table, inquiries the page
// on inquiries, which has the latter.

type Message = Record<string, unknown>

/** Final refunds, failed ones included: a pending one has no status in SNAP. */
function listed({ returns }: Order): MoneyReturn[] {
  return returns.filter(({ kind, status }) => kind === 'refund' && status !== 'pending')
}

function statusOf({ status }: MoneyReturn): string {
  return status === 'succeeded' ? '00' : '06'
}

export function inquiredHistory(order: Order): Message[] {
  return listed(order).map(refund => ({
    refundNo: refund.id,
    partnerReferenceNo: keyOf(refund),
    refundAmount: idr(refund.amountCents),
    refundStatus: statusOf(refund),
    refundDate: isoWib(refund.finalAt ?? refund.createdAt),
    reason: refund.reason,
  }))
}

/** For `additionalInfo` of a notification. */
export function notifiedHistory(order: Order): { refundHistory: Message[]; totalRefundAmount?: Message } {
  const refunds = listed(order)
  const refundHistory = refunds.map(refund => ({
    refundNo: refund.id,
    refundStatus: statusOf(refund),
    partnerRefundNo: keyOf(refund),
    refundAmount: idr(refund.amountCents),
    reason: refund.reason,
    refundTime: isoWib(refund.finalAt ?? refund.createdAt),
  }))
  if (refunds.length === 0) return { refundHistory }
  const total = refunds
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
  return { refundHistory, totalRefundAmount: idr(total) }
}

/** A refund that the merchant did not ask for has the provider's own reference. */
export function keyOf({ key, id }: MoneyReturn): string {
  return key ?? id
}
