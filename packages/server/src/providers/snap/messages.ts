// Schemas of SNAP's JSON. lenient-fields.ts defines which fields may have any type.

import { z } from 'zod'
import {
  anyAmount,
  freeText,
  isAbsent,
  nullableCurrency,
  nullableReference,
  objectList,
  optionalId,
  optionalObject,
  optionalText,
  parseText,
  raw,
  requiredWord,
} from '../lenient-fields.ts'

/**
 * An amount such as `{"value":"10000.00","currency":"IDR"}`. In DOKU's response to a QRIS query, `value` is a number.
 */
const money = z.looseObject({ value: anyAmount, currency: nullableCurrency })
export type Money = z.output<typeof money>
export const moneyIfAny = z.preprocess(value => (isAbsent(value) ? undefined : value), money.optional())

/**
 * The common fields of a response. responseCode consists of the HTTP status (3 digits), the service (2) and the case
 * (2).
 */
export const answer = z.looseObject({
  responseCode: requiredWord.pipe(z.string().regex(/^\d{7}$/)),
  responseMessage: freeText,
})

/** The response to a token request. expiresIn is a string in the standard, but DOKU sends a number. */
export const tokenAnswer = z.looseObject({
  accessToken: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  expiresIn: z.coerce.number().positive().optional().catch(undefined),
})

/** Removes the spaces that pad a number on the left, because they are not part of the number. */
const withoutSpaces = (value: unknown) => parseText(value)?.replaceAll(' ', '')
const vaNumber = raw.transform(withoutSpaces)

export const vaCreated = z.looseObject({
  virtualAccountData: z.looseObject({
    virtualAccountNo: vaNumber.pipe(z.string().regex(/^\d{1,28}$/)),
    trxId: optionalText,
    totalAmount: moneyIfAny,
  }),
})
export type VaCreated = z.output<typeof vaCreated>

export const vaStatus = z.looseObject({
  virtualAccountData: z.looseObject({
    virtualAccountNo: vaNumber,
    trxId: optionalText,
    paymentRequestId: optionalId,
    paidAmount: moneyIfAny,
    inquiryRequestId: optionalText,
    totalAmount: moneyIfAny.optional().catch(undefined),
    paymentFlagStatus: raw,
    paymentFlagReason: optionalObject({ english: optionalText }),
    transactionDate: optionalText,
    trxDateTime: optionalText,
  }),
  additionalInfo: optionalObject({ trxId: optionalText, paymentFlagStatus: raw }),
})
export type VaStatus = z.output<typeof vaStatus>

export const qrCreated = z.looseObject({
  referenceNo: optionalId,
  partnerReferenceNo: optionalText,
  qrContent: z.string().min(1),
  qrUrl: optionalText,
})
export type QrCreated = z.output<typeof qrCreated>

export const paymentCreated = z.looseObject({
  referenceNo: optionalId,
  partnerReferenceNo: optionalText,
  webRedirectUrl: z.string().min(1),
  appRedirectUrl: optionalText,
})
export type PaymentCreated = z.output<typeof paymentCreated>

/**
 * The refunds of an order. In docs.midtrans.com payment-notification-api, the field table has partnerRefundNo, but the
 * sample on the same page has partnerReferenceNo.
 */
const refundHistory = objectList({
  refundNo: optionalId,
  partnerRefundNo: optionalId,
  partnerReferenceNo: optionalId,
  refundAmount: optionalObject({ value: anyAmount, currency: optionalText }),
  refundStatus: optionalText,
})
export type RefundEntry = z.output<typeof refundHistory>[number]

/**
 * The fields of a QRIS or wallet payment, in a query response and in a notification. The amount has one of two names.
 */
const order = {
  originalReferenceNo: optionalId,
  originalPartnerReferenceNo: nullableReference,
  latestTransactionStatus: requiredWord,
  amount: moneyIfAny,
  transAmount: moneyIfAny,
  paidTime: optionalText,
  /**
   * The refunds of the payment. They are here in a query response about a wallet payment; everywhere else they are in
   * additionalInfo.
   */
  refundHistory,
}
export const orderStatus = z.looseObject({ ...order, additionalInfo: optionalObject({ refundHistory }) })
export type OrderStatus = z.output<typeof orderStatus>

/** The merchant that a notification is for. Both locations of the merchantId are documented. */
export const merchantNamed = z.looseObject({
  merchantId: optionalText,
  additionalInfo: optionalObject({ merchantId: optionalText }),
})

export const orderNotification = z.looseObject({
  ...order,
  finishedTime: optionalText,
  additionalInfo: optionalObject({ paymentTime: optionalText, refundHistory }),
})
export type OrderNotification = z.output<typeof orderNotification>

export const vaNotification = z.looseObject({
  /** These fields and trxId are not parsed and keep their padding, because the acknowledgement repeats them. */
  partnerServiceId: raw,
  customerNo: raw,
  virtualAccountNo: raw,
  trxId: raw,
  paymentRequestId: optionalId,
  paidAmount: moneyIfAny,
  additionalInfo: optionalObject({ paymentFlagStatus: raw, paidTime: optionalText }),
})
export type VaNotification = z.output<typeof vaNotification>

/** The ids in a notification about a virtual account. trxId is empty in messages of BCA (developers.doku.com). */
export const vaNames = z.looseObject({
  trxId: nullableReference,
  virtualAccountNo: raw.transform(value => optionalId.parse(withoutSpaces(value))),
})
