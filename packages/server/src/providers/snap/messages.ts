// Schemas for SNAP's JSON messages. Their field types come from lenient-fields.ts, which defines how invalid
// fields are treated.

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
 * The fields common to all responses. responseCode has seven digits: the HTTP status (3), the service code (2) and
 * the case code (2).
 */
export const answer = z.looseObject({
  responseCode: requiredWord.pipe(z.string().regex(/^\d{7}$/)),
  responseMessage: freeText,
})

/** The response to a token request. In the standard, expiresIn is a string, but DOKU sends a number. */
export const tokenAnswer = z.looseObject({
  accessToken: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  expiresIn: z.coerce.number().positive().optional().catch(undefined),
})

/**
 * Removes the spaces that acquirers use to pad a virtual account number, so that the number can be compared with the
 * requested number.
 */
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
 * An order's refunds. The merchant's reference can be in either of two fields, because docs.midtrans.com
 * payment-notification-api names it partnerRefundNo in the field table and partnerReferenceNo in the sample.
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
 * The response to a refund request. The refund's id is in refundNo for e-wallets and in referenceNo for QRIS
 * (docs.midtrans.com refund-api). The responseCode may have eight digits, as in one sample on that page. DOKU sends the
 * amount as a JSON number and, for ShopeePay, a status instead of an id.
 */
export const refundAnswer = z.looseObject({
  responseCode: requiredWord.pipe(z.string().regex(/^\d{7,8}$/)),
  refundNo: optionalId,
  referenceNo: optionalId,
  partnerRefundNo: optionalId,
  refundAmount: raw.transform(value => (isAbsent(value) ? undefined : (money.safeParse(value).data ?? null))),
  additionalInfo: optionalObject({ latestTransactionStatus: optionalText }),
})

/** The response to DOKU's status inquiry about a QRIS payment. A refund request must repeat its approvalCode. */
export const qrApproval = z.looseObject({ additionalInfo: z.looseObject({ approvalCode: requiredWord }) })

/**
 * The fields of a QRIS or e-wallet payment in a status response or a notification. The amount is in `amount` or
 * `transAmount`, depending on the message.
 */
const order = {
  originalReferenceNo: optionalId,
  originalPartnerReferenceNo: nullableReference,
  latestTransactionStatus: requiredWord,
  amount: moneyIfAny,
  transAmount: moneyIfAny,
  paidTime: optionalText,
  /**
   * The list of refunds in a status response about an e-wallet payment. In all other messages, this list is
   * in the field additionalInfo.
   */
  refundHistory,
}
export const orderStatus = z.looseObject({ ...order, additionalInfo: optionalObject({ refundHistory }) })
export type OrderStatus = z.output<typeof orderStatus>

/** The merchant a notification is for. Midtrans documents two places for merchantId, so both are read. */
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

/**
 * A notification about a virtual account, without the IDs that vaNames reads and the acknowledgement repeats. The
 * payment time is in paidTime according to docs.midtrans.com (payment-notification-api), but in paymentTime according
 * to Midtrans' repository midtrans-agent-skills.
 */
export const vaNotification = z.looseObject({
  paidAmount: moneyIfAny,
  additionalInfo: optionalObject({
    paymentFlagStatus: raw,
    paidTime: optionalText,
    paymentTime: optionalText,
  }),
})
export type VaNotification = z.output<typeof vaNotification>

/** The ids in a virtual account notification. In BCA's notifications, trxId is empty (developers.doku.com). */
export const vaNames = z.looseObject({
  trxId: nullableReference,
  paymentRequestId: optionalId,
  virtualAccountNo: raw.transform(value => optionalId.parse(withoutSpaces(value))),
})
