// SNAP's JSON, read leniently where acquirers differ, strictly where money depends on it.

import { z } from 'zod'
import { text } from '../lenient.ts'

/** What they leave out they may also send as null or empty. */
const maybe = <T extends z.ZodType>(type: T) =>
  z.preprocess(value => (value === null || value === '' ? undefined : value), type.optional())

/** Kept and passed on, so it must be text that a database can hold. */
const id = z.string().regex(/^[\x21-\x7e]{1,128}$/)

/** `{"value":"10000.00","currency":"IDR"}`; DOKU's query of a QRIS payment writes the value as a number. */
export const money = z.looseObject({
  value: z.union([z.string(), z.number()]).transform(String),
  currency: z.string(),
})
export type Money = { value: string; currency: string }

/** responseCode: HTTP status (3), service (2), case (2). */
export const answer = z.looseObject({
  responseCode: z
    .union([z.string(), z.int()])
    .transform(String)
    .pipe(z.string().regex(/^\d{7}$/)),
  responseMessage: maybe(z.string()),
})

/** expiresIn: a string in the standard, a number at DOKU. */
export const tokenAnswer = z.looseObject({
  accessToken: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  expiresIn: maybe(z.coerce.number().positive()),
})

/** Left-padded with spaces, which are not part of the number. */
const vaNumber = z.string().transform(number => number.replaceAll(' ', ''))

const vaFields = {
  partnerServiceId: maybe(z.string()),
  customerNo: maybe(z.union([z.string(), z.number()]).transform(String)),
  virtualAccountNo: maybe(vaNumber),
  trxId: maybe(id),
  paymentRequestId: maybe(id),
  paidAmount: maybe(money),
}

export const vaCreated = z.looseObject({
  virtualAccountData: z.looseObject({
    virtualAccountNo: vaNumber.pipe(z.string().regex(/^\d{1,28}$/)),
    trxId: maybe(id),
    totalAmount: maybe(money),
  }),
})
export type VaCreated = z.output<typeof vaCreated>

export const vaStatus = z.looseObject({
  virtualAccountData: z.looseObject({
    ...vaFields,
    inquiryRequestId: maybe(z.string()),
    totalAmount: maybe(money),
    paymentFlagStatus: maybe(z.string()),
    paymentFlagReason: maybe(z.looseObject({ english: maybe(z.string()) })).transform(
      reason => reason?.english,
    ),
    transactionDate: maybe(z.string()),
    trxDateTime: maybe(z.string()),
  }),
  additionalInfo: maybe(z.looseObject({ trxId: maybe(id), paymentFlagStatus: maybe(z.string()) })),
})
export type VaStatus = z.output<typeof vaStatus>

export const qrCreated = z.looseObject({
  referenceNo: maybe(id),
  partnerReferenceNo: maybe(id),
  qrContent: z.string().min(1),
  qrUrl: maybe(z.string()),
})
export type QrCreated = z.output<typeof qrCreated>

export const paymentCreated = z.looseObject({
  referenceNo: maybe(id),
  partnerReferenceNo: maybe(id),
  webRedirectUrl: z.string().min(1),
  appRedirectUrl: maybe(z.string()),
})
export type PaymentCreated = z.output<typeof paymentCreated>

/** Of a QRIS or wallet payment, in the answer to a query and in a notification; the amount has two names. */
const order = {
  originalReferenceNo: maybe(id),
  originalPartnerReferenceNo: maybe(id),
  originalExternalId: maybe(z.string()),
  latestTransactionStatus: z.string(),
  amount: maybe(money),
  transAmount: maybe(money),
  paidTime: maybe(z.string()),
}
export const orderStatus = z.looseObject(order)
export type OrderStatus = z.output<typeof orderStatus>

/** The merchant that a notification is for; both places are documented. */
export const merchantNamed = z.looseObject({
  merchantId: text,
  additionalInfo: z.looseObject({ merchantId: text }).optional().catch(undefined),
})

export const orderNotification = z.looseObject({
  ...order,
  originalPartnerReferenceNo: id,
  merchantId: maybe(z.string()),
  finishedTime: maybe(z.string()),
  additionalInfo: maybe(z.looseObject({ paymentTime: maybe(z.string()), merchantId: maybe(z.string()) })),
})
export type OrderNotification = z.output<typeof orderNotification>

export const vaNotification = z.looseObject({
  ...vaFields,
  /** As it came, padding included: the acknowledgement repeats it. */
  virtualAccountNo: maybe(z.string()),
  trxId: id,
  merchantId: maybe(z.string()),
  additionalInfo: maybe(
    z.looseObject({
      paymentFlagStatus: maybe(z.string()),
      merchantId: maybe(z.string()),
      paidTime: maybe(z.string()),
    }),
  ),
})
export type VaNotification = z.output<typeof vaNotification>
