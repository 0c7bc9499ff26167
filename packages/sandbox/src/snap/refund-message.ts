import type { MoneyReturn } from '../money-return.ts'
import type { Order } from '../order.ts'
import { idr } from './order.ts'
import { isoWib } from './time.ts'

// Refunds in SNAP messages. Notifications contain partnerRefundNo and refundTime, as in the table at
// docs.midtrans.com payment-notification-api. The sample on that page uses other names. Status inquiries contain
// partnerReferenceNo and refundDate, as on the status inquiry page.

type Message = Record<string, unknown>

/** Returns the order's final refunds. Pending refunds are omitted, because SNAP has no status for them. */
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

/** Returns the refunds in the format of a notification's `additionalInfo`. */
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

/**
 * Returns the merchant's refund reference, or a reference from the provider if the merchant did not request the
 * refund.
 */
export function keyOf({ key, id }: MoneyReturn): string {
  return key ?? id
}
