// Ours ↔ SNAP's. Pure.

import { createHash } from 'node:crypto'
import { type Cents, centsOfDecimal, toRupiah } from '../../money.ts'
import type { MethodData } from '../../payments/method.ts'
import { withDashes } from '../../payments/payment-code.ts'
import { after } from '../../time.ts'
import {
  type Accepted,
  type Charge,
  type Inquiry,
  ProviderError,
  type ProviderReport,
  type ProviderWord,
  quoted,
} from '../provider.ts'
import type {
  Money,
  OrderNotification,
  OrderStatus,
  PaymentCreated,
  QrCreated,
  VaCreated,
  VaNotification,
  VaStatus,
} from './messages.ts'
import type { SnapAccount } from './profile.ts'
import { ofIso, toWib } from './time.ts'

type Fact = ProviderReport['fact']

export const toMoney = (amount: Cents): Money => ({ value: `${toRupiah(amount)}.00`, currency: 'IDR' })

const expiryOf = ({ startedAt, expiryMinutes }: Charge): string =>
  toWib(after(startedAt, expiryMinutes * 60_000))

/** Eight characters, padded with spaces on the left. */
const paddedServiceId = ({ partnerServiceId }: SnapAccount) => partnerServiceId.trim().padStart(8, ' ')

/**
 * The number that we ask for, so that it can be asked about even if the answer to the charge was never heard.
 * 12 digits are what most banks take after the partner's own (docs.midtrans.com
 * virtual-account-api-bank-transfer); acquirers shorten it, lengthen it or choose another one, and then theirs counts.
 */
export function customerNoOf(reference: string): string {
  const hash = createHash('sha256').update(`customer ${reference}`).digest('hex')
  return BigInt(`0x${hash}`).toString().slice(-12)
}

/**
 * The strictest set of characters of both acquirers (DOKU's createVaRequestDto); BCA shows 30. A name is demanded
 * even where we know none.
 */
export function vaName(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^a-zA-Z0-9.\-/+,=_:'@% ]/g, '')
  return plain.slice(0, 30).trim() || 'Customer'
}

/** BNI rejects a payment with a phone number of another form; without one it takes it. */
const phoneOf = ({ phone }: Charge['customer']) =>
  /^(\+62|0)\d{7,13}$/.test(phone) ? { virtualAccountPhone: phone } : {}

export function createVaBody(account: SnapAccount, order: Charge): object {
  const partnerServiceId = paddedServiceId(account)
  const customerNo = customerNoOf(order.reference)
  return {
    partnerServiceId,
    ...(account.choosesNumbers && { customerNo, virtualAccountNo: partnerServiceId + customerNo }),
    virtualAccountName: vaName(order.customer.name),
    ...(order.customer.email && { virtualAccountEmail: order.customer.email }),
    ...phoneOf(order.customer),
    trxId: account.profile.toWire(order.reference),
    totalAmount: toMoney(order.amount),
    // Closed: this amount and no other.
    virtualAccountTrxType: 'C',
    expiredDate: expiryOf(order),
    ...account.profile.virtualAccount(account, order),
  }
}

export const generateQrBody = (account: SnapAccount, order: Charge): object => ({
  partnerReferenceNo: account.profile.toWire(order.reference),
  amount: toMoney(order.amount),
  merchantId: account.merchantId,
  validityPeriod: expiryOf(order),
  ...account.profile.qris(account, order),
})

export const payBody = (account: SnapAccount, order: Charge, token: string): object => ({
  partnerReferenceNo: account.profile.toWire(order.reference),
  amount: toMoney(order.amount),
  validUpTo: expiryOf(order),
  ...account.profile.eWallet(account, order, toMoney(order.amount), token),
})

/** The reference and the amount, wherever an answer repeats them. */
function confirm(order: Charge, reference: string | undefined, amount: Money | undefined): void {
  if (reference !== undefined && withDashes(reference) !== order.reference)
    throw new ProviderError('unknown', 'its answer is about another order')
  if (amount && (amount.currency !== 'IDR' || centsOf(amount) !== order.amount))
    throw new ProviderError('unknown', 'it took the order with another amount')
}

/** A virtual account has no other id than its number. */
export function vaAccepted({ virtualAccountData: data }: VaCreated, order: Charge): Accepted {
  confirm(order, data.trxId, data.totalAmount)
  const methodData = vaData(order, data.virtualAccountNo)
  if (!methodData) throw new ProviderError('invalid', 'no virtual account was asked for')
  return { providerPaymentId: data.virtualAccountNo, methodData }
}

export function qrAccepted(answer: QrCreated, order: Charge): Accepted {
  confirm(order, answer.partnerReferenceNo, undefined)
  return {
    providerPaymentId: answer.referenceNo ?? order.reference,
    methodData: { type: 'qris', qr_string: answer.qrContent, qr_image_url: answer.qrUrl ?? '' },
  }
}

