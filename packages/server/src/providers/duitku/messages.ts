// Schemas for Duitku's JSON messages. lenient-fields.ts describes how invalid fields are treated.

import { z } from 'zod'
import { anyAmount, optionalText, requiredId, requiredReference, requiredWord } from '../lenient-fields.ts'

/**
 * Duitku's response to a request that creates an order. It does not repeat the order id from Gapura's
 * request.
 */
export const created = z.looseObject({
  merchantCode: optionalText,
  reference: requiredId,
  amount: anyAmount,
  statusCode: requiredWord,
  statusMessage: optionalText,
  paymentUrl: optionalText,
  vaNumber: optionalText,
  qrString: optionalText,
  /** Duitku's sample spells this field `AppUrl`, and its parameter table spells it `appUrl`. */
  AppUrl: optionalText,
  appUrl: optionalText,
})
export type Created = z.output<typeof created>

/** Duitku's response to a transactionStatus request (a status inquiry). */
export const transaction = z.looseObject({
  merchantOrderId: requiredReference,
  reference: requiredId,
  amount: anyAmount,
  statusCode: requiredWord,
})
export type Transaction = z.output<typeof transaction>

/**
 * An error response: `{"Message": …}`, or only the text as a JSON string, such as `"Transaction not found"`. The schema
 * converts both formats to the text.
 */
export const failure = z.union([
  z.looseObject({ Message: z.string() }).transform(({ Message }) => Message),
  z.string(),
])

/** The part of a status response with Duitku's error text, for a response that contains no transaction. */
export const statusText = z.looseObject({ statusMessage: optionalText })

/** The request body of POST v2/inquiry. paymentAmount is in whole rupiah, and expiryPeriod is in minutes. */
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
