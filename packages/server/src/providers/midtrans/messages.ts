// Midtrans' JSON. Which fields may be of any shape: lenient.ts.

import { z } from 'zod'
import { amount, currency, id, idIfAny, list, reference, text, word, wordOrNull, words } from '../lenient.ts'

/** The answer of a charge and of GET status, and with a signature_key a notification. */
export const transaction = z.looseObject({
  /** Signed in a notification. */
  status_code: word,
  status_message: words,
  /** Not signed: only what they would send. */
  transaction_id: id,
  /** Of ours, or of another shop with the same account: letters, digits, `-`, `_`, `~` and `.`, at most 50. */
  order_id: reference,
  gross_amount: amount,
  currency,
  payment_type: text,
  /** Documented in lower case, seen in capitals in an answer of GET status. */
  transaction_status: word.transform(status => status.toLowerCase()),
  /** Indomaret sends none. */
  fraud_status: wordOrNull,
  transaction_time: text,
  settlement_time: text,
  va_numbers: list({ va_number: text }),
  permata_va_number: text,
  biller_code: text,
  bill_key: text,
  payment_code: text,
  store: text,
  qr_string: text,
  redirect_url: text,
  /** `actions[].url` is opaque: older answers name hosts that no longer serve the API. */
  actions: list({ name: text, url: text }),
  /** docs.midtrans.com get-transaction-status; refund_amount is of the single refund here. */
  refunds: list({
    refund_chargeback_id: idIfAny,
    refund_chargeback_uuid: idIfAny,
    refund_key: idIfAny,
    refund_amount: amount,
    bank_confirmed_at: text,
  }),
})
export type Transaction = z.output<typeof transaction>

/** An error has no transaction; the HTTP status is often 200, the code is in the body. */
export const failure = z.looseObject({
  status_code: word,
  status_message: words,
  validation_messages: z.array(z.string()).optional().catch(undefined),
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
  gopay?: { enable_callback: boolean; callback_url: string }
  shopeepay?: { callback_url: string }
  ovo?: { payer_phone_number: string }
  cstore?: { store: string; message: string }
}
