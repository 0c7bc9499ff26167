import { isFullyReturned, latestReturn } from '../money-return.ts'
import type { Order, Status } from '../order.ts'

// Midtrans' orders and the changes that a merchant can make to them. Until a paid order is settled, Midtrans reports
// its status as `capture`. The sandbox does not store this status, but derives it.

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
  // The payer's phone number, which receives OVO's request to confirm the payment.
  payerPhone?: string
  // The request's custom_field1…3 and metadata. Messages about the order repeat them unchanged.
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
 * Returns a paid order's status: `capture` before settlement, and `settlement` after it. If money was returned, the
 * status is the kind of the newest return (refund or chargeback). It has the prefix `partial_` unless the whole amount
 * was returned.
 */
function paidStatusOf(order: Order): TransactionStatus {
  const returned = latestReturn(order)
  if (!returned) return order.settledAt === null ? 'capture' : 'settlement'
  return isFullyReturned(order) ? returned.kind : `partial_${returned.kind}`
}

/**
 * Returns Midtrans' status code for the order, which notifications contain. The code is 200 only if the order
 * is paid.
 */
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
 * Returns the order after a merchant's action, such as a cancellation. Returns undefined if Midtrans rejects the action
 * (412).
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
 * Returns whether a new order with the same order_id is rejected. The order_id of a cancelled or expired order can be
 * reused.
 */
export function holdsOrderId(order: Order): boolean {
  return order.status !== 'cancelled' && order.status !== 'expired'
}
