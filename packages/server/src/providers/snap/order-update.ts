// Converts SNAP's status responses and notifications to payment updates.

import type { MethodData } from '../../payments/method.ts'
import { isOrderReference, withDashes } from '../../payments/payment-code.ts'
import {
  parseAmount,
  parsePaidAmount,
  parseWord,
  readMessage,
  UnreadableError,
  unknownWord,
} from '../lenient-fields.ts'
import {
  type CallbackUpdate,
  type Inquiry,
  type InquiryResult,
  type MoneyReturn,
  ProviderError,
  type ProviderUpdate,
  toSafeText,
} from '../provider.ts'
import {
  type Money,
  type OrderNotification,
  type OrderStatus,
  type RefundEntry,
  type VaNotification,
  type VaStatus,
  vaNames,
} from './messages.ts'
import type { Profile, SnapAccount } from './profile.ts'
import { ofIso } from './time.ts'
import { askedNumber, toldNumber } from './translate.ts'

type Fact = ProviderUpdate['fact']

/**
 * Converts a status response about a virtual account. Returns `not_reported` if the response may be about another
 * order, because acquirers (payment providers) may reuse the account numbers that they choose.
 */
export function vaUpdate(
  account: SnapAccount,
  inquiry: Inquiry,
  bank: string,
  answer: VaStatus,
): InquiryResult {
  const { virtualAccountData: data, additionalInfo: info } = answer
  const asked = askedNumber(account, inquiry.reference)
  const number = data.virtualAccountNo
  const isOurs = isOurVirtualAccount(account, inquiry, answer)
  const status =
    parseWord('paymentFlagStatus', data.paymentFlagStatus) ??
    parseWord('additionalInfo.paymentFlagStatus', info?.paymentFlagStatus) ??
    undefined
  if (!isOurs || status === NOT_FOUND) return 'not_reported'

  const { paymentRequestId } = data
  const reason = data.paymentFlagReason?.english
  // The response for a paid virtual account contains both paymentRequestId and paidAmount. If only one of them is
  // present, and there is no status, the response does not show whether the account is paid.
  const isPaid = data.paidAmount !== undefined
  if (status === undefined && isPaid !== (paymentRequestId !== undefined)) return 'not_reported'
  // Every virtual account has a number, so a response without a number and without a status is incomplete. It does not
  // prove that the account is unpaid.
  if (status === undefined && !isPaid && number === undefined) return 'not_reported'
  // Instead of a status, DOKU sends a text with undocumented values (doku-golang-library
  // CheckStatusVirtualAccountData). If the response contains a paid amount, but its text does not mean success, the
  // amount and the text contradict each other. The response then does not prove a payment.
  if (status === undefined && isPaid && reason && !/^(success|successful|paid)$/i.test(reason))
    return 'not_reported'
  const told = status ?? (isPaid ? '00' : '03')
  // If a status response lacks the paid amount, the total amount is used instead, because banks accept only
  // the exact amount. Without this fallback, only the callback could report the payment, and the callback may
  // be lost.
  const paidAmount = data.paidAmount ?? closedAmount(inquiry, data.totalAmount)
  if (told === '00' && paidAmount === undefined) return 'not_reported'
  const fact = factOf(account.profile, told, 'answer', () =>
    paidFact('paidAmount', paidAmount, {
      receipt: paymentRequestId,
      times: [data.transactionDate, data.trxDateTime],
    }),
  )
  const methodData: MethodData | undefined =
    number === undefined ? undefined : { type: 'virtual_account', bank, va_number: number }
  return {
    reference: inquiry.reference,
    providerPaymentId: paymentRequestId ?? number ?? asked,
    fact: fact.type === 'pending' && methodData ? { type: 'pending', methodData } : fact,
  }
}

/**
 * The status for an order that the acquirer does not find. A response with this status changes nothing. Only a response
 * code such as 404ss01 proves that the order does not exist. Only after such a code may the payment be charged again.
 */
const NOT_FOUND = '07'

/**
 * Returns whether a status response is about the order. Throws an error if the response is about a different order. If
 * the response contains our reference, the account number is ignored, because banks pad, cut and prefix numbers.
 * Without a reference, the account number must be the one that we derived from our reference.
 *
 * Some acquirers choose the account number and find accounts only by their number. Our reference alone then proves
 * nothing, because the acquirer may only repeat the reference in our inquiry. The number and the amount must then match
 * the order, too.
 */
