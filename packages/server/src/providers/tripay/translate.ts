// Converts between this service's types and Tripay's messages.

import { type MethodData, type MethodDetail, storeNameOf } from '../../payments/method.ts'
import { type Cents, isWholeRupiah, toRupiah } from '../../values/money.ts'
import { isAbsent, parseAmount, parseText, UnreadableError, unknownWord } from '../lenient-fields.ts'
import {
  type AcceptedCharge,
  type CallbackUpdate,
  type Charge,
  type Inquiry,
  type MoneyReturn,
  ProviderError,
  type ProviderUpdate,
  toSafeText,
} from '../provider.ts'
import { findChannel } from './channels.ts'
import type { Credentials } from './credentials.ts'
import type { Callback, CreateRequest, Transaction } from './messages.ts'
import { requestSignature } from './signature.ts'

type Fact = ProviderUpdate['fact']

/** Parses a time in seconds since 1970. Returns undefined if the text is invalid. */
export const timeOf = (seconds: string | undefined): Date | undefined =>
  seconds !== undefined && /^\d{9,10}$/.test(seconds) ? new Date(Number(seconds) * 1000) : undefined

/**
 * The email address to send if the payer's address is unknown, because Tripay requires one. RFC 2606 reserves this
 * domain, so Tripay's email reaches no person.
 */
const NOBODY = 'customer@example.com'

export function toCreateRequest(order: Charge, credentials: Credentials): CreateRequest {
  const { name, email, phone } = order.customer
  const amount = toRupiah(order.amount)
  return {
    method: methodOf(order),
    merchant_ref: order.reference,
    amount: Number(amount),
    customer_name: name || 'Customer',
    customer_email: email || NOBODY,
    ...(phone && { customer_phone: phone }),
    order_items: orderItems(order),
    callback_url: order.callbackUrl,
    return_url: order.returnUrl,
    expired_time: expiredTime(order),
    signature: requestSignature(credentials, order.reference, amount),
  }
}

function methodOf({ channel, methodDetail }: Charge): string {
  if (methodDetail.type !== 'virtual_account') return channel.toUpperCase()
  return channel === 'other' ? 'OTHERBANKVA' : `${channel.toUpperCase()}VA`
}

/**
 * Returns the payment's expiry plus one minute, within the channel's maximum. The extra minute is needed because some
 * channels require at least 60 minutes to remain when Tripay checks the request. The payment still expires at its own
 * time.
 */
function expiredTime({ channel, methodDetail, startedAt, expiryMinutes }: Charge): number {
  const longest = findChannel(methodDetail.type, channel)?.limits.maxExpiryMinutes ?? expiryMinutes
  const minutes = Math.min(expiryMinutes + 1, longest)
  return Math.floor(startedAt.getTime() / 1000) + minutes * 60
}

/**
 * Returns the items to send. Tripay requires whole rupiah prices that add up to the amount. If the order's items do
 * not meet this rule, one item represents the whole order.
 */
function orderItems(order: Charge): CreateRequest['order_items'] {
  const sum = order.items.reduce((total, item) => total + BigInt(item.price) * BigInt(item.quantity), 0n)
  const fits = order.items.every(({ price }) => price > 0 && isWholeRupiah(BigInt(price)))
  if (sum !== order.amount || !fits)
    return [{ name: `Order ${order.reference}`, price: Number(toRupiah(order.amount)), quantity: 1 }]
  return order.items.map(item => ({
    sku: item.id.slice(0, 50).toWellFormed(),
    name: item.name.slice(0, 100).toWellFormed(),
    price: Number(toRupiah(BigInt(item.price))),
    quantity: item.quantity,
  }))
}

export function toAccepted(answer: Transaction, order: Charge): AcceptedCharge {
  if (answer.merchant_ref !== order.reference || withoutFee(answer, order.amount) !== order.amount)
    throw new ProviderError('unknown', 'the response is for a different order')
  const methodData = toMethodData(answer, order.methodDetail)
  if (!methodData) throw new ProviderError('unknown', 'accepted without payment instructions')
  return { providerPaymentId: answer.reference, methodData }
}

/**
 * Returns the amount without the payer's fee. In recorded responses, `amount` includes this fee, but Tripay does not
 * document it. If `amount` equals the order's amount, the fee is not included. If they differ, the fee is subtracted.
 */
function withoutFee(answer: Transaction, amount: Cents): Cents | undefined {
  const told = parseAmount(answer.amount)
  return told === amount ? told : less(told, parseAmount(answer.fee_customer))
}

const less = (sum: Cents | undefined, fee: Cents | undefined): Cents | undefined =>
  sum === undefined || fee === undefined || fee > sum ? undefined : sum - fee

