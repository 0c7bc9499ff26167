import { isFullyReturned, latestReturn } from '../money-return.ts'
import type { Order, Status } from '../order.ts'

// A Midtrans order: what the sandbox keeps of one charge beyond what every provider has, and which orders
// a merchant may still change. `capture` is not a status of its own here: it is paid without settlement.

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
  // The number that OVO pushes the payment to.
  payerPhone?: string
  // custom_field1…3 and metadata, handed back as they came.
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

/** `refund` and `chargeback` once the returns reach what was paid; the newest return names the kind. */
function paidStatusOf(order: Order): TransactionStatus {
  const returned = latestReturn(order)
  if (!returned) return order.settledAt === null ? 'capture' : 'settlement'
  return isFullyReturned(order) ? returned.kind : `partial_${returned.kind}`
}

/** The code of a notification; a settled or captured payment alone carries 200. */
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

/** The order after a merchant's action, or undefined when Midtrans answers 412. */
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

/** An order_id is free again once its order was cancelled or has expired; anything else is a duplicate. */
export function holdsOrderId(order: Order): boolean {
  return order.status !== 'cancelled' && order.status !== 'expired'
}