function isOurVirtualAccount(
  account: SnapAccount,
  inquiry: Inquiry,
  { virtualAccountData: data, additionalInfo: info }: VaStatus,
): boolean {
  const orderIds = [data.trxId, info?.trxId].flatMap(id => referenceIn(id) ?? [])
  const inquiryId = referenceIn(data.inquiryRequestId)
  // The ID of an inquiry may be any text. If it has the format of our references but is not this order's reference, the
  // response is about a different order.
  const named = inquiryId !== undefined && isOrderReference(inquiryId) ? [...orderIds, inquiryId] : orderIds
  if (named.some(each => each !== inquiry.reference)) throw differentOrder()
  const { findsVaByReference } = account.profile
  const asked = askedNumber(account, inquiry.reference)
  const expected = toldNumber(inquiry)
  const isNumberOurs = expected === undefined || isSameNumber(expected, asked)
  const hasReference = orderIds.length > 0
  if (hasReference && (findsVaByReference || isNumberOurs)) return true
  if (findsVaByReference && inquiryId === inquiry.reference) return true

  const { virtualAccountNo: number, paidAmount: paid } = data
  if (number === undefined) return false
  if (expected !== undefined && !isSameNumber(number, expected)) throw differentOrder()
  if (isNumberOurs) return isSameNumber(number, asked)
  return hasReference && (paid === undefined || parseAmount(paid.value) === inquiry.amount)
}

/** Compares account numbers without leading zeros, because some banks pad a number with zeros instead of spaces. */
const isSameNumber = (one: string, other: string): boolean =>
  one.replace(/^0+/, '') === other.replace(/^0+/, '')

const differentOrder = () => new ProviderError('unknown', 'the response is for a different order')

/**
 * Returns the total amount as the paid amount if the total equals the order's amount. This is safe because our
 * virtual accounts are closed, which means that banks accept only the exact amount. The total is needed
 * because Midtrans' sample of a settled virtual account contains totalAmount but no paidAmount
 * (docs.midtrans.com virtual-account-api-bank-transfer).
 */
const closedAmount = ({ amount }: Inquiry, total: Money | undefined): Money | undefined =>
  total && parseAmount(total.value) === amount ? total : undefined

export function orderUpdate(account: SnapAccount, inquiry: Inquiry, answer: OrderStatus): InquiryResult {
  const { originalReferenceNo: id } = answer
  const reference = referenceIn(answer.originalPartnerReferenceNo)
  // DOKU's status responses contain neither our reference nor the order id. We trust such a response anyway,
  // because it is a response to our own request over TLS.
  if (reference !== undefined && reference !== inquiry.reference) throw differentOrder()
  if (answer.latestTransactionStatus === NOT_FOUND) return 'not_reported'
  const providerPaymentId = id ?? inquiry.providerPaymentId ?? inquiry.reference
  return {
    reference: inquiry.reference,
    providerPaymentId,
    ...returnsOf(answer, providerPaymentId),
    ...(inquiry.methodDetail.type === 'qris' &&
      account.profile.refunds.omitsQrRefunds && { mayOmitReturns: true as const }),
    fact: factOf(account.profile, answer.latestTransactionStatus, 'answer', () =>
      paidFact('amount', answer.amount ?? answer.transAmount, { receipt: id, times: [answer.paidTime] }),
    ),
  }
}

/** Converts a notification about a virtual account to an update. Throws UnreadableError. */
export function vaNotified(profile: Profile, message: VaNotification): CallbackUpdate {
  const { additionalInfo: info, paidAmount } = message
  const { trxId, paymentRequestId, virtualAccountNo } = readMessage(vaNames, message)
  const reference = referenceIn(trxId) ?? null
  const times = [info?.paidTime, info?.paymentTime]
  const status =
    parseWord('additionalInfo.paymentFlagStatus', info?.paymentFlagStatus) ??
    (profile.tellsVaStatus ? 'absent' : '00')
  return {
    reference,
    // If the message has no reference, the virtual account number identifies the payment, because the charge
    // returned no other ID.
    providerPaymentId: firstId(
      reference === null
        ? [virtualAccountNo, paymentRequestId]
        : [paymentRequestId, virtualAccountNo, reference],
    ),
    fact:
      status === 'absent'
        ? { type: 'unproven', reason: 'without a status' }
        : factOf(profile, status, 'notification', () =>
            paidFact('paidAmount', paidAmount, { receipt: paymentRequestId, times }),
          ),
  }
}

/** Converts a notification about a QRIS or wallet payment to an update. Throws UnreadableError. */
export function orderNotified(profile: Profile, message: OrderNotification): CallbackUpdate {
  const { originalReferenceNo: id, additionalInfo: info } = message
  const reference = referenceIn(message.originalPartnerReferenceNo) ?? null
  const amount = message.amount ?? message.transAmount
  const times = [info?.paymentTime, message.finishedTime, message.paidTime]
  const providerPaymentId = firstId([id, reference])
  return {
    reference,
    providerPaymentId,
    ...returnsOf(message, providerPaymentId),
    fact: factOf(profile, message.latestTransactionStatus, 'notification', () =>
      // The amount may be missing, as in Midtrans' sample e-wallet notification.
      amount === undefined
        ? { type: 'unproven', reason: 'paid, without an amount', claimsPayment: true }
        : paidFact('amount', amount, { receipt: id, times }),
    ),
  }
}

