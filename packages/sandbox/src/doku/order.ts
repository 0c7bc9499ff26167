import { isFullyReturned, refundsOf } from '../money-return.ts'
import type { Order, Status } from '../order.ts'
import { reportedStatus, type SnapDetail, transactionStatus as standardStatus } from '../snap/order.ts'

// DOKU has two APIs for the same payments: DOKU's own API and SNAP (the Indonesian standard for payment APIs). An
// order belongs to the API through which it was created.

export type DirectDetail = {
  kind: 'direct'
  product: string
  // The Request-Id of the create request. Notifications contain this ID as `transaction.original_request_id`.
  requestId: string
}

export type DirectOrder = Order & { detail: DirectDetail }

/** Returns the order if it was created through DOKU's own API. */
export function directOrder(order: Order): DirectOrder | undefined {
  const { kind } = order.detail as DirectDetail | SnapDetail
  return kind === 'direct' ? (order as DirectOrder) : undefined
}

/**
 * Returns the status that a status inquiry reports (developers.doku.com check-status-api/non-snap). DOKU's own API
 * has neither cancellation nor review: a cancelled order is reported as EXPIRED, and a challenged order as PENDING.
 */
export function transactionWord(order: Order): string {
  // DOKU's status REFUNDED is final and has no amount (developers.doku.com check-status-api/non-snap).
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

/** Returns the order's status code in SNAP messages. The code is 04 if the whole paid amount has been refunded. */
export function snapStatus(order: Order): [code: string, words: string] {
  return order.status === 'paid' ? reportedStatus(order) : transactionStatus(order.status)
}

/**
 * Returns the SNAP status code and its text. The code and the text are the same as at Midtrans, except that an
 * expired order has the code of a cancelled order. Midtrans uses code 08 for an expired order, but the SNAP standard
 * ends at code 07, and DOKU's clients do not know code 08.
 */
export function transactionStatus(status: Status): [code: string, words: string] {
  return standardStatus(status === 'expired' ? 'cancelled' : status)
}
