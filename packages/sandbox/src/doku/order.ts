import { isFullyReturned, refundsOf } from '../money-return.ts'
import type { Order, Status } from '../order.ts'
import { reportedStatus, type SnapDetail, transactionStatus as standardStatus } from '../snap/order.ts'

// DOKU has two APIs for the same money; an order belongs to the one that created it.

export type DirectDetail = {
  kind: 'direct'
  product: string
  // Its own identifier of the payment, in notifications `transaction.original_request_id`.
  requestId: string
}

export type DirectOrder = Order & { detail: DirectDetail }

/** The order if DOKU's own API made it. */
export function directOrder(order: Order): DirectOrder | undefined {
  const { kind } = order.detail as DirectDetail | SnapDetail
  return kind === 'direct' ? (order as DirectOrder) : undefined
}

/**
 * The word an inquiry has for it (developers.doku.com check-status-api/non-snap). There is no cancelling and no
 * review in this API: one looks like an expiry, the other like nothing yet.
 */
export function transactionWord(order: Order): string {
  // developers.doku.com check-status-api/non-snap: final, and without an amount.
  if (refundsOf(order).length > 0 && isFullyReturned(order)) return 'REFUNDED'
  const words: Record<Status, string> = {
    pending: 'PENDING',
    challenged: 'PENDING',
    paid: 'SUCCESS',
    failed: 'FAILED',
    expired: 'EXPIRED',
    cancelled: 'EXPIRED',
  }
  return words[order.status]
}

/** As it is reported over SNAP; 04 once refunds left nothing. */
export function snapStatus(order: Order): [code: string, words: string] {
  return order.status === 'paid' ? reportedStatus(order) : transactionStatus(order.status)
}

/** As Midtrans has it, but for an expiry: the standard ends at 07, and DOKU's clients know no 08. */
export function transactionStatus(status: Status): [code: string, words: string] {
  return standardStatus(status === 'expired' ? 'cancelled' : status)
}
