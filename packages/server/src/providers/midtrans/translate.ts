// Converts between this service's types and Midtrans' messages.

import { type MethodData, type MethodDetail, storeNameOf } from '../../payments/method.ts'
import { mobileNumberOf } from '../../values/mobile-number.ts'
import { isWholeRupiah, toRupiah } from '../../values/money.ts'
import { wibClock } from '../../values/time.ts'
import { parseAmount, parsePaidAmount, unknownWord } from '../lenient-fields.ts'
import {
  type AcceptedCharge,
  type Charge,
  type MoneyReturn,
  ProviderError,
  type ProviderUpdate,
  type Refund,
  toSafeText,
} from '../provider.ts'
import { allowedText, customerDetails, withinSizeLimit } from './charge-details.ts'
import type { ChargeRequest, RefundRequest, Transaction } from './messages.ts'

/** Formats a time as `2026-11-20 10:04:05 +0700`. */
export const toWib = (at: Date): string => `${wibClock(at).replace('T', ' ')} +0700`

/**
 * Parses a time such as `2026-11-20 10:04:05`. Midtrans sends times in Western Indonesia Time (UTC+7). Returns
 * undefined if the time is invalid.
 */
export function ofWib(text: string | undefined): Date | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined
  const at = new Date(`${text.replace(' ', 'T')}+07:00`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

export function toChargeRequest(order: Charge): ChargeRequest {
  const customer = customerDetails(order)
  const items = itemDetails(order)
  return withinSizeLimit({
    ...methodPart(order),
    transaction_details: { order_id: order.reference, gross_amount: Number(toRupiah(order.amount)) },
    ...(customer && { customer_details: customer }),
    ...(items && { item_details: items }),
    // OVO allows no custom expiry: an OVO payment always expires after 65 s (docs.midtrans.com ewallet-ovo).
    ...(order.channel !== 'ovo' && {
      custom_expiry: {
        order_time: toWib(order.startedAt),
        expiry_duration: order.expiryMinutes,
        unit: 'minute',
      },
    }),
  })
}

function methodPart(
  order: Charge,
): Pick<
  ChargeRequest,
  'payment_type' | 'bank_transfer' | 'echannel' | 'qris' | 'gopay' | 'shopeepay' | 'ovo' | 'cstore'
> {
  switch (order.methodDetail.type) {
    case 'virtual_account':
      // For Mandiri, Midtrans offers bill payments instead of virtual accounts. Our account number is the company
      // code followed by the bill number.
      if (order.channel === 'mandiri') {
        return { payment_type: 'echannel', echannel: { bill_info1: 'Payment:', bill_info2: order.reference } }
      }
      return { payment_type: 'bank_transfer', bank_transfer: { bank: order.channel } }
    case 'qris':
      return { payment_type: 'qris', qris: { acquirer: 'gopay' } }
    case 'e_wallet':
      return walletPart(order)
    case 'over_the_counter':
      // Midtrans prints `message` on the store's receipt, with at most 20 characters.
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

/**
 * Formats a mobile phone number as `081234567890`, as in Midtrans' sample (docs.midtrans.com ewallet-ovo). Other
 * numbers cause an error, but the channel's limits already require a mobile number.
 */
function nationalNumber(phone: string): string {
  const number = mobileNumberOf(phone)
  if (number === undefined)
    throw new ProviderError('invalid', 'customer_phone: OVO needs the mobile number of the payer')
  return number.replace('+62', '0')
}

/**
 * Returns the items to send, or undefined to send none. Midtrans rejects items if a price includes a fraction of a
 * rupiah, or if a name is empty. Midtrans also rejects items that do not add up to the amount.
 */
function itemDetails(order: Charge): ChargeRequest['item_details'] {
  const sum = order.items.reduce((total, item) => total + BigInt(item.price) * BigInt(item.quantity), 0n)
  if (sum !== order.amount) return undefined
  if (!order.items.every(item => isWholeRupiah(BigInt(item.price)))) return undefined
  const items = order.items.map(item => {
    const id = allowedText(order, item.id).slice(0, 50).toWellFormed()
    return {
      ...(id && { id }),
      name: allowedText(order, item.name).slice(0, 50).toWellFormed(),
      price: Number(toRupiah(BigInt(item.price))),
      quantity: item.quantity,
    }
  })
  return items.every(({ name }) => name !== '') ? items : undefined
}

/** Midtrans accepts a reason of up to 255 characters. */
export const toRefundRequest = ({ reference, amount, reason }: Refund): RefundRequest => ({
  refund_key: reference,
  amount: Number(toRupiah(amount)),
  ...(reason && { reason: reason.slice(0, 255).toWellFormed() }),
})

/**
 * Returns whether a response is about this order and has this order's amount. The caller must ignore a response
 * about another order.
 */
export const isAbout = (answer: Transaction, order: Pick<Charge, 'reference' | 'amount'>): boolean =>
  answer.order_id === order.reference && parseAmount(answer.gross_amount) === order.amount

export function toAccepted(answer: Transaction, detail: MethodDetail): AcceptedCharge {
  const methodData = toMethodData(answer, detail)
  // Midtrans accepted the charge but returned no payment instructions. A later status inquiry may return them.
  if (!methodData) throw new ProviderError('unknown', 'accepted without payment instructions')
  return { providerPaymentId: answer.transaction_id, methodData }
}

/** Returns all payment instructions in the message, for every payment method. */
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

/** Returns the payment instructions for the method, or undefined if the message has no such instructions. */
export function toMethodData(message: Transaction, detail: MethodDetail): MethodData | undefined {
  const found = instructionsOf(message)
  switch (detail.type) {
    case 'virtual_account':
      return found.vaNumber === undefined
        ? undefined
        : { type: detail.type, bank: detail.bank, va_number: found.vaNumber }
    case 'qris':
      // qr_string may be absent, because the QR image is enough to pay.
      if (found.qrImageUrl === undefined) return undefined
      return { type: detail.type, qr_string: found.qrString ?? '', qr_image_url: found.qrImageUrl }
    case 'e_wallet': {
      // OVO has no payment page: the payer confirms the payment in the OVO app.
      if (detail.wallet_type.toLowerCase() === 'ovo')
        return { type: detail.type, wallet_type: detail.wallet_type, redirect_url: '', deeplink: '' }
      if (found.deeplink === undefined) return undefined
      // In production, a GoPay deeplink may open only the app and not be a web URL. In that case, browsers get the QR
      // code.
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
      const store_name = storeNameOf(found.store ?? detail.store)
      return { type: detail.type, store_name, payment_code: found.paymentCode }
    }
  }
}

/**
 * Returns the payment instructions from a status response, in case the charge response was lost. A status response
 * contains virtual account and store numbers, but `actions` only for ShopeePay (docs.midtrans.com
 * get-transaction-status). For QRIS and GoPay, the URL of the QR image is derived from the transaction ID (samples for
 * qris and gopay). `apiUrl` is the API's base URL, such as https://api.midtrans.com.
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
 * Converts a Midtrans message to an update of its order. In a `notification`, only the signed fields are
 * trusted. In an `answer` (a response to our own request over TLS), all fields are trusted. Throws
 * UnreadableError if the message cannot be read.
 */
export function toUpdate(message: Transaction, source: 'notification' | 'answer'): ProviderUpdate {
  const returns = source === 'answer' ? returnsOf(message) : []
  return {
    reference: message.order_id,
    providerPaymentId: message.transaction_id,
    ...(returns.length > 0 && { returns }),
    fact: factOf(message, source),
  }
}

/**
 * Returns what a message reports. A message reports a payment only if status_code, transaction_status and fraud_status
 * all show a payment. Of these fields, a notification's signature covers only status_code (signature.ts). If the fields
 * of a notification disagree, a status inquiry follows.
 */
function factOf(message: Transaction, source: 'notification' | 'answer'): ProviderUpdate['fact'] {
  const { status_code: code, transaction_status: status, fraud_status: fraud } = message
  const disagreeing = (): ProviderUpdate['fact'] => ({
    type: source === 'notification' ? 'unproven' : 'nothing',
    reason: toSafeText(`${status} with status_code ${code} and fraud_status ${fraud ?? 'absent'}`),
  })
  const closed = source === 'answer' || code === '202'
  // If a message states no currency, its amount is in rupiah.
  if (message.currency !== null && message.currency !== 'IDR')
    return { type: 'nothing', reason: toSafeText(`currency ${message.currency}`) }

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
    // If transaction_status is `deny`, the transaction has failed, even if fraud_status is still `challenge`.
    case 'deny':
    case 'failure':
      return closed ? { type: 'failed', reason: `provider reported ${status}` } : disagreeing()
    case 'cancel':
      return closed ? { type: 'cancelled' } : disagreeing()
    case 'expire':
      return closed ? { type: 'expired' } : disagreeing()
    // Only a settled payment can be refunded (docs.midtrans.com transaction-status-cycle), so an order with a refund or
    // chargeback status was paid. In a notification, however, transaction_status is not signed, so an attacker could
    // have changed it. A status inquiry must therefore confirm such a notification.
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

function paidFact(message: Transaction): ProviderUpdate['fact'] {
  const amountPaid = parsePaidAmount('gross_amount', message.gross_amount)
  if (amountPaid === 0n) return { type: 'nothing', reason: 'paid 0' }
  const paidAt = ofWib(message.settlement_time) ?? ofWib(message.transaction_time)
  // A Midtrans transaction is paid at most once, so its id identifies the payment. Another payment with the
  // same order_id is a separate transaction.
  return { type: 'paid', amountPaid, receipt: message.transaction_id, ...(paidAt && { paidAt }) }
}

/**
 * Returns a transaction's refunds and chargebacks. A refund is final once the bank confirms it (docs.midtrans.com
 * get-transaction-status). Midtrans does not document how it lists chargebacks, so only a full chargeback has a known
 * amount: the amount paid.
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
      ...(each.refund_key !== undefined && { reference: each.refund_key }),
      amount: parseAmount(each.refund_amount) ?? null,
      status: each.bank_confirmed_at === undefined ? 'pending' : 'succeeded',
    }),
  )
  // The transaction was refunded, but its refund list does not contain the refund yet or cannot be parsed.
  if (refunded.length === 0 && /^(partial_)?refund$/.test(status))
    return [{ kind: 'refund', id: null, amount: null, status: 'pending' }]
  if (status !== 'chargeback' && status !== 'partial_chargeback') return refunded
  const isWhole = status === 'chargeback' && refunded.length === 0
  const amount = isWhole ? (parseAmount(gross_amount) ?? null) : null
  return [...refunded, { kind: 'chargeback', id: null, amount, status: 'succeeded' }]
}
