// Xendit's JSON. Which fields may be of any shape: lenient.ts.

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
} from '../lenient.ts'

/** docs.xendit.co create-payment-request: the answer of a create and of GET /v3/payment_requests/{id}. */
export const paymentRequest = z.looseObject({
  payment_request_id: id,
  reference_id: referenceOrNull,
  status: word,
  words,
  currency,
  request_amount: amount,
  failure_code: text,
  latest_payment_id: idOrNull,
  actions: list({ descriptor: text, value: text }),
})
export type PaymentRequest = z.output<typeof paymentRequest>

/** docs.xendit.co get-payment; the data of the v3 webhooks payment.*. */
export const payment = z.looseObject({
  payment_id: id,
  payment_request_id: id,
  reference_id: referenceOrNull,
  status: word,
  words,
  currency,
  request_amount: amount,
  captures: raw,
  channel_code: text,
  failure_code: text,
  payment_details: raw,
  updated: text,
})
export type Payment = z.output<typeof payment>

/** The captures of a payment that has some. */
export const captured = z.looseObject({
  captures: z.array(z.looseObject({ capture_amount: amount, capture_timestamp: text })),
})

/** xendit-node PaymentRequestListResponse: the list of the API before v3. */
export const requestList = z.looseObject({ data: list({ id: idIfAny, reference_id: text }) })

/** docs.xendit.co list-transactions. */
export const transactionList = z.looseObject({
  has_more: z.boolean(),
  // An entry that is no object may be about any order, so the whole list is then refused.
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

/** xendit-node PaymentCallback: the data of the v2 webhooks payment.*. */
export const olderPayment = z.looseObject({
  id,
  payment_request_id: idOrNull,
  reference_id: referenceOrNull,
  status: word,
  words,
  currency,
  amount,
  failure_code: text,
  updated: text,
})

/** The data of ewallet.capture and ewallet.void: a charge is one payment. */
export const walletCharge = z.looseObject({
  id,
  reference_id: referenceOrNull,
  status: word,
  words,
  currency,
  charge_amount: amount,
  capture_amount: amount,
  failure_code: text,
  updated: text,
})

/** The data of qr.payment under api_version 2022-07-31. */
export const qrPayment = z.looseObject({
  id,
  qr_id: id,
  reference_id: referenceOrNull,
  status: word,
  words,
  currency,
  amount,
  created: text,
})

/** qr.payment before that: flat. */
export const olderQrPayment = z.looseObject({
  id,
  qr_code: z.looseObject({ id, external_id: referenceOrNull }),
  status: word,
  words,
  currency,
  amount,
  created: text,
})

/** Flat and without a status: a fixed virtual account's webhook is sent for a payment only. */
export const accountPayment = z.looseObject({
  callback_virtual_account_id: id,
  payment_id: id,
  external_id: referenceOrNull,
  currency,
  amount,
  transaction_timestamp: text,
})

/** Flat: a fixed payment code was paid in a store. */
export const storePayment = z.looseObject({
  fixed_payment_code_id: id,
  payment_id: id,
  external_id: referenceOrNull,
  status: word,
  words,
  currency,
  amount,
  transaction_timestamp: text,
})

/** Flat: a fixed virtual account was created or changed, which is no payment. */
export const accountCreated = z.looseObject({
  id,
  account_number: z.string(),
  is_closed: z.boolean(),
  status: z.enum(['PENDING', 'ACTIVE', 'INACTIVE']),
  payment_id: z.undefined().optional(),
})

/** docs.xendit.co refund-webhook-notification. reference_id is of the refund, not of the order. */
export const refund = z.looseObject({
  id,
  payment_request_id: idIfAny,
  payment_id: idIfAny,
  invoice_id: idIfAny,
  currency: text,
  amount,
  status: text,
})

/** docs.xendit.co dispute-webhook-notifications. reference_id is of the order. */
export const dispute = z.looseObject({
  id,
  payment_id: idIfAny,
  reference_id: referenceOrNull,
  status: word,
  words,
  currency: text,
  amount: group({ initial: amount, terminal: amount }),
})

/** Body of POST /v3/payment_requests; request_amount is whole rupiah. */
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
