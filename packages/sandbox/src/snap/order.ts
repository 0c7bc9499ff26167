import { isFullyReturned, refundsOf } from '../money-return.ts'
import type { Order, Status } from '../order.ts'
import { decimalRupiah } from '../rupiah.ts'

// A SNAP order: what is kept of it beyond what every provider has. Its id is the provider's referenceNo.

export type SnapDetail = {
  kind: 'va' | 'qr' | 'debit'
  // The bank, the acquirer or the wallet, spelt as it was asked for.
  channel: string
  // X-EXTERNAL-ID of the create call.
  externalId: string
  // The two halves of a virtual account's number; the first is padded to eight characters with blanks.
  partnerServiceId?: string
  customerNo?: string
  email?: string
  phone?: string
  returnUrl?: string
  // additionalInfo, handed back as it came.
  echoed: Record<string, unknown>
}

export type SnapOrder = Order & { detail: SnapDetail }

/** The order that this folder or DOKU's made: nobody else writes such a `detail`. */
export function snapOrder(order: Order): SnapOrder {
  return order as SnapOrder
}

export function idr(cents: number, currency = 'IDR'): { value: string; currency: string } {
  return { value: decimalRupiah(cents), currency }
}

export function virtualAccountOf({ partnerServiceId = '', customerNo = '' }: SnapDetail) {
  return { partnerServiceId, customerNo, virtualAccountNo: partnerServiceId + customerNo }
}

/** 04 once refunds left nothing. A partial refund leaves 00, so readers have to look at the list. */
export function reportedStatus(order: Order): [code: string, words: string] {
  const isRefunded = refundsOf(order).length > 0 && isFullyReturned(order)
  return isRefunded ? ['04', 'Refunded'] : transactionStatus(order.status)
}

/** The table of docs.midtrans.com get-transaction-status. A review has no word of its own: nothing is decided. */
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
