import { isFullyReturned, refundsOf } from '../money-return.ts'
import type { Order, Status } from '../order.ts'
import { decimalRupiah } from '../rupiah.ts'

// The additional fields of a SNAP order. Its ID is the provider's referenceNo.

export type SnapDetail = {
  kind: 'va' | 'qr' | 'debit'
  // The bank, acquirer or wallet, spelled as in the request.
  channel: string
  // The X-EXTERNAL-ID of the create request.
  externalId: string
  // The two parts of a virtual account's number; the first is left-padded with spaces to eight characters.
  partnerServiceId?: string
  customerNo?: string
  email?: string
  phone?: string
  returnUrl?: string
  // The additionalInfo of the request, which messages return unchanged.
  echoed: Record<string, unknown>
}

export type SnapOrder = Order & { detail: SnapDetail }

/**
 * Returns the order with the type of its `detail`. The cast is safe: orders of BI-SNAP and of DOKU's SNAP API always
 * have this `detail`.
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
 * Returns the status code from the table of docs.midtrans.com get-transaction-status. The table has no status for a
 * challenged order, so such an order is reported as pending.
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
