// Schemas of SNAP's JSON. lenient.ts defines which fields may have any type.

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
} from '../lenient.ts'

/** `{"value":"10000.00","currency":"IDR"}`. In DOKU's response to a QRIS query, value is a number. */
const money = z.looseObject({ value: amount, currency })
export type Money = z.output<typeof money>
export const moneyIfAny = z.preprocess(value => (isAbsent(value) ? undefined : value), money.optional())

/** responseCode: HTTP status (3 digits), service (2), case (2). */
export const answer = z.looseObject({
  responseCode: word.pipe(z.string().regex(/^\d{7}$/)),
  responseMessage: words,
})

/** expiresIn: a string in the standard, a number from DOKU. */
export const tokenAnswer = z.looseObject({
  accessToken: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  expiresIn: z.coerce.number().positive().optional().catch(undefined),
})

/** Removes the padding on the left, which is not part of the number. */
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
 * docs.midtrans.com payment-notification-api: the field table has partnerRefundNo, the sample on the same page
 * partnerReferenceNo.
 */
const refundHistory = list({
  refundNo: idIfAny,
  partnerRefundNo: idIfAny,
  partnerReferenceNo: idIfAny,
  refundAmount: group({ value: amount, currency: text }),
  refundStatus: text,
})
export type RefundEntry = z.output<typeof refundHistory>[number]

/** A QRIS or wallet payment, in a query response and in a notification. The amount has one of two names. */
const order = {
  originalReferenceNo: idIfAny,
  originalPartnerReferenceNo: referenceOrNull,
  latestTransactionStatus: word,
  amount: moneyIfAny,
  transAmount: moneyIfAny,
  paidTime: text,
  /** Set for a wallet payment in a query response; everywhere else it is in additionalInfo. */
  refundHistory,
}
export const orderStatus = z.looseObject({ ...order, additionalInfo: group({ refundHistory }) })
export type OrderStatus = z.output<typeof orderStatus>

/** The merchant that a notification is for; both locations are documented. */
export const merchantNamed = z.looseObject({ merchantId: text, additionalInfo: group({ merchantId: text }) })

export const orderNotification = z.looseObject({
  ...order,
  finishedTime: text,
  additionalInfo: group({ paymentTime: text, refundHistory }),
})
export type OrderNotification = z.output<typeof orderNotification>

export const vaNotification = z.looseObject({
  /** These fields and trxId are kept unparsed, padding included, because the acknowledgement repeats them. */
  partnerServiceId: raw,
  customerNo: raw,
  virtualAccountNo: raw,
  trxId: raw,
  paymentRequestId: idIfAny,
  paidAmount: moneyIfAny,
  additionalInfo: group({ paymentFlagStatus: raw, paidTime: text }),
})
export type VaNotification = z.output<typeof vaNotification>

/** The ids in a virtual account's notification. trxId is empty in messages of BCA (developers.doku.com). */
export const vaNames = z.looseObject({
  trxId: referenceOrNull,
  virtualAccountNo: raw.transform(value => idIfAny.parse(withoutSpaces(value))),
})
