// Tripay's JSON. What names the order and its money is read strictly; whatever else is of an unexpected shape counts
// as left out.

import { z } from 'zod'

/** What they leave out they may also send as null. */
const maybe = <T extends z.ZodType>(type: T) =>
  type
    .nullish()
    .catch(undefined)
    .transform(value => value ?? undefined)

/** Empty where it is no text: it was not left out, and says nothing. */
const currency = z
  .string()
  .nullish()
  .catch('')
  .transform(value => value ?? undefined)

/** Visible ASCII, so that whatever is passed on can be kept. */
const reference = z.string().regex(/^[\x21-\x7e]{1,100}$/)
const merchantRef = z.string().regex(/^[\x20-\x7e]{1,255}$/)

/** Whole rupiah; money is read from it in translate.ts. */
const amount = z.unknown().optional()

/** paid_at is a number in callbacks and text in the sample of transaction/detail, pay_code a number in lists. */
const numberOrText = z.union([z.int(), z.string()]).transform(String)

/** The data of transaction/create and of transaction/detail. */
export const transaction = z.looseObject({
  reference,
  merchant_ref: merchantRef,
  amount,
  fee_customer: amount,
  status: z.string(),
  pay_code: maybe(numberOrText),
  pay_url: maybe(z.string()),
  checkout_url: maybe(z.string()),
  qr_string: maybe(z.string()),
  qr_url: maybe(z.string()),
  paid_at: maybe(numberOrText),
})
export type Transaction = z.output<typeof transaction>

export const success = z.looseObject({ success: z.literal(true), data: z.unknown() })

/** merchant/transactions: as the above, without what a QR code needs. */
export const transactionList = z.array(
  z.looseObject({
    reference,
    merchant_ref: maybe(merchantRef),
    status: maybe(z.string()),
    created_at: maybe(numberOrText),
  }),
)
export type ListedTransaction = z.output<typeof transactionList>[number]

/** Tripay's refusals say `success: false`; those of the framework below it (401, 429, 503) only `message`. */
export const failure = z.looseObject({ success: z.literal(false).optional(), message: z.string() })

/** merchant_ref is null for payments that nobody asked for, such as those of an open payment code. */
export const callback = z.looseObject({
  reference,
  merchant_ref: merchantRef,
  total_amount: amount,
  fee_customer: amount,
  is_closed_payment: z.unknown().optional(),
  /** Not documented: Tripay knows rupiah alone. */
  currency,
  status: z.string(),
  paid_at: maybe(numberOrText),
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
