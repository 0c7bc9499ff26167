// Midtrans' JSON, read leniently where fields may be missing or added, strictly where money depends on it.

import { z } from 'zod'

/** `actions[].url` is opaque: older answers name hosts that no longer serve the API. */
const action = z.looseObject({ name: z.string(), url: z.string() })

/** The answer of a charge and of GET status, and with a signature_key a notification. */
export const transaction = z.looseObject({
  status_code: z.string(),
  status_message: z.string().optional(),
  /** Not signed: only what they would send. */
  transaction_id: z.string().regex(/^[\x21-\x7e]{1,100}$/),
  order_id: z.string(),
  gross_amount: z.string(),
  currency: z.string().optional(),
  payment_type: z.string(),
  /** Documented in lower case, seen in capitals in an answer of GET status. */
  transaction_status: z.string().transform(status => status.toLowerCase()),
  fraud_status: z.string().optional(),
  transaction_time: z.string().optional(),
  settlement_time: z.string().optional(),
  va_numbers: z.array(z.looseObject({ bank: z.string(), va_number: z.string() })).optional(),
  permata_va_number: z.string().optional(),
  biller_code: z.string().optional(),
  bill_key: z.string().optional(),
  payment_code: z.string().optional(),
  store: z.string().optional(),
  qr_string: z.string().optional(),
  redirect_url: z.string().optional(),
  actions: z.array(action).optional(),
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
  status_message: z.string().optional(),
  validation_messages: z.array(z.string()).optional(),
})

/** Body of POST /v2/charge; gross_amount and prices are whole rupiah. */
export type ChargeRequest = {
  payment_type: string
  transaction_details: { order_id: string; gross_amount: number }
  customer_details?: { first_name?: string; email?: string; phone?: string }
  item_details?: { id: string; name: string; price: number; quantity: number }[]
  custom_expiry: { order_time: string; expiry_duration: number; unit: 'minute' }
  bank_transfer?: { bank: string }
  echannel?: { bill_info1: string; bill_info2: string }
  qris?: { acquirer: string }
  gopay?: { enable_callback: boolean }
  shopeepay?: Record<string, never>
  cstore?: { store: string; message: string }
}