export function paymentAccepted(answer: PaymentCreated, order: Charge, walletType: string): Accepted {
  confirm(order, answer.partnerReferenceNo, undefined)
  return {
    providerPaymentId: answer.referenceNo ?? order.reference,
    methodData: {
      type: 'e_wallet',
      wallet_type: walletType,
      redirect_url: answer.webRedirectUrl,
      deeplink: answer.appRedirectUrl ?? '',
    },
  }
}

const vaData = ({ methodDetail }: Pick<Charge, 'methodDetail'>, number: string): MethodData | undefined =>
  methodDetail.type === 'virtual_account'
    ? { type: methodDetail.type, bank: methodDetail.bank, va_number: number }
    : undefined

export const toldNumber = ({ methodData }: Inquiry): string | undefined =>
  methodData?.type === 'virtual_account' && methodData.va_number !== '' ? methodData.va_number : undefined

const askedNumber = (account: SnapAccount, reference: string): string =>
  account.partnerServiceId.trim() + customerNoOf(reference)

/** sentAs: our reference as the charge sent it. */
export function vaStatusBody(account: SnapAccount, inquiry: Inquiry, sentAs: string): object {
  const number = toldNumber(inquiry) ?? askedNumber(account, inquiry.reference)
  const ours = account.partnerServiceId.trim()
  // BNI's numbers begin with more than our id; the first eight digits are then the partner's.
  const cut = ours !== '' && number.startsWith(ours) ? ours.length : 8
  const partnerServiceId = number.slice(0, cut).padStart(8, ' ')
  const customerNo = number.slice(cut)
  return {
    partnerServiceId,
    customerNo,
    virtualAccountNo: partnerServiceId + customerNo,
    // Midtrans: what the charge called trxId (docs.midtrans.com virtual-account-api-bank-transfer).
    ...(account.profile.findsVaByReference && { inquiryRequestId: sentAs }),
    additionalInfo: { merchantId: account.merchantId },
  }
}

/** sentAs: our reference as the charge sent it. */
export const queryQrBody = (account: SnapAccount, inquiry: Inquiry, sentAs: string): object => ({
  ...originalReferenceOf(inquiry),
  originalPartnerReferenceNo: sentAs,
  merchantId: account.qris?.merchantId ?? account.merchantId,
  serviceCode: '47',
})

export const payStatusBody = (account: SnapAccount, inquiry: Inquiry, externalId: string): object => ({
  ...originalReferenceOf(inquiry),
  originalPartnerReferenceNo: account.profile.toWire(inquiry.reference),
  originalExternalId: externalId,
  merchantId: account.merchantId,
  serviceCode: '54',
})

const referenceIn = (text: string | undefined) => (text === undefined ? undefined : withDashes(text))

/** Not where our own reference stands in for an id that was never given. */
const originalReferenceOf = ({ providerPaymentId, reference }: Inquiry) =>
  providerPaymentId === null || providerPaymentId === reference
    ? {}
    : { originalReferenceNo: providerPaymentId }

/**
 * `untold` where the answer does not say that it is about this order: a number that the acquirer chose may have been
 * another order's before.
 */
export function vaReport(account: SnapAccount, inquiry: Inquiry, answer: VaStatus): ProviderWord {
  const { virtualAccountData: data, additionalInfo: info } = answer
  const asked = askedNumber(account, inquiry.reference)
  const number = data.virtualAccountNo
  const expected = toldNumber(inquiry)
  const trxId = referenceIn(data.trxId ?? info?.trxId)
  const status = data.paymentFlagStatus ?? info?.paymentFlagStatus
  if (status === '07') return account.profile.findsVaByReference ? 'absent' : 'untold'
  if (
    (trxId !== undefined && trxId !== inquiry.reference) ||
    (expected !== undefined && number !== undefined && number !== expected)
  )
    throw new ProviderError('unknown', 'its answer is about another order')
  const byReference =
    account.profile.findsVaByReference && referenceIn(data.inquiryRequestId) === inquiry.reference
  if (trxId === undefined && !byReference && number !== asked) return 'untold'

  const { paymentRequestId, paymentFlagReason: reason } = data
  // Where no status is told: both are there after a payment only, so one without the other says nothing.
  const isPaid = data.paidAmount !== undefined
  if (status === undefined && isPaid !== (paymentRequestId !== undefined)) return 'untold'
  // DOKU has words in the place of a status (doku-golang-library CheckStatusVirtualAccountData); which, is not
  // documented. Those that are none of success contradict a payment.
  if (status === undefined && isPaid && reason && !/^(success|successful|paid)$/i.test(reason))
    return 'untold'
  const told = status ?? (isPaid ? '00' : '03')
  // Without it a payment can only be told from here by the callback, which may have been lost.
  const paidAmount = data.paidAmount ?? closedAmount(inquiry, data.totalAmount)
  if (told === '00' && paidAmount === undefined) return 'untold'
  const fact = factOf(account, told, 'answer', () =>
    paidFact(paidAmount, paymentRequestId, [data.transactionDate, data.trxDateTime], 'answer'),
  )
  const methodData = number === undefined ? undefined : vaData(inquiry, number)
  return {
    reference: inquiry.reference,
    providerPaymentId: paymentRequestId ?? number ?? asked,
    fact: fact.type === 'pending' && methodData ? { type: 'pending', methodData } : fact,
  }
}

