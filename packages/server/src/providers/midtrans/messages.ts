// Midtrans' JSON, read leniently where fields may be missing or added, strictly where money depends on it.

import { z } from 'zod'

/** What they leave out they may also send as null. */
const maybe = <T extends z.ZodType>(type: T) => type.nullish().transform(value => value ?? undefined)

/** `actions[].url` is opaque: older answers name hosts that no longer serve the API. */
const action = z.looseObject({ name: z.string(), url: z.string() })

/** The answer of a charge and of GET status, and with a signature_key a notification. */
export const transaction = z.looseObject({
  status_code: z.string(),
  status_message: maybe(z.string()),
  /** Not signed: only what they would send. */
  transaction_id: z.string().regex(/^[\x21-\x7e]{1,100}$/),
  /** Of ours, or of another shop with the same account: letters, digits, `-`, `_`, `~` and `.`, at most 50. */
  order_id: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  gross_amount: z.string(),
  currency: maybe(z.string()),
  payment_type: z.string(),
  /** Documented in lower case, seen in capitals in an answer of GET status. */
  transaction_status: z.string().transform(status => status.toLowerCase()),
  fraud_status: maybe(z.string()),
  transaction_time: maybe(z.string()),
  settlement_time: maybe(z.string()),
  va_numbers: maybe(z.array(z.looseObject({ bank: z.string(), va_number: z.string() }))),
  permata_va_number: maybe(z.string()),
  biller_code: maybe(z.string()),
  bill_key: maybe(z.string()),
  payment_code: maybe(z.string()),
  store: maybe(z.string()),
  qr_string: maybe(z.string()),
  redirect_url: maybe(z.string()),
  actions: maybe(z.array(action)),
})
export type Transaction = z.output<typeof transaction>

/** Three digits and no other: the signature joins fields without a separator, so lengths must be fixed. */
export const notification = transaction.extend({
  status_code: z.string().regex(/^\d{3}$/),
  signature_key: z.string(),
})
export type Notification = z.output<typeof notification>

/** An error has no transaction; the HTTP status is often 200, the code is in the body. */
export const failure = z.looseObject({
  status_code: z.string(),
  status_message: maybe(z.string()),
  validation_messages: maybe(z.array(z.string())),
})

/** Body of POST /v2/charge; gross_amount and prices are whole rupiah. */
export type ChargeRequest = {
  payment_type: string
  transaction_details: { order_id: string; gross_amount: number }
  customer_details?: { first_name?: string; email?: string; phone?: string }
  item_details?: { id: string; name: string; price: number; quantity: number }[]
  custom_expiry?: { order_time: string; expiry_duration: number; unit: 'minute' }
  bank_transfer?: { bank: string }
  echannel?: { bill_info1: string; bill_info2: string }
  qris?: { acquirer: string }
  gopay?: { enable_callback: boolean }
  shopeepay?: Record<string, never>
  ovo?: { payer_phone_number: string }
  cstore?: { store: string; message: string }
}
