// Ours ↔ Midtrans'. Pure.

import { mobileNumberOf } from '../../mobile-number.ts'
import { isWholeRupiah, toRupiah } from '../../money.ts'
import type { MethodData, MethodDetail } from '../../payments/method.ts'
import { wibClock } from '../../time.ts'
import { paidSumOf, sumOf, unknownWord } from '../lenient.ts'
import {
  type Accepted,
  type Charge,
  type MoneyReturn,
  ProviderError,
  type ProviderReport,
  quoted,
} from '../provider.ts'
import type { ChargeRequest, Transaction } from './messages.ts'

/** `2026-11-20 10:04:05 +0700`. */
export const toWib = (at: Date): string => `${wibClock(at).replace('T', ' ')} +0700`

/** `2026-11-20 10:04:05`, as answers write it and mean Western Indonesia Time; undefined where it is none. */
export function ofWib(text: string | undefined): Date | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined
  const at = new Date(`${text.replace(' ', 'T')}+07:00`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

export function toChargeRequest(order: Charge): ChargeRequest {
  const { name, email, phone } = order.customer
  const items = itemDetails(order)
  return {
    ...methodPart(order),
    transaction_details: { order_id: order.reference, gross_amount: Number(toRupiah(order.amount)) },
    ...((name || email || phone) && {
      customer_details: {
        ...(name && { first_name: name }),
        ...(email && { email }),
        ...(phone && { phone }),
      },
    }),
    ...(items && { item_details: items }),
    // OVO supports no custom expiry: it always lives for 65 s (docs.midtrans.com ewallet-ovo).
    ...(order.channel !== 'ovo' && {
      custom_expiry: {
        order_time: toWib(order.startedAt),
        expiry_duration: order.expiryMinutes,
        unit: 'minute',
      },
    }),
  }
}

function methodPart(
  order: Charge,
): Pick<
  ChargeRequest,
  'payment_type' | 'bank_transfer' | 'echannel' | 'qris' | 'gopay' | 'shopeepay' | 'ovo' | 'cstore'
> {
  switch (order.methodDetail.type) {
    case 'virtual_account':
      // Mandiri has no virtual account here but a bill payment; its two numbers together are the account.
      if (order.channel === 'mandiri') {
        return { payment_type: 'echannel', echannel: { bill_info1: 'Payment:', bill_info2: order.reference } }
      }
      return { payment_type: 'bank_transfer', bank_transfer: { bank: order.channel } }
    case 'qris':
      return { payment_type: 'qris', qris: { acquirer: 'gopay' } }
    case 'e_wallet':
      return walletPart(order)
    case 'over_the_counter':
      // message: at most 20 characters on the receipt.
      return {
        payment_type: 'cstore',
        cstore: { store: order.channel, message: order.reference.slice(0, 20) },
      }
  }
}

function walletPart(order: Charge): Pick<ChargeRequest, 'payment_type' | 'gopay' | 'shopeepay' | 'ovo'> {
  switch (order.channel) {
    case 'gopay':
      return { payment_type: 'gopay', gopay: { enable_callback: true, callback_url: order.returnUrl } }
    case 'ovo':
      return { payment_type: 'ovo', ovo: { payer_phone_number: nationalNumber(order.customer.phone) } }
    default:
      return { payment_type: 'shopeepay', shopeepay: { callback_url: order.returnUrl } }
  }
}

/** `081234567890`, as the sample of docs.midtrans.com ewallet-ovo writes it. The channel's limits require a mobile number. */
function nationalNumber(phone: string): string {
  const number = mobileNumberOf(phone)
  if (number === undefined)
    throw new ProviderError('invalid', 'customer_phone: OVO needs the mobile number of the payer')
  return number.replace('+62', '0')
}

/** Midtrans refuses items that do not sum up to the amount or have fractions; they are no duty of ours. */
function itemDetails(order: Charge): ChargeRequest['item_details'] {
  const sum = order.items.reduce((total, item) => total + BigInt(item.price) * BigInt(item.quantity), 0n)
  if (sum !== order.amount) return undefined
  if (!order.items.every(item => isWholeRupiah(BigInt(item.price)))) return undefined
  return order.items.map(item => ({
    id: item.id.slice(0, 50).toWellFormed(),
    name: item.name.slice(0, 50).toWellFormed(),
    price: Number(toRupiah(BigInt(item.price))),
    quantity: item.quantity,
  }))
}

/** Whatever was asked for, an answer counts only for the order and the amount that it names. */
export const isAbout = (answer: Transaction, order: Pick<Charge, 'reference' | 'amount'>): boolean =>
  answer.order_id === order.reference && sumOf(answer.gross_amount) === order.amount

export function toAccepted(answer: Transaction, detail: MethodDetail): Accepted {
  const methodData = toMethodData(answer, detail)
  // It was taken, yet not in a way that we can show: an inquiry may tell more.
  if (!methodData) throw new ProviderError('unknown', 'accepted without payment instructions')
  return { providerPaymentId: answer.transaction_id, methodData }
}

/** Everything a payer may need, of whatever method, as the message has it. */
export function instructionsOf(message: Transaction) {
  const action = (name: string) => message.actions.find(each => each.name === name)?.url
  const billed = message.biller_code && message.bill_key ? message.biller_code + message.bill_key : undefined
  return {
    vaNumber:
      message.va_numbers.find(each => each.va_number)?.va_number ?? message.permata_va_number ?? billed,
    qrString: message.qr_string,
    qrImageUrl: action('generate-qr-code') ?? action('generate-qr-code-v2'),
    deeplink: action('deeplink-redirect'),
    redirectUrl: message.redirect_url,
    paymentCode: message.payment_code,
    store: message.store,
  }
}

const storeNames: Record<string, string> = { alfamart: 'Alfamart', indomaret: 'Indomaret' }

/** Undefined where the message does not say how to pay. */
export function toMethodData(message: Transaction, detail: MethodDetail): MethodData | undefined {
  const found = instructionsOf(message)
  switch (detail.type) {
    case 'virtual_account':
      return found.vaNumber === undefined
        ? undefined
        : { type: detail.type, bank: detail.bank, va_number: found.vaNumber }
    case 'qris':
      // qr_string may be absent; the picture alone can be paid as well.
      if (found.qrImageUrl === undefined) return undefined
      return { type: detail.type, qr_string: found.qrString ?? '', qr_image_url: found.qrImageUrl }
    case 'e_wallet': {
      // OVO has no page: the payer confirms the payment that OVO shows in its app.
      if (detail.wallet_type.toLowerCase() === 'ovo')
        return { type: detail.type, wallet_type: detail.wallet_type, redirect_url: '', deeplink: '' }
      if (found.deeplink === undefined) return undefined
      // In production a GoPay deeplink may open the app only; a browser is then better served by the QR code.
      const redirect = /^https?:/.test(found.deeplink) ? found.deeplink : (found.qrImageUrl ?? found.deeplink)
      return {
        type: detail.type,
        wallet_type: detail.wallet_type,
        redirect_url: redirect,
        deeplink: found.deeplink,
      }
    }
    case 'over_the_counter': {
      if (found.paymentCode === undefined) return undefined
      const store = found.store ?? detail.store.toLowerCase()
      return { type: detail.type, store_name: storeNames[store] ?? store, payment_code: found.paymentCode }
    }
  }
}

/**
 * GET status repeats the numbers of virtual accounts and stores but not `actions`. QR pictures have a fixed
 * address below the transaction (the samples of docs.midtrans.com for qris and gopay show it), so these can
 * still be paid; a ShopeePay link cannot be had again. apiUrl: e.g. https://api.midtrans.com
 */
export function recoverMethodData(
  message: Transaction,
  detail: MethodDetail,
  apiUrl: string,
): MethodData | undefined {
  const found = toMethodData(message, detail)
  if (found) return found
  const picture = (type: string) =>
    `${apiUrl}/v2/${type}/${encodeURIComponent(message.transaction_id)}/qr-code`
  if (detail.type === 'qris')
    return { type: 'qris', qr_string: message.qr_string ?? '', qr_image_url: picture('qris') }
  if (detail.type === 'e_wallet' && message.payment_type === 'gopay') {
    return { type: 'e_wallet', wallet_type: detail.wallet_type, redirect_url: picture('gopay'), deeplink: '' }
  }
  return undefined
}

/**
 * source: a `notification` is believed only as far as its signature goes; an `answer` to our own request over
 * TLS is Midtrans' word. Throws UnreadableError.
 */
export function toReport(message: Transaction, source: 'notification' | 'answer'): ProviderReport {
  const returns = source === 'answer' ? returnsOf(message) : []
  return {
    reference: message.order_id,
    providerPaymentId: message.transaction_id,
    ...(returns.length > 0 && { returns }),
    fact: factOf(message, source),
  }
}

/**
 * transaction_status and fraud_status are not signed (signature.ts), status_code is. A notification whose
 * parts do not agree proves nothing and is inquired about. Payment needs agreement from any source.
 */
function factOf(message: Transaction, source: 'notification' | 'answer'): ProviderReport['fact'] {
  const { status_code: code, transaction_status: status, fraud_status: fraud } = message
  const disagreeing = (): ProviderReport['fact'] => ({
    type: source === 'notification' ? 'unproven' : 'nothing',
    reason: quoted(`${status} with status_code ${code} and fraud_status ${fraud ?? 'absent'}`),
  })
  const closed = source === 'answer' || code === '202'
  // Absence means IDR.
  if (message.currency !== null && message.currency !== 'IDR')
    return { type: 'nothing', reason: quoted(`currency ${message.currency}`) }

  switch (status) {
    case 'pending':
    case 'authorize':
      return { type: 'pending' }
    case 'settlement':
    case 'capture':
      if (status === 'capture' && fraud === 'challenge' && (code === '201' || code === '200')) {
        return { type: 'challenged', reason: 'held by fraud detection' }
      }
      return code === '200' && (fraud === null || fraud === 'accept') ? paidFact(message) : disagreeing()
    // deny wins over fraud_status challenge.
    case 'deny':
    case 'failure':
      return closed ? { type: 'failed', reason: `provider reported ${status}` } : disagreeing()
    case 'cancel':
      return closed ? { type: 'cancelled' } : disagreeing()
    case 'expire':
      return closed ? { type: 'expired' } : disagreeing()
    // Only what was settled can be given back (docs.midtrans.com transaction-status-cycle). The signature of a
    // notification does not cover the status, so it also fits a forged refund.
    case 'refund':
    case 'partial_refund':
    case 'chargeback':
    case 'partial_chargeback':
      return source === 'answer'
        ? paidFact(message)
        : { type: 'unproven', reason: `${status}, which is not signed` }
    default:
      throw unknownWord('transaction_status', status)
  }
}

function paidFact(message: Transaction): ProviderReport['fact'] {
  const amountPaid = paidSumOf('gross_amount', message.gross_amount)
  if (amountPaid === 0n) return { type: 'nothing', reason: 'paid 0' }
  const paidAt = ofWib(message.settlement_time) ?? ofWib(message.transaction_time)
  // A transaction is paid once; another payment under the same order_id is another transaction.
  return { type: 'paid', amountPaid, receipt: message.transaction_id, ...(paidAt && { paidAt }) }
}

/**
 * docs.midtrans.com get-transaction-status: a refund is final once the bank has confirmed it. How a chargeback is
 * listed is not documented: the sum of a full one is what was paid, that of a partial one is unknown.
 */
function returnsOf(message: Transaction): MoneyReturn[] {
  const { transaction_id, transaction_status: status, gross_amount, refunds } = message
  const refunded = refunds.map(
    (each, index): MoneyReturn => ({
      kind: 'refund',
      id:
        each.refund_chargeback_id ??
        each.refund_chargeback_uuid ??
        each.refund_key ??
        (refunds.length === 1 ? null : `${transaction_id}-${index + 1}`),
      amount: sumOf(each.refund_amount) ?? null,
      status: each.bank_confirmed_at === undefined ? 'pending' : 'succeeded',
    }),
  )
  // One that is not listed yet, or not readable as a list.
  if (refunded.length === 0 && /^(partial_)?refund$/.test(status))
    return [{ kind: 'refund', id: null, amount: null, status: 'pending' }]
  if (status !== 'chargeback' && status !== 'partial_chargeback') return refunded
  const isWhole = status === 'chargeback' && refunded.length === 0
  const amount = isWhole ? (sumOf(gross_amount) ?? null) : null
  return [...refunded, { kind: 'chargeback', id: null, amount, status: 'succeeded' }]
}
