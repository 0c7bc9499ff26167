import type { Order, Status } from '../order.ts'
import { type SnapDetail, transactionStatus as standardStatus } from '../snap/order.ts'

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
export function transactionWord(status: Status): string {
  const words: Record<Status, string> = {
    pending: 'PENDING',
    challenged: 'PENDING',
    paid: 'SUCCESS',
    failed: 'FAILED',
    expired: 'EXPIRED',
    cancelled: 'EXPIRED',
  }
  return words[status]
}

/** As Midtrans has it, but for an expiry: the standard ends at 07, and DOKU's clients know no 08. */
export function transactionStatus(status: Status): [code: string, words: string] {
  return standardStatus(status === 'expired' ? 'cancelled' : status)
}
