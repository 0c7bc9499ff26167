// Duitku's JSON. Fields that identify the order and its money are read strictly; any other field of an unexpected
// shape counts as absent.

import { z } from 'zod'
import { text } from '../lenient.ts'

/** Visible ASCII, so that the database can store it. */
const reference = z.string().regex(/^[\x21-\x7e]{1,255}$/)

/** Whole rupiah, as a text or a number; translate.ts reads it. */
const amount = z.unknown().optional()
const statusCode = z.string().trim()

/** The answer to a create request. It does not name the order. */
export const created = z.looseObject({
  merchantCode: text,
  reference,
  amount,
  statusCode,
  statusMessage: text,
  paymentUrl: text,
  vaNumber: text,
  qrString: text,
  /** So in the sample; the table of parameters has `appUrl`. */
  AppUrl: text,
  appUrl: text,
})
export type Created = z.output<typeof created>

/** The answer to transactionStatus. */
export const transaction = z.looseObject({
  merchantOrderId: reference,
  reference,
  amount,
  statusCode,
})
export type Transaction = z.output<typeof transaction>

export const failure = z.looseObject({ Message: z.string() })

/** Body of POST v2/inquiry. paymentAmount: whole rupiah. expiryPeriod: minutes. */
export type CreateRequest = {
  merchantCode: string
  paymentAmount: number
  paymentMethod: string
  merchantOrderId: string
  productDetails: string
  email: string
  customerVaName: string
  phoneNumber?: string
  callbackUrl: string
  returnUrl: string
  expiryPeriod: number
  signature: string
}
