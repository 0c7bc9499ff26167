import { hash, randomInt } from 'node:crypto'
import { type MoneyReturn, refundsOf, returnedCents } from '../money-return.ts'
import { decimalRupiah } from '../rupiah.ts'
import { wibTime } from '../wib.ts'
import type { MidtransOrder } from './order.ts'

// Refund fields (docs.midtrans.com refund-transaction and get-transaction-status). In `refunds[]` and in the
// response to a refund request, `refund_amount` is the amount of a single refund. At the top level of a
// notification or status inquiry, it is the sum of all refunds.

type Message = Record<string, unknown>

/** Returns a `refund_chargeback_id`. It is random so that merchants do not rely on ascending IDs. */
export function newRefundChargebackId(): string {
  return String(randomInt(100_000, 2 ** 31))
}

/**
 * Returns the fields for the order's refunds, or an empty object without refunds. Chargebacks add no fields,
 * because Midtrans documents none.
 */
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

/** Returns the fields that describe a refund in the response to the refund request. */
export function refundFields(refund: MoneyReturn): Message {
  return {
    refund_chargeback_id: Number(refund.id),
    refund_chargeback_uuid: uuidOf(refund),
    refund_amount: decimalRupiah(refund.amountCents),
    refund_key: keyOf(refund),
  }
}

/**
 * Returns a refund's key (`refund_key`). If the refund was requested without a key, for example on the dashboard,
 * Midtrans creates one.
 */
function keyOf({ key, id }: MoneyReturn): string {
  return key ?? `MIDTRANS-${id}`
}

function uuidOf({ id, createdAt }: MoneyReturn): string {
  const hex = hash('sha256', `refund ${id} ${createdAt}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
