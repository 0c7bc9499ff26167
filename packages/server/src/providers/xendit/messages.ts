// Xendit's JSON. What names the order and its money is read strictly; whatever else is of an unexpected shape
// counts as left out, since a webhook must not be lost for a field that nobody needs.

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
const id = z.string().regex(/^[\x21-\x7e]{1,100}$/)
const reference = z.string().regex(/^[\x20-\x7e]{1,255}$/)

/** A number as documented, text in some examples; money is read from it in translate.ts. */
const amount = z.unknown().optional()

/** docs.xendit.co create-payment-request: the answer of a create and of GET /v3/payment_requests/{id}. */
export const paymentRequest = z.looseObject({
  payment_request_id: id,
  reference_id: reference,
  status: z.string(),
  currency,
  request_amount: amount,
  failure_code: maybe(z.string()),
  latest_payment_id: maybe(id),
  actions: maybe(z.array(z.looseObject({ descriptor: maybe(z.string()), value: maybe(z.string()) }))),
})
export type PaymentRequest = z.output<typeof paymentRequest>

/** docs.xendit.co get-payment; the data of the v3 webhooks payment.*. */
export const payment = z.looseObject({
  payment_id: id,
  payment_request_id: id,
  reference_id: reference,
  status: z.string(),
  currency,
  request_amount: amount,
  captures: z.unknown().optional(),
  channel_code: maybe(z.string()),
  failure_code: maybe(z.string()),
  payment_details: z.unknown().optional(),
  updated: maybe(z.string()),
})
export type Payment = z.output<typeof payment>

export const captures = z.array(
  z.looseObject({ capture_amount: amount, capture_timestamp: maybe(z.string()) }),
)

/** docs.xendit.co bri-virtual-account, payer verification. */
export const verifiedDetails = z.looseObject({
  verification_result: z.looseObject({ sender_verification: z.looseObject({ result: z.string() }) }),
})

/** xendit-node PaymentRequestListResponse: the list of the API before v3. */
export const requestList = z.looseObject({
  data: z.array(z.looseObject({ id, reference_id: maybe(reference) })),
})

export const failure = z.looseObject({ error_code: z.string(), message: maybe(z.string()) })

export const webhook = z.looseObject({ event: z.string(), data: z.looseObject({}) })

/** xendit-node PaymentCallback: the data of the v2 webhooks payment.*. */
export const olderPayment = z.looseObject({
  id,
  payment_request_id: maybe(id),
  reference_id: reference,
  status: z.string(),
  currency,
  amount,
  failure_code: maybe(z.string()),
  updated: maybe(z.string()),
})

/** The data of ewallet.capture and ewallet.void: a charge is one payment. */
export const walletCharge = z.looseObject({
  id,
  reference_id: reference,
  status: z.string(),
  currency,
  charge_amount: amount,
  capture_amount: amount,
  failure_code: maybe(z.string()),
  updated: maybe(z.string()),
})

/** The data of qr.payment under api_version 2022-07-31. */
export const qrPayment = z.looseObject({
  id,
  qr_id: id,
  reference_id: reference,
  status: z.string(),
  currency,
  amount,
  created: maybe(z.string()),
})

/** qr.payment before that: flat. */
export const olderQrPayment = z.looseObject({
  event: z.literal('qr.payment'),
  id,
  qr_code: z.looseObject({ id, external_id: reference }),
  status: z.string(),
  currency,
  amount,
  created: maybe(z.string()),
})

/** Flat and without a status: a fixed virtual account's webhook is sent for a payment only. */
export const accountPayment = z.looseObject({
  callback_virtual_account_id: id,
  payment_id: id,
  external_id: reference,
  currency,
  amount,
  transaction_timestamp: maybe(z.string()),
})

/** Flat: a fixed payment code was paid in a store. */
export const storePayment = z.looseObject({
  fixed_payment_code_id: id,
  payment_id: id,
  external_id: reference,
  status: z.string(),
  currency,
  amount,
  transaction_timestamp: maybe(z.string()),
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
  }
  metadata?: { customer_name: string }
}
