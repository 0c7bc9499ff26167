// Schemas for Xendit's JSON messages. lenient-fields.ts describes how invalid fields are treated.

import { z } from 'zod'
import {
  anyAmount,
  freeText,
  nullableCurrency,
  nullableId,
  nullableReference,
  objectList,
  optionalId,
  optionalObject,
  optionalText,
  raw,
  requiredId,
  requiredWord,
} from '../lenient-fields.ts'

/** The response to a create request and to GET /v3/payment_requests/{id} (docs.xendit.co create-payment-request). */
export const paymentRequest = z.looseObject({
  payment_request_id: requiredId,
  reference_id: nullableReference,
  status: requiredWord,
  currency: nullableCurrency,
  request_amount: anyAmount,
  failure_code: optionalText,
  latest_payment_id: nullableId,
  actions: objectList({ descriptor: optionalText, value: optionalText }),
})
export type PaymentRequest = z.output<typeof paymentRequest>

/** A payment (docs.xendit.co get-payment). The `data` object in the v3 webhooks payment.* has the same format. */
export const payment = z.looseObject({
  payment_id: requiredId,
  payment_request_id: requiredId,
  reference_id: nullableReference,
  status: requiredWord,
  currency: nullableCurrency,
  request_amount: anyAmount,
  captures: raw,
  channel_code: optionalText,
  failure_code: optionalText,
  payment_details: raw,
  updated: optionalText,
})
export type Payment = z.output<typeof payment>

/** A payment's captures. The field is absent if the payment has no captures. */
export const captured = z.looseObject({
  captures: z.array(
    z.looseObject({ capture_id: optionalId, capture_amount: anyAmount, capture_timestamp: optionalText }),
  ),
})

/** A list of payment requests from Xendit's API before v3 (xendit-node PaymentRequestListResponse). */
export const requestList = z.looseObject({ data: objectList({ id: optionalId, reference_id: optionalText }) })

/** A page of the account's transactions (docs.xendit.co list-transactions). */
export const transactionList = z.looseObject({
  has_more: z.boolean(),
  // If an entry in the list is not an object, the whole list is invalid, because this entry could be about
  // any order.
  data: z.array(
    z.looseObject({
      id: optionalId,
      status: optionalText,
      reference_id: optionalText,
      product_data: optionalObject({ payment_request_id: optionalId }),
    }),
  ),
})
export type TransactionList = z.output<typeof transactionList>

export const failure = z.looseObject({ error_code: z.string(), message: freeText })

/** The `data` object in the payment.* webhooks in API v2 (xendit-node PaymentCallback). */
export const olderPayment = z.looseObject({
  id: requiredId,
  payment_request_id: nullableId,
  reference_id: nullableReference,
  status: requiredWord,
  currency: nullableCurrency,
  amount: anyAmount,
  failure_code: optionalText,
  updated: optionalText,
})

/** The `data` object in the ewallet.capture and ewallet.void webhooks. Each charge is one payment. */
export const walletCharge = z.looseObject({
  id: requiredId,
  reference_id: nullableReference,
  status: requiredWord,
  currency: nullableCurrency,
  charge_amount: anyAmount,
  capture_amount: anyAmount,
  failure_code: optionalText,
  updated: optionalText,
})

/** The `data` object in the qr.payment webhook for api_version 2022-07-31. */
export const qrPayment = z.looseObject({
  id: requiredId,
  qr_id: requiredId,
  reference_id: nullableReference,
  status: requiredWord,
  currency: nullableCurrency,
  amount: anyAmount,
  created: optionalText,
})

/** The qr.payment webhook for versions before api_version 2022-07-31. Its fields are not inside a `data` object. */
export const olderQrPayment = z.looseObject({
  id: requiredId,
  qr_code: z.looseObject({ id: requiredId, external_id: nullableReference }),
  status: requiredWord,
  currency: nullableCurrency,
  amount: anyAmount,
  created: optionalText,
})

/**
 * The webhook for a payment to a fixed virtual account. Its fields have no envelope (`event` and `data`). The webhook
 * has no status, because Xendit sends it only after a payment.
 */
export const accountPayment = z.looseObject({
  callback_virtual_account_id: requiredId,
  payment_id: requiredId,
  external_id: nullableReference,
  currency: nullableCurrency,
  amount: anyAmount,
  transaction_timestamp: optionalText,
})

/** The webhook for a store payment with a fixed payment code. It has no envelope (no `event` and `data`). */
export const storePayment = z.looseObject({
  fixed_payment_code_id: requiredId,
  payment_id: requiredId,
  external_id: nullableReference,
  status: requiredWord,
  currency: nullableCurrency,
  amount: anyAmount,
  transaction_timestamp: optionalText,
})

/**
 * The webhook for a created or changed fixed virtual account. It has no envelope (no `event` and `data`) and
 * reports no payment.
 */
export const accountCreated = z.looseObject({
  id: requiredId,
  account_number: z.string(),
  is_closed: z.boolean(),
  status: z.enum(['PENDING', 'ACTIVE', 'INACTIVE']),
  payment_id: z.undefined().optional(),
})

/**
 * A refund (docs.xendit.co refund-webhook-notification and refund-payment-request). `reference_id` is the
 * refund's own reference, not the order's. `status` is optional, because the refund type in Xendit's client
 * xendit-node has no status.
 */
export const refund = z.looseObject({
  id: requiredId,
  reference_id: optionalId,
  payment_request_id: optionalId,
  payment_id: optionalId,
  invoice_id: optionalId,
  currency: optionalText,
  amount: anyAmount,
  status: optionalText,
  failure_code: optionalText,
})
export type XenditRefund = z.output<typeof refund>

/** A page of a payment request's refunds (xendit-node RefundList). */
export const refundList = z.looseObject({ data: z.array(refund), has_more: z.boolean() })

/** The request body of POST /refunds. amount is in whole rupiah. */
export type RefundRequest = {
  payment_request_id: string
  reference_id: string
  amount: number
  currency: 'IDR'
  reason: 'REQUESTED_BY_CUSTOMER'
  metadata?: { reason: string }
}

/** A dispute (docs.xendit.co dispute-webhook-notifications). reference_id is the order's reference. */
export const dispute = z.looseObject({
  id: requiredId,
  payment_id: optionalId,
  reference_id: nullableReference,
  status: requiredWord,
  currency: optionalText,
  amount: optionalObject({ initial: anyAmount, terminal: anyAmount }),
})
export type XenditDispute = z.output<typeof dispute>

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
    payer_name?: string
    expires_at?: string
    account_mobile_number?: string
    success_return_url?: string
    failure_return_url?: string
    cancel_return_url?: string
  }
  metadata?: { customer_name: string }
}
