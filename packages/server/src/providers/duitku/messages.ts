// Schemas of Duitku's JSON. lenient-fields.ts defines which fields may have any type.

import { z } from 'zod'
import { anyAmount, optionalText, requiredId, requiredReference, requiredWord } from '../lenient-fields.ts'

/** The response to a create request. It does not name the order. */
export const created = z.looseObject({
  merchantCode: optionalText,
  reference: requiredId,
  amount: anyAmount,
  statusCode: requiredWord,
  statusMessage: optionalText,
  paymentUrl: optionalText,
  vaNumber: optionalText,
  qrString: optionalText,
  /** The field is spelled as in Duitku's sample; the table of parameters has `appUrl`. */
  AppUrl: optionalText,
  appUrl: optionalText,
})
export type Created = z.output<typeof created>

/** The response to a transactionStatus request. */
export const transaction = z.looseObject({
  merchantOrderId: requiredReference,
  reference: requiredId,
  amount: anyAmount,
  statusCode: requiredWord,
})
export type Transaction = z.output<typeof transaction>

export const failure = z.looseObject({ Message: z.string() })

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
