// Ours ↔ Tripay's. Pure.

import { type Cents, isWholeRupiah, toRupiah } from '../../money.ts'
import type { MethodData, MethodDetail } from '../../payments/method.ts'
import { isAbsent, sumOf, textOf, UnreadableError, unknownWord } from '../lenient.ts'
import {
  type Accepted,
  type CallbackReport,
  type Charge,
  type Inquiry,
  type MoneyReturn,
  ProviderError,
  type ProviderReport,
  quoted,
} from '../provider.ts'
import { channelOf } from './channels.ts'
import type { Credentials } from './credentials.ts'
import type { Callback, CreateRequest, Transaction } from './messages.ts'
import { requestSignature } from './signature.ts'

type Fact = ProviderReport['fact']

/** Seconds since 1970, undefined where it is none. */
export const timeOf = (seconds: string | undefined): Date | undefined =>
  seconds !== undefined && /^\d{9,10}$/.test(seconds) ? new Date(Number(seconds) * 1000) : undefined

/**
 * Tripay demands an e-mail address and writes to it. Where none is known it is one of a domain that is reserved for
 * examples (RFC 2606) and reaches nobody.
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
 * A minute more than ours, within the channel's bound: some channels want at least 60 minutes, and of a payment of
 * exactly 60 less is left when Tripay looks. Ours ends by our clock, and money that comes in that minute still counts.
 */
function expiredTime({ channel, methodDetail, startedAt, expiryMinutes }: Charge): number {
  const longest = channelOf(methodDetail.type, channel)?.limits.maxExpiryMinutes ?? expiryMinutes
  const minutes = Math.min(expiryMinutes + 1, longest)
  return Math.floor(startedAt.getTime() / 1000) + minutes * 60
}

/** Required, in whole rupiah and summing up to the amount: where ours do not, one line stands for the order. */
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

export function toAccepted(answer: Transaction, order: Charge): Accepted {
  if (answer.merchant_ref !== order.reference || withoutFee(answer, order.amount) !== order.amount)
    throw new ProviderError('unknown', 'its answer is about another order')
  const methodData = toMethodData(answer, order.methodDetail)
  if (!methodData) throw new ProviderError('unknown', 'accepted without payment instructions')
  return { providerPaymentId: answer.reference, methodData }
}

/**
 * A merchant may have the payer bear the fee. Tripay does not say whether `amount` then includes it, so it counts
 * as it is where it is the amount of the order, and less the fee where it is not.
 */
function withoutFee(answer: Transaction, amount: Cents): Cents | undefined {
  const told = sumOf(answer.amount)
  return told === amount ? told : less(told, sumOf(answer.fee_customer))
}

const less = (sum: Cents | undefined, fee: Cents | undefined): Cents | undefined =>
  sum === undefined || fee === undefined || fee > sum ? undefined : sum - fee

const storeNames: Record<string, string> = {
  alfamart: 'Alfamart',
  indomaret: 'Indomaret',
  alfamidi: 'Alfamidi',
}

/** Undefined where the answer does not say how to pay. */
function toMethodData(answer: Transaction, detail: MethodDetail): MethodData | undefined {
  const { pay_code, qr_string = '', qr_url = '' } = answer
  switch (detail.type) {
    case 'virtual_account':
      return pay_code ? { type: detail.type, bank: detail.bank, va_number: pay_code } : undefined
    // The picture alone can be paid as well.
    case 'qris':
      return qr_string || qr_url ? { type: detail.type, qr_string, qr_image_url: qr_url } : undefined
    // checkout_url: Tripay's own page of the transaction, which leads to the wallet too.
    case 'e_wallet': {
      const redirect_url = answer.pay_url || answer.checkout_url
      return redirect_url
        ? { type: detail.type, wallet_type: detail.wallet_type, redirect_url, deeplink: '' }
        : undefined
    }
    case 'over_the_counter': {
      const store = detail.store.toLowerCase()
      return pay_code
        ? { type: detail.type, store_name: storeNames[store] ?? store, payment_code: pay_code }
        : undefined
    }
  }
}

/** Throws UnreadableError. */
export function reportOfAnswer(answer: Transaction, inquiry: Inquiry): ProviderReport {
  const { reference, merchant_ref, status } = answer
  const methodData = toMethodData(answer, inquiry.methodDetail)
  const isRefunded = status === 'REFUND'
  const fact = factOf({
    // What was given back was paid before.
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

/** Tripay gives a refund neither an id nor an amount. A closed payment is refunded once at most. */
const refund: MoneyReturn = { kind: 'refund', id: null, amount: null, status: 'succeeded' }

/** Throws UnreadableError. */
export function reportOfCallback(message: Callback): CallbackReport {
  const { reference, merchant_ref, status } = message
  const report = { reference: merchant_ref, providerPaymentId: reference }
  if (status === 'REFUND')
    return { ...report, returns: [refund], fact: { type: 'nothing', reason: 'refunded' } }
  const amount = less(sumOf(message.total_amount), feeOfPayer(message))
  const fact = oddity(message) ?? factOf({ status, reference, amount, paidAt: timeOf(message.paid_at) })
  return { ...report, fact }
}

/**
 * total_amount is what the payer paid, the fee that the payer bears included; the merchant asked for the rest. Where
 * that fee is not given, it is what both fees exceed the merchant's by.
 */
const feeOfPayer = ({ fee_customer, fee_merchant, total_fee }: Callback): Cents | undefined =>
  isAbsent(fee_customer) ? less(sumOf(total_fee), sumOf(fee_merchant)) : sumOf(fee_customer)

/** What no callback about a payment of ours has. */
function oddity({ currency, is_closed_payment }: Callback): Fact | undefined {
  if (currency !== null && currency !== 'IDR')
    return { type: 'nothing', reason: quoted(`currency ${currency}`) }
  // An open payment's code takes any sum any number of times; we make closed ones only.
  if (is_closed_payment === false || textOf(is_closed_payment) === '0')
    return { type: 'unproven', reason: 'a callback of an open payment' }
  return undefined
}

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
      if (amount === undefined)
        throw new UnreadableError('the amount without the fee of the payer cannot be read')
      if (amount === 0n) return { type: 'nothing', reason: 'paid 0' }
      // A closed payment is paid once: its reference is that payment's. Two of one order would be two receipts.
      return { type: 'paid', amountPaid: amount, receipt: reference, ...(paidAt && { paidAt }) }
    case 'FAILED':
      return { type: 'failed', reason: 'provider reported FAILED' }
    case 'EXPIRED':
      return { type: 'expired' }
    default:
      throw unknownWord('status', status)
  }
}
