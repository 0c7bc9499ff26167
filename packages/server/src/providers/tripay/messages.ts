// Tripay's JSON. Which fields may be of any shape: lenient.ts.

import { z } from 'zod'
import { amount, currency, id, idIfAny, reference, referenceOrNull, text, word } from '../lenient.ts'

/** The data of transaction/create and of transaction/detail. */
export const transaction = z.looseObject({
  reference: id,
  merchant_ref: reference,
  amount,
  fee_customer: amount,
  status: word,
  /** A number in lists. */
  pay_code: text,
  pay_url: text,
  checkout_url: text,
  qr_string: text,
  qr_url: text,
  /** A number in callbacks, text in the sample of transaction/detail. */
  paid_at: text,
})
export type Transaction = z.output<typeof transaction>

export const success = z.looseObject({ success: z.literal(true), data: z.unknown() })

/** merchant/transactions: as the above, without what a QR code needs. */
export const transactionList = z.array(
  z.looseObject({ reference: idIfAny, merchant_ref: text, status: text, created_at: text }),
)
export type ListedTransaction = z.output<typeof transactionList>[number]

/** Tripay's refusals say `success: false`; those of the framework below it (401, 429, 503) only `message`. */
export const failure = z.looseObject({ success: z.literal(false).optional(), message: z.string() })

export const callback = z.looseObject({
  reference: id,
  /** Null for payments without an order of ours, such as those of an open payment code. */
  merchant_ref: referenceOrNull,
  total_amount: amount,
  fee_merchant: amount,
  fee_customer: amount,
  total_fee: amount,
  is_closed_payment: z.unknown().optional(),
  /** Not documented: Tripay knows rupiah alone. */
  currency,
  status: word,
  paid_at: text,
})
export type Callback = z.output<typeof callback>

/** Body of POST transaction/create, as JSON; amounts are whole rupiah, expired_time is in seconds. */
export type CreateRequest = {
  method: string
  merchant_ref: string
  amount: number
  customer_name: string
  customer_email: string
  customer_phone?: string
  order_items: { sku?: string; name: string; price: number; quantity: number }[]
  callback_url: string
  return_url: string
  expired_time: number
  signature: string
}
