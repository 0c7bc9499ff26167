// Converts between this service's types and SNAP's messages.

import { createHash } from 'node:crypto'
import { withDashes } from '../../payments/payment-code.ts'
import { type Cents, toRupiah } from '../../values/money.ts'
import { after } from '../../values/time.ts'
import { parseAmount } from '../lenient-fields.ts'
import { type AcceptedCharge, type Charge, type Inquiry, ProviderError, type Refund } from '../provider.ts'
import type { Money, PaymentCreated, QrCreated, VaCreated } from './messages.ts'
import type { SnapAccount } from './profile.ts'
import { toWib } from './time.ts'

/** Formats an amount as a JSON number, as in DOKU's sample QRIS refund. */
export const toNumericMoney = (amount: Cents) => ({ value: Number(toRupiah(amount)), currency: 'IDR' })

export const toMoney = (amount: Cents) => ({ value: `${toRupiah(amount)}.00`, currency: 'IDR' })

const expiryOf = ({ startedAt, expiryMinutes }: Charge): string =>
  toWib(after(startedAt, expiryMinutes * 60_000))

/** Returns the partner service id with 8 characters, padded with spaces on the left. */
const paddedServiceId = ({ partnerServiceId }: SnapAccount) => partnerServiceId.padStart(8, ' ')

/**
 * Returns the customer number to request for a virtual account. It is derived from our reference, so it is
 * known even if the charge response was lost. Most banks accept 12 digits after the partner service id
 * (docs.midtrans.com virtual-account-api-bank-transfer).
 */
export function customerNoOf(reference: string): string {
  const hash = createHash('sha256').update(`customer ${reference}`).digest('hex')
  return BigInt(`0x${hash}`).toString().slice(-12)
}

/**
 * Returns the payer's name with at most 30 characters, using only characters that both acquirers accept (DOKU's
 * createVaRequestDto). Acquirers require a name, so the result is never empty.
 */
export function vaName(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^a-zA-Z0-9.\-/+,=_:'@% ]/g, '')
  return plain.slice(0, 30).trim() || 'Customer'
}

/**
 * Returns the phone number field, or no field if the number's format is invalid. BNI rejects a charge with an invalid
 * phone number, but accepts one without a phone number.
 */
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
    // The transaction type C means a closed amount: banks accept exactly this amount.
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

/** Throws if the charge response contains a reference or an amount other than the order's. */
function confirm(order: Charge, reference: string | undefined, amount: Money | undefined): void {
  if (reference !== undefined && withDashes(reference) !== order.reference)
    throw new ProviderError('unknown', 'the response is for a different order')
  if (amount && (amount.currency !== 'IDR' || parseAmount(amount.value) !== order.amount))
    throw new ProviderError('unknown', 'it accepted the order with a different amount')
}

/**
 * Converts the response to a virtual account charge. The account number is also used as the provider's id, because the
 * acquirer issues no other id.
 */
export function vaAccepted(
  { virtualAccountData: data }: VaCreated,
  order: Charge,
  bank: string,
): AcceptedCharge {
  const { virtualAccountNo: number } = data
  confirm(order, data.trxId, data.totalAmount)
  return { providerPaymentId: number, methodData: { type: 'virtual_account', bank, va_number: number } }
}

export function qrAccepted(answer: QrCreated, order: Charge): AcceptedCharge {
  confirm(order, answer.partnerReferenceNo, undefined)
  return {
    providerPaymentId: answer.referenceNo ?? order.reference,
    methodData: { type: 'qris', qr_string: answer.qrContent, qr_image_url: answer.qrUrl ?? '' },
  }
}

export function paymentAccepted(answer: PaymentCreated, order: Charge, walletType: string): AcceptedCharge {
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

export const toldNumber = ({ methodData }: Inquiry): string | undefined =>
  methodData?.type === 'virtual_account' ? methodData.va_number : undefined

export const askedNumber = (account: SnapAccount, reference: string): string =>
  account.partnerServiceId + customerNoOf(reference)

/**
 * Returns the body for a status inquiry about a virtual account. `sentAs` is our reference in the format sent with
 * the charge.
 */
export function vaStatusBody(account: SnapAccount, inquiry: Inquiry, sentAs: string): object {
  const number = toldNumber(inquiry) ?? askedNumber(account, inquiry.reference)
  const { partnerServiceId: ours } = account
  // A BNI account number may start with digits other than our partner service id. In that case, its first eight
  // digits serve as the partner service id.
  const cut = ours !== '' && number.startsWith(ours) ? ours.length : 8
  const partnerServiceId = number.slice(0, cut).padStart(8, ' ')
  const customerNo = number.slice(cut)
  return {
    partnerServiceId,
    customerNo,
    virtualAccountNo: partnerServiceId + customerNo,
    [account.profile.vaStatusReference]: sentAs,
    additionalInfo: { merchantId: account.merchantId },
  }
}

/** Returns the body for a status inquiry about a QRIS payment. `sentAs` is our reference as sent with the charge. */
export const queryQrBody = (account: SnapAccount, inquiry: Inquiry, sentAs: string): object => ({
  ...originalReferenceOf(inquiry),
  ...account.profile.queryQr?.(inquiry),
  originalPartnerReferenceNo: sentAs,
  merchantId: account.qris?.merchantId ?? account.merchantId,
  serviceCode: '47',
})

export const payStatusBody = (account: SnapAccount, inquiry: Inquiry, externalId: string): object => ({
  ...account.profile.payStatus?.(inquiry),
  ...originalReferenceOf(inquiry),
  originalPartnerReferenceNo: account.profile.toWire(inquiry.reference),
  originalExternalId: externalId,
  merchantId: account.merchantId,
  serviceCode: account.profile.payStatusServiceCode,
})

/**
 * Returns the fields common to all refund requests. A reason is cut to 255 characters, because all acquirers
 * (payment providers) accept at least this length.
 */
export const refundBody = (
  { profile }: SnapAccount,
  { reference, amount, reason, order }: Refund,
): object => ({
  originalPartnerReferenceNo: profile.toWire(order.reference),
  partnerRefundNo: reference,
  refundAmount: toMoney(amount),
  ...(reason && { reason: reason.slice(0, 255).toWellFormed() }),
})

/**
 * Returns an object with the acquirer's order ID in the field `originalReferenceNo`. If `providerPaymentId`
 * is null or equals our reference, the acquirer issued no ID, so the object is empty.
 */
const originalReferenceOf = ({ providerPaymentId, reference }: Inquiry) =>
  providerPaymentId === null || providerPaymentId === reference
    ? {}
    : { originalReferenceNo: providerPaymentId }
