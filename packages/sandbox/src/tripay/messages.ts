import { qrisString } from '../qris.ts'
import { amountsOf, channelOf, statusOf, type TripayOrder } from './order.ts'

// The JSON sent by Tripay (tripay.co.id/developer). Amounts are whole rupiah. Times are seconds since the Unix
// epoch.

type Message = Record<string, unknown>

/**
 * Returns the response to a create request. The response to a detail request has the same fields plus
 * `paid_at`.
 */
export function transactionMessage(order: TripayOrder, publicUrl: string): Message {
  return {
    ...identity(order, publicUrl),
    status: statusOf(order),
    expired_time: unixOf(order.expiresAt),
    order_items: itemsOf(order),
    instructions: [{ title: channelOf(order).name, steps: stepsOf(order) }],
    qr_string: qrString(order) ?? null,
    qr_url: qrString(order) ? `${publicUrl}/tripay/qr/${order.id}` : null,
  }
}

export function detailMessage(order: TripayOrder, publicUrl: string): Message {
  const paidAt = unixOf(order.settledAt)
  // In the published sample of this message, `paid_at` is a string. In all other messages, `paid_at` is a number.
  return { ...transactionMessage(order, publicUrl), paid_at: paidAt === null ? null : String(paidAt) }
}

/** Returns one item in the `GET /merchant/transactions` list. */
export function listedMessage(order: TripayOrder, publicUrl: string): Message {
  return {
    ...identity(order, publicUrl),
    order_items: itemsOf(order),
    status: statusOf(order),
    note: null,
    created_at: unixOf(order.createdAt),
    expired_at: unixOf(order.expiresAt),
    paid_at: unixOf(order.settledAt),
  }
}

export function callbackMessage(order: TripayOrder): Message {
  const { code, name } = channelOf(order)
  const { total, fees } = amountsOf(order)
  return {
    reference: order.id,
    merchant_ref: order.reference,
    payment_method: name,
    payment_method_code: code,
    total_amount: total,
    ...fees,
    is_closed_payment: 1,
    status: statusOf(order),
    paid_at: unixOf(order.settledAt),
    note: null,
  }
}

function identity(order: TripayOrder, publicUrl: string): Message {
  const { code, name, type } = channelOf(order)
  const { email, phone, callbackUrl, returnUrl } = order.detail
  const { total, fees } = amountsOf(order)
  return {
    reference: order.id,
    merchant_ref: order.reference,
    payment_selection_type: 'static',
    payment_method: code,
    payment_name: name,
    customer_name: order.customer,
    customer_email: email,
    customer_phone: phone,
    callback_url: callbackUrl,
    return_url: returnUrl,
    // The total that the payer pays, including the payer's fee, as in responses of Tripay's own sandbox. The real
    // Tripay accepts only this amount. In this sandbox, a test can also pay a different amount.
    amount: total,
    ...fees,
    pay_code: order.number || null,
    pay_url: type === 'redirect' ? payPageUrl(order, publicUrl) : null,
    checkout_url: payPageUrl(order, publicUrl),
  }
}

export function payPageUrl(order: TripayOrder, publicUrl: string): string {
  return `${publicUrl}/pay/${order.id}`
}

/**
 * Returns the contents of the QR code, or undefined if the channel has no QR code. Of Tripay's several QRIS
 * acquirers, the sandbox uses ShopeePay.
 */
export function qrString(order: TripayOrder): string | undefined {
  if (!order.detail.channel.startsWith('QRIS')) return undefined
  return qrisString(order, 'airpay shopee', { id: order.id.slice(0, 15), digits: '000000000' })
}

function itemsOf(order: TripayOrder): Message[] {
  return order.detail.items.map(item => ({ ...item, subtotal: item.price * item.quantity }))
}

function stepsOf(order: TripayOrder): string[] {
  if (order.number) return [`Masukkan kode bayar (<b>${order.number}</b>) lalu selesaikan pembayaran`]
  return qrString(order) ? ['Pindai kode QR dengan aplikasi Anda'] : ['Buka halaman pembayaran']
}

function unixOf(at: number | null): number | null {
  return at === null ? null : Math.floor(at / 1000)
}
