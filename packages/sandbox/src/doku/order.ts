import { isFullyReturned, refundsOf } from '../money-return.ts'
import type { Order, Status } from '../order.ts'
import { reportedStatus, type SnapDetail, transactionStatus as standardStatus } from '../snap/order.ts'

// DOKU has two APIs for the same payments: its own API and SNAP, the Indonesian standard for payment APIs. An order
// belongs to the API used to create it.

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
 * Returns the status for a status inquiry (developers.doku.com check-status-api/non-snap). DOKU has no status for a
 * cancellation or a fraud check, so a cancelled order is reported as EXPIRED and a challenged order as PENDING.
 */
export function transactionWord(order: Order): string {
  // The status REFUNDED does not contain the refunded amount, so the sandbox reports this status only after a
  // full refund.
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

/** Returns the order's SNAP status code, which is 04 after a full refund. */
export function snapStatus(order: Order): [code: string, words: string] {
  return order.status === 'paid' ? reportedStatus(order) : transactionStatus(order.status)
}

/**
 * Returns DOKU's SNAP status code for the order status, and its text. An expired order gets the code for a
 * cancelled order. Midtrans uses code 08 instead, which neither the SNAP standard nor DOKU's clients define.
 */
export function transactionStatus(status: Status): [code: string, words: string] {
  return standardStatus(status === 'expired' ? 'cancelled' : status)
}
