// Schemas of Midtrans' JSON. lenient-fields.ts defines which fields may have any type.

import { z } from 'zod'
import {
  anyAmount,
  freeText,
  nullableCurrency,
  nullableWord,
  objectList,
  optionalId,
  optionalText,
  requiredId,
  requiredReference,
  requiredWord,
} from '../lenient-fields.ts'

/** The response to a charge and to GET status. With a signature_key, the same format is a notification. */
export const transaction = z.looseObject({
  /** The signature of a notification covers this status code. */
  status_code: requiredWord,
  status_message: freeText,
  /** The transaction's id. The signature does not cover it, so it must match the format of an id. */
  transaction_id: requiredId,
  /**
   * Our reference, or the reference of another shop that uses the same account: up to 50 letters, digits, `-`, `_`, `~`
   * and `.`.
   */
  order_id: requiredReference,
  gross_amount: anyAmount,
  currency: nullableCurrency,
  payment_type: optionalText,
  /** Midtrans documents the status in lower case, but a GET status response had it in upper case. */
  transaction_status: requiredWord.transform(status => status.toLowerCase()),
  /** The result of the fraud check. It is absent for Indomaret. */
  fraud_status: nullableWord,
  transaction_time: optionalText,
  settlement_time: optionalText,
  va_numbers: objectList({ va_number: optionalText }),
  permata_va_number: optionalText,
  biller_code: optionalText,
  bill_key: optionalText,
  payment_code: optionalText,
  store: optionalText,
  qr_string: optionalText,
  redirect_url: optionalText,
  /** The links to pay with. `actions[].url` is opaque: older responses name hosts that no longer serve the API. */
  actions: objectList({ name: optionalText, url: optionalText }),
  /**
   * The refunds of the transaction (docs.midtrans.com get-transaction-status). Each refund_amount is the amount of that
   * refund alone.
   */
  refunds: objectList({
    refund_chargeback_id: optionalId,
    refund_chargeback_uuid: optionalId,
    refund_key: optionalId,
    refund_amount: anyAmount,
    bank_confirmed_at: optionalText,
  }),
})
export type Transaction = z.output<typeof transaction>

/** An error response. It contains no transaction; the HTTP status is often 200 and the code is in the body. */
export const failure = z.looseObject({
  status_code: requiredWord,
  status_message: freeText,
  validation_messages: z.array(z.string()).optional().catch(undefined),
})

/** The request body of POST /v2/charge. gross_amount and prices are in whole rupiah. */
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
