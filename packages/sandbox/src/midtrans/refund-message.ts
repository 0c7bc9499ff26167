import { hash, randomInt } from 'node:crypto'
import { type MoneyReturn, refundsOf, returnedCents } from '../money-return.ts'
import { decimalRupiah } from '../rupiah.ts'
import { wibTime } from '../wib.ts'
import type { MidtransOrder } from './order.ts'

// The refund fields of docs.midtrans.com refund-transaction and get-transaction-status. At the top of a notification
// and of an inquiry `refund_amount` is the running total, in `refunds[]` and in a refund's own answer it is that
// refund's amount.

type Message = Record<string, unknown>

/** `refund_chargeback_id` is an integer; random, so that nobody mistakes it for a count. */
export function newRefundChargebackId(): string {
  return String(randomInt(100_000, 2 ** 31))
}

/** Absent without refunds. No document says what a chargeback adds, so it adds nothing. */
export function refundData(order: MidtransOrder): Message {
  const refunds = refundsOf(order)
  if (refunds.length === 0) return {}
  return {
    refund_amount: decimalRupiah(returnedCents(order, 'refund')),
    refunds: refunds.map(refundEntry),
  }
}

function refundEntry(refund: MoneyReturn): Message {
  return {
    refund_chargeback_id: Number(refund.id),
    refund_chargeback_uuid: uuidOf(refund),
    refund_amount: decimalRupiah(refund.amountCents),
    created_at: wibTime(refund.createdAt),
    reason: refund.reason,
    refund_key: keyOf(refund),
    refund_method: 'online',
    ...(refund.finalAt !== null && { bank_confirmed_at: wibTime(refund.finalAt) }),
  }
}

/** What the answer to a refund call says of this refund alone. */
export function refundFields(refund: MoneyReturn): Message {
  return {
    refund_chargeback_id: Number(refund.id),
    refund_chargeback_uuid: uuidOf(refund),
    refund_amount: decimalRupiah(refund.amountCents),
    refund_key: keyOf(refund),
  }
}

/** A refund of the dashboard, or one without a key, has a key that Midtrans made. */
function keyOf({ key, id }: MoneyReturn): string {
  return key ?? `MIDTRANS-${id}`
}

function uuidOf({ id, createdAt }: MoneyReturn): string {
  const hex = hash('sha256', `refund ${id} ${createdAt}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
