import { isFullyReturned, latestReturn } from '../money-return.ts'
import type { Order, Status } from '../order.ts'

// A Midtrans order: its additional fields, and the changes that a merchant can make to it. There is no status
// `capture`: an order is captured if it is paid but not settled.

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
  // The phone number to which OVO sends the payment.
  payerPhone?: string
  // custom_field1…3 and metadata, returned unchanged.
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
 * `refund` or `chargeback` if everything paid has been returned, otherwise partial; the kind is that of the newest
 * return.
 */
function paidStatusOf(order: Order): TransactionStatus {
  const returned = latestReturn(order)
  if (!returned) return order.settledAt === null ? 'capture' : 'settlement'
  return isFullyReturned(order) ? returned.kind : `partial_${returned.kind}`
}

/** The status code of a notification; only a settled or captured payment has 200. */
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

/** Returns the order after a merchant's action, or undefined if Midtrans would return 412. */
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

/** Whether a new order with the same order_id is a duplicate. A cancelled or expired order frees its order_id. */
export function holdsOrderId(order: Order): boolean {
  return order.status !== 'cancelled' && order.status !== 'expired'
}
