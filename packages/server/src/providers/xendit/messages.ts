// Schemas of Xendit's JSON. lenient-fields.ts defines which fields may have any type.

import { z } from 'zod'
import {
  amount,
  currency,
  group,
  id,
  idIfAny,
  idOrNull,
  list,
  raw,
  referenceOrNull,
  text,
  word,
  words,
} from '../lenient-fields.ts'

/** The response to a create request and to GET /v3/payment_requests/{id} (docs.xendit.co create-payment-request). */
export const paymentRequest = z.looseObject({
  payment_request_id: id,
  reference_id: referenceOrNull,
  status: word,
  currency,
  request_amount: amount,
  failure_code: text,
  latest_payment_id: idOrNull,
  actions: list({ descriptor: text, value: text }),
})
export type PaymentRequest = z.output<typeof paymentRequest>

/** A payment (docs.xendit.co get-payment). The data of the v3 webhooks payment.* has the same format. */
export const payment = z.looseObject({
  payment_id: id,
  payment_request_id: id,
  reference_id: referenceOrNull,
  status: word,
  currency,
  request_amount: amount,
  captures: raw,
  channel_code: text,
  failure_code: text,
  payment_details: raw,
  updated: text,
})
export type Payment = z.output<typeof payment>

/** A payment's captures, if it has any. */
export const captured = z.looseObject({
  captures: z.array(z.looseObject({ capture_amount: amount, capture_timestamp: text })),
})

/** The list of payment requests of the API before v3 (xendit-node PaymentRequestListResponse). */
export const requestList = z.looseObject({ data: list({ id: idIfAny, reference_id: text }) })

/** A page of the account's transactions (docs.xendit.co list-transactions). */
export const transactionList = z.looseObject({
  has_more: z.boolean(),
  // An entry that is not an object may be about any order, so it makes the whole list invalid.
  data: z.array(
    z.looseObject({
      id: idIfAny,
      status: text,
      reference_id: text,
      product_data: group({ payment_request_id: idIfAny }),
    }),
  ),
})
export type TransactionList = z.output<typeof transactionList>

export const failure = z.looseObject({ error_code: z.string(), message: words })

/** The data of the v2 webhooks payment.* (xendit-node PaymentCallback). */
export const olderPayment = z.looseObject({
  id,
  payment_request_id: idOrNull,
  reference_id: referenceOrNull,
  status: word,
  currency,
  amount,
  failure_code: text,
  updated: text,
})

/** The data of the webhooks ewallet.capture and ewallet.void. Each charge is one payment. */
export const walletCharge = z.looseObject({
  id,
  reference_id: referenceOrNull,
  status: word,
  currency,
  charge_amount: amount,
  capture_amount: amount,
  failure_code: text,
  updated: text,
})

/** The data of the webhook qr.payment for api_version 2022-07-31. */
export const qrPayment = z.looseObject({
  id,
  qr_id: id,
  reference_id: referenceOrNull,
  status: word,
  currency,
  amount,
  created: text,
})

/** The webhook qr.payment before api_version 2022-07-31, which has no envelope. */
export const olderQrPayment = z.looseObject({
  id,
  qr_code: z.looseObject({ id, external_id: referenceOrNull }),
  status: word,
  currency,
  amount,
  created: text,
})

/**
 * The webhook of a paid fixed virtual account. It has no envelope and no status, because it is sent only for
 * payments.
 */
export const accountPayment = z.looseObject({
  callback_virtual_account_id: id,
  payment_id: id,
  external_id: referenceOrNull,
  currency,
  amount,
  transaction_timestamp: text,
})

/** The webhook of a payment in a store by a fixed payment code. It has no envelope. */
export const storePayment = z.looseObject({
  fixed_payment_code_id: id,
  payment_id: id,
  external_id: referenceOrNull,
  status: word,
  currency,
  amount,
  transaction_timestamp: text,
})

/** The webhook of a fixed virtual account that was created or changed. It has no envelope and reports no payment. */
export const accountCreated = z.looseObject({
  id,
  account_number: z.string(),
  is_closed: z.boolean(),
  status: z.enum(['PENDING', 'ACTIVE', 'INACTIVE']),
  payment_id: z.undefined().optional(),
})

/**
 * A refund (docs.xendit.co refund-webhook-notification). Its reference_id is the reference of the refund and not of the
 * order.
 */
export const refund = z.looseObject({
  id,
  payment_request_id: idIfAny,
  payment_id: idIfAny,
  invoice_id: idIfAny,
  currency: text,
  amount,
  status: text,
})

/** A dispute (docs.xendit.co dispute-webhook-notifications). Its reference_id is the reference of the order. */
export const dispute = z.looseObject({
  id,
  payment_id: idIfAny,
  reference_id: referenceOrNull,
  status: word,
  currency: text,
  amount: group({ initial: amount, terminal: amount }),
})

/** The request body of POST /v3/payment_requests. request_amount is in whole rupiah. */
export type CreateRequest = {
  reference_id: string
  type: 'PAY' | 'REUSABLE_PAYMENT_CODE'
  country: 'ID'
  currency: 'IDR'
  request_amount: number
  capture_method: 'AUTOMATIC'
  channel_code: string
  channel_properties: {
    display_name?: string
    customer_name?: string
    expires_at?: string
    account_mobile_number?: string
    success_return_url?: string
    failure_return_url?: string
    cancel_return_url?: string
  }
  metadata?: { customer_name: string }
}
