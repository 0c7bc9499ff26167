// Schemas of SNAP's JSON. lenient-fields.ts defines which fields may have any type.

import { z } from 'zod'
import {
  amount,
  currency,
  group,
  idIfAny,
  isAbsent,
  list,
  raw,
  referenceOrNull,
  text,
  textOf,
  word,
  words,
} from '../lenient-fields.ts'

/**
 * An amount such as `{"value":"10000.00","currency":"IDR"}`. In DOKU's response to a QRIS query, `value` is a number.
 */
const money = z.looseObject({ value: amount, currency })
export type Money = z.output<typeof money>
export const moneyIfAny = z.preprocess(value => (isAbsent(value) ? undefined : value), money.optional())

/**
 * The common fields of a response. responseCode consists of the HTTP status (3 digits), the service (2) and the case
 * (2).
 */
export const answer = z.looseObject({
  responseCode: word.pipe(z.string().regex(/^\d{7}$/)),
  responseMessage: words,
})

/** The response to a token request. expiresIn is a string in the standard, but DOKU sends a number. */
export const tokenAnswer = z.looseObject({
  accessToken: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  expiresIn: z.coerce.number().positive().optional().catch(undefined),
})

/** Removes the spaces that pad a number on the left, because they are not part of the number. */
const withoutSpaces = (value: unknown) => textOf(value)?.replaceAll(' ', '')
const vaNumber = raw.transform(withoutSpaces)

export const vaCreated = z.looseObject({
  virtualAccountData: z.looseObject({
    virtualAccountNo: vaNumber.pipe(z.string().regex(/^\d{1,28}$/)),
    trxId: text,
    totalAmount: moneyIfAny,
  }),
})
export type VaCreated = z.output<typeof vaCreated>

export const vaStatus = z.looseObject({
  virtualAccountData: z.looseObject({
    virtualAccountNo: vaNumber,
    trxId: text,
    paymentRequestId: idIfAny,
    paidAmount: moneyIfAny,
    inquiryRequestId: text,
    totalAmount: moneyIfAny.optional().catch(undefined),
    paymentFlagStatus: raw,
    paymentFlagReason: group({ english: text }),
    transactionDate: text,
    trxDateTime: text,
  }),
  additionalInfo: group({ trxId: text, paymentFlagStatus: raw }),
})
export type VaStatus = z.output<typeof vaStatus>

export const qrCreated = z.looseObject({
  referenceNo: idIfAny,
  partnerReferenceNo: text,
  qrContent: z.string().min(1),
  qrUrl: text,
})
export type QrCreated = z.output<typeof qrCreated>

export const paymentCreated = z.looseObject({
  referenceNo: idIfAny,
  partnerReferenceNo: text,
  webRedirectUrl: z.string().min(1),
  appRedirectUrl: text,
})
export type PaymentCreated = z.output<typeof paymentCreated>

/**
 * The refunds of an order. In docs.midtrans.com payment-notification-api, the field table has partnerRefundNo, but the
 * sample on the same page has partnerReferenceNo.
 */
const refundHistory = list({
  refundNo: idIfAny,
  partnerRefundNo: idIfAny,
  partnerReferenceNo: idIfAny,
  refundAmount: group({ value: amount, currency: text }),
  refundStatus: text,
})
export type RefundEntry = z.output<typeof refundHistory>[number]

/**
 * The fields of a QRIS or wallet payment, in a query response and in a notification. The amount has one of two names.
 */
const order = {
  originalReferenceNo: idIfAny,
  originalPartnerReferenceNo: referenceOrNull,
  latestTransactionStatus: word,
  amount: moneyIfAny,
  transAmount: moneyIfAny,
  paidTime: text,
  /**
   * The refunds of the payment. They are here in a query response about a wallet payment; everywhere else they are in
   * additionalInfo.
   */
  refundHistory,
}
export const orderStatus = z.looseObject({ ...order, additionalInfo: group({ refundHistory }) })
export type OrderStatus = z.output<typeof orderStatus>

/** The merchant that a notification is for. Both locations of the merchantId are documented. */
export const merchantNamed = z.looseObject({ merchantId: text, additionalInfo: group({ merchantId: text }) })

export const orderNotification = z.looseObject({
  ...order,
  finishedTime: text,
  additionalInfo: group({ paymentTime: text, refundHistory }),
})
export type OrderNotification = z.output<typeof orderNotification>

export const vaNotification = z.looseObject({
  /** These fields and trxId are not parsed and keep their padding, because the acknowledgement repeats them. */
  partnerServiceId: raw,
  customerNo: raw,
  virtualAccountNo: raw,
  trxId: raw,
  paymentRequestId: idIfAny,
  paidAmount: moneyIfAny,
  additionalInfo: group({ paymentFlagStatus: raw, paidTime: text }),
})
export type VaNotification = z.output<typeof vaNotification>

/** The ids in a notification about a virtual account. trxId is empty in messages of BCA (developers.doku.com). */
export const vaNames = z.looseObject({
  trxId: referenceOrNull,
  virtualAccountNo: raw.transform(value => idIfAny.parse(withoutSpaces(value))),
})
