// Schemas for Midtrans' JSON messages. lenient-fields.ts describes how invalid fields are treated.

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

/** The response to a charge or a status inquiry. A notification has the same fields and a signature_key. */
export const transaction = z.looseObject({
  /** The status code. It is one of the fields that a notification's signature covers. */
  status_code: requiredWord,
  status_message: freeText,
  /**
   * The transaction's ID. The notification's signature does not cover this ID, so the schema checks its
   * format.
   */
  transaction_id: requiredId,
  /**
   * The order's reference, from this service or from another shop that uses the same account. It contains up
   * to 50 letters, digits, `-`, `_`, `~` and `.`.
   */
  order_id: requiredReference,
  gross_amount: anyAmount,
  currency: nullableCurrency,
  payment_type: optionalText,
  /** Midtrans documents lowercase statuses, but a real response had an uppercase status. */
  transaction_status: requiredWord.transform(status => status.toLowerCase()),
  /** The fraud check's result. It is absent for Indomaret payments. */
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
  /**
   * The links for the payer. Use each `actions[].url` unchanged and do not build the URL from a known host, because
   * Midtrans has changed the hosts.
   */
  actions: objectList({ name: optionalText, url: optionalText }),
  /**
   * The transaction's refunds (docs.midtrans.com get-transaction-status). Each refund_amount is the amount of that
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

/** An error response. Its HTTP status is often 200, so only the code in the body shows the error. */
export const failure = z.looseObject({
  status_code: requiredWord,
  status_message: freeText,
  validation_messages: z.array(z.string()).optional().catch(undefined),
})

/**
 * The response to a refund request (docs.midtrans.com refund-transaction). Some channels omit fields, so the schema
 * requires only the status code.
 */
export const refundAnswer = z.looseObject({
  status_code: requiredWord,
  status_message: freeText,
  order_id: optionalId,
  transaction_id: optionalId,
  refund_key: optionalId,
  refund_amount: anyAmount,
  refund_chargeback_id: optionalId,
  refund_chargeback_uuid: optionalId,
  bank_confirmed_at: optionalText,
})
export type RefundAnswer = z.output<typeof refundAnswer>

/** The request body of POST /v2/{order_id}/refund. amount is in whole rupiah. */
export type RefundRequest = { refund_key: string; amount: number; reason?: string }

/** The request body of POST /v2/charge. gross_amount and prices are in whole rupiah. */
export type ChargeRequest = {
  payment_type: string
  transaction_details: { order_id: string; gross_amount: number }
  customer_details?: { first_name?: string; email?: string; phone?: string }
  item_details?: { id?: string; name: string; price: number; quantity: number }[]
  custom_expiry?: { order_time: string; expiry_duration: number; unit: 'minute' }
  bank_transfer?: { bank: string }
  echannel?: { bill_info1: string; bill_info2: string }
  qris?: { acquirer: string }
  gopay?: { enable_callback: boolean; callback_url: string }
  shopeepay?: { callback_url: string }
  ovo?: { payer_phone_number: string }
  cstore?: { store: string; message: string }
}
