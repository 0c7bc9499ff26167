import { isFullyReturned, refundsOf } from '../money-return.ts'
import type { Order, Status } from '../order.ts'
import { decimalRupiah } from '../rupiah.ts'

// Additional fields for orders created over SNAP, the Indonesian standard for payment APIs. Such an order's ID is
// the provider's referenceNo.

export type SnapDetail = {
  kind: 'va' | 'qr' | 'debit'
  // The order's bank, acquirer or wallet, spelled as in the create request.
  channel: string
  // The X-EXTERNAL-ID used to create the order.
  externalId: string
  // The two parts of a virtual account number. The first part is padded with spaces on the left to a length
  // of eight characters.
  partnerServiceId?: string
  customerNo?: string
  email?: string
  phone?: string
  returnUrl?: string
  // The request's additionalInfo. Messages about the order repeat it unchanged.
  echoed: Record<string, unknown>
}

export type SnapOrder = Order & { detail: SnapDetail }

/**
 * Casts an order to the type of SNAP orders. This is safe for orders of BI-SNAP and of DOKU's SNAP API, because
 * their `detail` always has this type.
 */
export function snapOrder(order: Order): SnapOrder {
  return order as SnapOrder
}

export function idr(cents: number, currency = 'IDR'): { value: string; currency: string } {
  return { value: decimalRupiah(cents), currency }
}

export function virtualAccountOf({ partnerServiceId = '', customerNo = '' }: SnapDetail) {
  return { partnerServiceId, customerNo, virtualAccountNo: partnerServiceId + customerNo }
}

/**
 * Returns the status used in messages. It is 04 after a full refund, but stays 00 after a partial refund, so merchants
 * must also check the list of refunds.
 */
export function reportedStatus(order: Order): [code: string, words: string] {
  const isRefunded = refundsOf(order).length > 0 && isFullyReturned(order)
  return isRefunded ? ['04', 'Refunded'] : transactionStatus(order.status)
}

/**
 * Returns the status code (docs.midtrans.com get-transaction-status). A challenged order (held for a fraud check)
 * is reported as pending, because it has no status code of its own.
 */
export function transactionStatus(status: Status): [code: string, words: string] {
  const words: Record<Status, [code: string, words: string]> = {
    paid: ['00', 'Success'],
    pending: ['03', 'Pending'],
    challenged: ['03', 'Pending'],
    cancelled: ['05', 'Canceled'],
    failed: ['06', 'Failed'],
    expired: ['08', 'Expired'],
  }
  return words[status]
}
