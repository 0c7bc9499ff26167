import { isFullyReturned, latestReturn } from '../money-return.ts'
import type { Order, Status } from '../order.ts'

// A Midtrans order with its additional fields, and the changes that a merchant can make. The sandbox does not store the
// status `capture`: a paid order that is not settled is shown as captured.

export type PaymentType =
  | 'bank_transfer'
  | 'echannel'
  | 'qris'
  | 'gopay'
  | 'shopeepay'
  | 'ovo'
  | 'cstore'
  | 'akulaku'
  | 'kredivo'
  | 'credit_card'

export type MidtransDetail = {
  paymentType: PaymentType
  bank?: string
  store?: string
  acquirer?: string
  callbackUrl?: string
  maskedCard?: string
  // The phone number of the payer, to which OVO sends its request to confirm the payment.
  payerPhone?: string
  // The fields custom_field1…3 and metadata of the request, which messages return unchanged.
  echoed: Record<string, unknown>
}

export type MidtransOrder = Order & { detail: MidtransDetail }

export type TransactionStatus =
  | 'pending'
  | 'settlement'
  | 'capture'
  | 'deny'
  | 'expire'
  | 'cancel'
  | 'refund'
  | 'partial_refund'
  | 'chargeback'
  | 'partial_chargeback'

export function transactionStatusOf(order: Order): TransactionStatus {
  const words: Record<Status, TransactionStatus> = {
    pending: 'pending',
    paid: paidStatusOf(order),
    failed: 'deny',
    expired: 'expire',
    cancelled: 'cancel',
    challenged: 'capture',
  }
  return words[order.status]
}

/**
 * Returns the status of a paid order. Without a refund or chargeback, the status is `capture` or
 * `settlement`. Otherwise the newest refund or chargeback determines the status. It is `refund` or
 * `chargeback` if nothing of the paid amount is left, and otherwise `partial_refund` or `partial_chargeback`.
 */
function paidStatusOf(order: Order): TransactionStatus {
  const returned = latestReturn(order)
  if (!returned) return order.settledAt === null ? 'capture' : 'settlement'
  return isFullyReturned(order) ? returned.kind : `partial_${returned.kind}`
}

/** Returns the status code of a notification, which is 200 only for a settled or captured payment. */
export function statusCodeOf(order: Order): string {
  const codes: Record<Status, string> = {
    pending: '201',
    paid: '200',
    failed: '202',
    expired: '202',
    cancelled: '202',
    challenged: '201',
  }
  return codes[order.status]
}

export type Action = 'cancel' | 'expire' | 'approve' | 'deny'

/**
 * Returns the order as it is after a merchant's action, such as a cancellation. Returns undefined if Midtrans
 * would reject the action with 412.
 */
export function actOn(order: Order, action: Action): Order | undefined {
  const captured = order.status === 'paid' && order.settledAt === null
  const allowed: Record<Action, boolean> = {
    cancel: order.status === 'pending' || order.status === 'challenged' || captured,
    expire: order.status === 'pending',
    approve: order.status === 'challenged',
    deny: order.status === 'challenged',
  }
  const becomes: Record<Action, Status> = {
    cancel: 'cancelled',
    expire: 'expired',
    approve: 'paid',
    deny: 'failed',
  }
  if (!allowed[action]) return undefined
  return { ...order, status: becomes[action], settledAt: null }
}

/**
 * Returns whether Midtrans would reject a new order with the same order_id. Midtrans accepts a new order after the
 * old order was cancelled or has expired.
 */
export function holdsOrderId(order: Order): boolean {
  return order.status !== 'cancelled' && order.status !== 'expired'
}