/** Returns the payment instructions in a response, or undefined if the response does not contain any. */
function toMethodData(answer: Transaction, detail: MethodDetail): MethodData | undefined {
  const { pay_code, qr_string = '', qr_url = '' } = answer
  switch (detail.type) {
    case 'virtual_account':
      return pay_code ? { type: detail.type, bank: detail.bank, va_number: pay_code } : undefined
    // The payer can pay with the QR image alone, so qr_string may be absent from the response.
    case 'qris':
      return qr_string || qr_url ? { type: detail.type, qr_string, qr_image_url: qr_url } : undefined
    // checkout_url is Tripay's payment page, which leads the payer to the wallet.
    case 'e_wallet': {
      const redirect_url = answer.pay_url || answer.checkout_url
      return redirect_url
        ? { type: detail.type, wallet_type: detail.wallet_type, redirect_url, deeplink: '' }
        : undefined
    }
    case 'over_the_counter':
      return pay_code
        ? { type: detail.type, store_name: storeNameOf(detail.store), payment_code: pay_code }
        : undefined
  }
}

/** Converts the response to a status inquiry. Throws UnreadableError. */
export function updateOfResponse(answer: Transaction, inquiry: Inquiry): ProviderUpdate {
  const { reference, merchant_ref, status } = answer
  const methodData = toMethodData(answer, inquiry.methodDetail)
  const isRefunded = status === 'REFUND'
  const fact = factOf({
    // A refunded transaction is reported as both paid and refunded, because it was paid first.
    status: isRefunded ? 'PAID' : status,
    reference,
    amount: withoutFee(answer, inquiry.amount),
    paidAt: timeOf(answer.paid_at),
  })
  return {
    reference: merchant_ref,
    providerPaymentId: reference,
    ...(isRefunded && { returns: [refund] }),
    fact: fact.type === 'pending' && methodData ? { ...fact, methodData } : fact,
  }
}

/**
 * The refund that a message reports. It has no id and no amount, because Tripay sends neither. A closed
 * payment is refunded at most once.
 */
const refund: MoneyReturn = { kind: 'refund', id: null, amount: null, status: 'succeeded' }

/**
 * Converts a Tripay callback to an update of its order. Throws UnreadableError if the callback cannot be
 * read.
 */
export function updateOfCallback(message: Callback): CallbackUpdate {
  const { reference, merchant_ref, status } = message
  const update = { reference: merchant_ref, providerPaymentId: reference }
  if (status === 'REFUND')
    return { ...update, returns: [refund], fact: { type: 'nothing', reason: 'refunded' } }
  if (isForeign(message.currency))
    return { ...update, fact: { type: 'nothing', reason: toSafeText(`currency ${message.currency}`) } }
  const amount = less(parseAmount(message.total_amount), feeOfPayer(message))
  const fact = factOf({ status, reference, amount, paidAt: timeOf(message.paid_at) })
  return { ...update, fact: isOpenPayment(message) ? unprovenOf(fact) : fact }
}

/**
 * Returns the payer's fee, which is included in total_amount. If fee_customer is absent, the fee is total_fee
 * minus fee_merchant.
 */
const feeOfPayer = ({ fee_customer, fee_merchant, total_fee }: Callback): Cents | undefined =>
  isAbsent(fee_customer) ? less(parseAmount(total_fee), parseAmount(fee_merchant)) : parseAmount(fee_customer)

const isForeign = (currency: string | null): boolean => currency !== null && currency !== 'IDR'

const isOpenPayment = ({ is_closed_payment: isClosed }: Callback): boolean =>
  isClosed === false || parseText(isClosed) === '0'

/**
 * Returns what to report for a callback about an open payment. An open payment can be paid several times and in any
 * amount. This adapter creates only closed payments, so the merchant created the open payment without this service. If
 * the callback still matches one of our payments, a status inquiry decides whether the payment is paid.
 */
const unprovenOf = (fact: Fact): Fact => ({
  type: 'unproven',
  reason: 'a callback of an open payment',
  ...(fact.type === 'paid' && { claimsPayment: true, ifUnmatched: fact }),
})

function factOf(told: {
  status: string
  reference: string
  amount: Cents | undefined
  paidAt: Date | undefined
}): Fact {
  const { status, reference, amount, paidAt } = told
  switch (status) {
    case 'UNPAID':
      return { type: 'pending' }
    case 'PAID':
      if (amount === undefined) throw new UnreadableError("the amount without the payer's fee cannot be read")
      if (amount === 0n) return { type: 'nothing', reason: 'paid 0' }
      // A closed payment is paid at most once, so Tripay's reference serves as the receipt id (the id of the received
      // money). If one order has two transactions, their receipt ids differ.
      return { type: 'paid', amountPaid: amount, receipt: reference, ...(paidAt && { paidAt }) }
    case 'FAILED':
      return { type: 'failed', reason: 'provider reported FAILED' }
    case 'EXPIRED':
      return { type: 'expired' }
    default:
      throw unknownWord('status', status)
  }
}