/** Restores the dashes in our reference. Midtrans receives and returns the reference without them. */
const referenceIn = (text: string | null | undefined): string | undefined =>
  typeof text === 'string' ? withDashes(text) : undefined

function firstId(ids: (string | null | undefined)[]): string {
  const found = ids.find(id => typeof id === 'string')
  if (found === undefined)
    throw new UnreadableError('the message has neither a reference nor a payment ID of the provider')
  return found
}

/**
 * Converts a payment status (docs.midtrans.com payment-notification-api and get-transaction-status-api). All payment
 * methods use these status codes.
 */
function factOf(profile: Profile, status: string, source: 'answer' | 'notification', paid: () => Fact): Fact {
  if (profile.unclearStatuses.includes(status)) return { type: 'pending' }
  switch (status) {
    case '00':
      return paid()
    case '01':
    case '02':
    case '03':
      return { type: 'pending' }
    case '05':
      return { type: profile.tellsExpiry ? 'cancelled' : 'closed' }
    case '06':
      return { type: 'failed', reason: 'provider reported a failure' }
    case '08':
      return { type: 'expired' }
    case '09':
      return { type: 'failed', reason: 'provider reported a rejection' }
    // Status 04 means that the order was paid and later refunded. In a status response, 04 therefore reports
    // a paid order, but in a notification, it reports only the refund.
    case '04':
      return source === 'answer' ? paid() : { type: 'nothing', reason: 'refunded' }
    case NOT_FOUND:
      return { type: 'nothing', reason: 'the provider does not find it' }
    default:
      throw unknownWord('the status', status)
  }
}

/**
 * Returns what a provider update reports for a paid order: the amount, receipt and time of the payment, or `nothing` if
 * the amount is zero or not in rupiah. `field` is the name of the amount field, for error messages. Throws an
 * UnreadableError if the amount or its currency cannot be read.
 */
function paidFact(
  field: string,
  money: Money | undefined,
  { receipt, times }: { receipt: string | undefined; times: (string | undefined)[] },
): Fact {
  if (!money) throw new UnreadableError(`${field} cannot be read: it is missing`)
  if (money.currency === null) throw new UnreadableError(`${field}.currency cannot be read: it is missing`)
  if (money.currency !== 'IDR') return { type: 'nothing', reason: toSafeText(`currency ${money.currency}`) }
  const amountPaid = parsePaidAmount(`${field}.value`, money.value)
  if (amountPaid === 0n) return { type: 'nothing', reason: 'paid 0' }
  const paidAt = times.map(ofIso).find(time => time !== undefined)
  return { type: 'paid', amountPaid, ...(paidAt && { paidAt }), ...(receipt && { receipt }) }
}

/**
 * Returns the refunds listed in a message. Even a message with status 00 (paid) may list refunds, because a partial
 * refund does not change the status (samples at docs.midtrans.com payment-notification-api).
 */
function returnsOf(
  message: Pick<OrderStatus, 'refundHistory' | 'additionalInfo' | 'latestTransactionStatus'>,
  orderId: string,
): { returns?: MoneyReturn[] } {
  const { refundHistory: outer, additionalInfo } = message
  const history = outer.length > 0 ? outer : (additionalInfo?.refundHistory ?? [])
  const returns = history.map((each, index) =>
    refundOf(each, history.length === 1 ? null : `${orderId}-${index + 1}`),
  )
  if (returns.length > 0) return { returns }
  if (message.latestTransactionStatus !== '04') return {}
  // The order was refunded, but the message does not contain the refund's amount.
  return { returns: [{ kind: 'refund', id: null, amount: null, status: 'succeeded' }] }
}

/**
 * Converts an entry of a refund history to a refund. `id` is the refund's ID if the entry contains neither a
 * refund ID nor a reference.
 */
function refundOf(entry: RefundEntry, id: string | null): MoneyReturn {
  const { refundAmount: money, refundStatus: status } = entry
  const isRupiah = money?.currency === undefined || money.currency === 'IDR'
  const reference = entry.partnerRefundNo ?? entry.partnerReferenceNo
  return {
    kind: 'refund',
    id: entry.refundNo ?? reference ?? id,
    ...(reference !== undefined && { reference }),
    amount: (isRupiah ? parseAmount(money?.value) : undefined) ?? null,
    status: status === '00' ? 'succeeded' : status === '06' ? 'failed' : 'pending',
  }
}
