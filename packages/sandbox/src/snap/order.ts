import { isFullyReturned, refundsOf } from '../money-return.ts'
import type { Order, Status } from '../order.ts'
import { decimalRupiah } from '../rupiah.ts'

// The fields that an order has if it was created over SNAP, the Indonesian standard for payment APIs. The ID of such
// an order is the provider's referenceNo.

export type SnapDetail = {
  kind: 'va' | 'qr' | 'debit'
  // The bank, acquirer or wallet of the order, spelled as in the create request.
  channel: string
  // The X-EXTERNAL-ID with which the order was created.
  externalId: string
  // The two parts of a virtual account number. The first part is left-padded with spaces to eight characters.
  partnerServiceId?: string
  customerNo?: string
  email?: string
  phone?: string
  returnUrl?: string
  // The additionalInfo of the request, which messages about the order return unchanged.
  echoed: Record<string, unknown>
}

export type SnapOrder = Order & { detail: SnapDetail }

/**
 * Casts an order to the type of SNAP orders. The cast is safe, because every order of BI-SNAP and of DOKU's SNAP API
 * has a `detail` of this type.
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
 * Returns the status that messages report: 04 if the whole paid amount has been refunded. After a partial refund the
 * status is still 00, so merchants must check the list of refunds.
 */
export function reportedStatus(order: Order): [code: string, words: string] {
  const isRefunded = refundsOf(order).length > 0 && isFullyReturned(order)
  return isRefunded ? ['04', 'Refunded'] : transactionStatus(order.status)
}

/**
 * Returns the status code from the table of docs.midtrans.com get-transaction-status. The table has no status
 * for a challenged order (one held for a fraud check), so such an order is reported as pending.
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
