import type { Order } from '../order.ts'
import { decimalRupiah } from '../rupiah.ts'
import { channelOf } from './channels.ts'
import { type DirectOrder, directOrder, transactionWord } from './order.ts'
import { compactWib, isoUtc } from './time.ts'

// The JSON messages of DOKU's own API. Amounts are numbers in rupiah. Times have no time zone and are in WIB
// (UTC+7). Only fields with `utc` in their name are in UTC.

type Message = Record<string, unknown>

export function paymentCodeMessage(order: Order, publicUrl: string): Message {
  const { number, reference, createdAt, expiresAt, detail } = asDirect(order)
  const { kind } = channelOf(detail.product)
  const howToPay = `${publicUrl}/pay/${order.id}`
  const times = {
    created_date: compactWib(createdAt),
    created_date_utc: isoUtc(createdAt),
    ...(expiresAt !== null && {
      expired_date: compactWib(expiresAt),
      expired_date_utc: isoUtc(expiresAt),
    }),
    how_to_pay_page: howToPay,
    how_to_pay_api: howToPay,
  }
  return {
    order: { invoice_number: reference },
    ...(kind === 'va'
      ? { virtual_account_info: { virtual_account_number: number, ...times } }
      : { online_to_offline_info: { payment_code: number, ...times } }),
  }
}

/** Returns the response to a status inquiry. DOKU does not document the order of its fields. */
export function statusMessage(order: Order): Message {
  const own = asDirect(order)
  return { ...identity(own), transaction: transactionOf(own, transactionWord(own)), ...payment(own) }
}

/** Returns the notification for a paid or failed payment. DOKU sends no other notifications. */
export function notificationMessage(order: Order, word: string, currency: string | undefined): Message {
  const own = asDirect(order)
  const { order: told, ...rest } = identity(own)
  return {
    ...rest,
    // DOKU's notifications have no currency. If a test sets a currency, the sandbox adds a field for it.
    order: { ...told, ...(currency !== undefined && { currency }) },
    transaction: transactionOf(own, word),
    ...payment(own),
  }
}

function identity({ reference, recordedCents, detail }: DirectOrder) {
  const { kind, acquirer, channel } = channelOf(detail.product)
  return {
    service: { id: kind === 'va' ? 'VIRTUAL_ACCOUNT' : 'ONLINE_TO_OFFLINE' },
    acquirer: { id: acquirer },
    channel: { id: channel },
    // The amount in rupiah. It has decimals only if a test paid a fraction of a rupiah.
    order: { invoice_number: reference, amount: Number(decimalRupiah(recordedCents)) },
  }
}

function transactionOf({ settledAt, createdAt, detail }: DirectOrder, status: string): Message {
  return { status, date: isoUtc(settledAt ?? createdAt), original_request_id: detail.requestId }
}

function payment({ number, detail, settledAt, seq }: DirectOrder): Message {
  const { kind } = channelOf(detail.product)
  if (kind === 'store') return { online_to_offline_info: { payment_code: number } }
  const digits = String(seq).padStart(6, '0')
  return {
    virtual_account_info: { virtual_account_number: number },
    ...(settledAt !== null && {
      virtual_account_payment: {
        date: compactWib(settledAt),
        systrace_number: digits,
        reference_number: digits,
        channel_code: '',
        request_id: digits,
        identifier: [
          { name: 'REQUEST_ID', value: digits },
          { name: 'REFERENCE', value: digits },
          { name: 'CHANNEL_TYPE', value: '6010' },
        ],
      },
    }),
  }
}

function asDirect(order: Order): DirectOrder {
  const own = directOrder(order)
  if (!own) throw new Error(`order ${order.id} was not created by DOKU's own API`)
  return own
}