/**
 * Midtrans' sample of a settled virtual account has totalAmount and no paidAmount (docs.midtrans.com
 * virtual-account-api-bank-transfer). Ours are closed: banks take this sum and no other.
 */
const closedAmount = ({ amount }: Inquiry, total: Money | undefined): Money | undefined =>
  total && centsOf(total) === amount ? total : undefined

export function orderReport(
  account: SnapAccount,
  inquiry: Inquiry,
  answer: OrderStatus,
): ProviderReport | 'absent' {
  const { originalReferenceNo: id } = answer
  const reference = referenceIn(answer.originalPartnerReferenceNo)
  // DOKU's answers repeat neither; it was asked about this order over TLS.
  if (reference !== undefined && reference !== inquiry.reference)
    throw new ProviderError('unknown', 'its answer is about another order')
  if (answer.latestTransactionStatus === '07') return 'absent'
  return {
    reference: inquiry.reference,
    providerPaymentId: id ?? inquiry.providerPaymentId ?? inquiry.reference,
    fact: factOf(account, answer.latestTransactionStatus, 'answer', () =>
      paidFact(answer.amount ?? answer.transAmount, id, [answer.paidTime], 'answer'),
    ),
  }
}

export function vaNotified(account: SnapAccount, message: VaNotification): ProviderReport {
  const { additionalInfo: info, paymentRequestId, paidAmount, trxId } = message
  const status = info?.paymentFlagStatus ?? (account.profile.tellsVaStatus ? 'absent' : '00')
  return {
    reference: withDashes(trxId),
    providerPaymentId: paymentRequestId ?? (quoted(message.virtualAccountNo?.trim() ?? '') || trxId),
    fact: factOf(account, status, 'notification', () =>
      paidFact(paidAmount, paymentRequestId, [info?.paidTime], 'notification'),
    ),
  }
}

export function orderNotified(account: SnapAccount, message: OrderNotification): ProviderReport {
  const { originalReferenceNo: id, additionalInfo: info } = message
  const reference = withDashes(message.originalPartnerReferenceNo)
  const times = [info?.paymentTime, message.finishedTime, message.paidTime]
  return {
    reference,
    providerPaymentId: id ?? reference,
    fact: factOf(account, message.latestTransactionStatus, 'notification', () =>
      paidFact(message.amount ?? message.transAmount, id, times, 'notification'),
    ),
  }
}

/** docs.midtrans.com payment-notification-api and get-transaction-status-api, the same for all services. */
function factOf(
  { profile }: SnapAccount,
  status: string,
  source: 'answer' | 'notification',
  paid: () => Fact,
): Fact {
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
    case '04':
      return { type: 'nothing', reason: 'refunded' }
    case '07':
      return { type: 'nothing', reason: 'the provider does not find it' }
    default:
      return unreadable(source, `status ${status}`)
  }
}

/** What a notification says in a way that we cannot read, an inquiry may tell. */
const unreadable = (source: 'answer' | 'notification', reason: string): Fact => ({
  type: source === 'notification' ? 'unproven' : 'nothing',
  reason: quoted(reason),
})

function paidFact(
  amount: Money | undefined,
  receipt: string | undefined,
  times: (string | undefined)[],
  source: 'answer' | 'notification',
): Fact {
  // Midtrans' own sample of a wallet's notification has no amount.
  if (!amount) return unreadable(source, 'paid, without an amount')
  if (amount.currency !== 'IDR') return { type: 'nothing', reason: quoted(`currency ${amount.currency}`) }
  const amountPaid = centsOf(amount)
  if (amountPaid === undefined || amountPaid === 0n) return unreadable(source, `paid, ${amount.value}`)
  const paidAt = times.map(ofIso).find(time => time !== undefined)
  return { type: 'paid', amountPaid, ...(paidAt && { paidAt }), ...(receipt && { receipt }) }
}

const centsOf = ({ value }: Money): Cents | undefined => centsOfDecimal(value)
