// Schemas for Tripay's JSON messages. lenient-fields.ts describes how invalid fields are treated.

import { z } from 'zod'
import {
  anyAmount,
  nullableCurrency,
  nullableReference,
  optionalId,
  optionalText,
  requiredId,
  requiredReference,
  requiredWord,
} from '../lenient-fields.ts'

/** The `data` object in the responses of transaction/create and transaction/detail. */
export const transaction = z.looseObject({
  reference: requiredId,
  merchant_ref: requiredReference,
  amount: anyAmount,
  fee_customer: anyAmount,
  status: requiredWord,
  /** The payment code or account number. It is a JSON number in responses to requests that list transactions. */
  pay_code: optionalText,
  pay_url: optionalText,
  checkout_url: optionalText,
  qr_string: optionalText,
  qr_url: optionalText,
  /** The payment time: a number in callbacks, and text in Tripay's transaction/detail sample. */
  paid_at: optionalText,
})
export type Transaction = z.output<typeof transaction>

export const success = z.looseObject({ success: z.literal(true), data: z.unknown() })

/**
 * The data in the merchant/transactions response. Unlike transactions in other responses, these transactions have no QR
 * code fields.
 */
export const transactionList = z.array(
  z.looseObject({
    reference: optionalId,
    merchant_ref: optionalText,
    status: optionalText,
    created_at: optionalText,
  }),
)
export type ListedTransaction = z.output<typeof transactionList>[number]

/**
 * An error response. Tripay's own errors have `success: false`. The errors of its web framework (401, 429, 503), and
 * of gateways, contain only `message`.
 */
export const failure = z.looseObject({ success: z.literal(false).optional(), message: z.string() })

export const callback = z.looseObject({
  reference: requiredId,
  /**
   * Our reference. It is null if this service did not create the payment, for example a payment to an open
   * payment code.
   */
  merchant_ref: nullableReference,
  total_amount: anyAmount,
  fee_merchant: anyAmount,
  fee_customer: anyAmount,
  total_fee: anyAmount,
  is_closed_payment: z.unknown().optional(),
  /** The currency. Tripay does not document this field and supports only rupiah. */
  currency: nullableCurrency,
  status: requiredWord,
  paid_at: optionalText,
})
export type Callback = z.output<typeof callback>

/**
 * The request body of POST transaction/create, as JSON. Amounts are in whole rupiah, and expired_time is in seconds
 * since 1970.
 */
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
