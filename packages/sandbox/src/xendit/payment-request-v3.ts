import { z } from 'zod'
import type { Status } from '../order.ts'
import { type Channel, findChannel } from './channels.ts'
import type { Answer } from './errors.ts'
import { businessIdOf } from './merchant.ts'
import {
  type Asked,
  channelOf,
  derivedUuid,
  hasPayment,
  isLate,
  isUnverified,
  MOCK_QR_STRING,
  payPageUrl,
  rupiahOf,
  sameIdAs,
  timeOf,
  updatedAt,
  type Words,
  type XenditOrder,
} from './order.ts'
import {
  future,
  idr,
  invalid,
  metadata,
  mobileNumber,
  outOfRange,
  read,
  reference,
  rupiah,
  testAmountRefusal,
  textAt,
  webAddress,
} from './schema.ts'

// Handles v3 payment requests (docs.xendit.co/apidocs: create-payment-request, get-payment-request, get-payment).

type Message = Record<string, unknown>

const request = z.object({
  reference_id: reference,
  // The sandbox does not support PAY_AND_SAVE, because that type needs payment tokens.
  type: z.enum(['PAY', 'REUSABLE_PAYMENT_CODE']),
  country: z.literal('ID'),
  currency: idr,
  request_amount: rupiah,
  capture_method: z.literal('AUTOMATIC').default('AUTOMATIC'),
  channel_code: z.string(),
  channel_properties: z.record(z.string(), z.unknown()),
  description: z.string().min(1).max(1000).optional(),
  customer_id: z.string().max(41).optional(),
  customer: z.record(z.string(), z.unknown()).optional(),
  items: z.array(z.record(z.string(), z.unknown())).optional(),
  metadata,
})

const returning = { success_return_url: webAddress, failure_return_url: webAddress }

/**
 * Returns the schema for the channel's properties. Xendit shows the full list of properties only in an interactive
 * widget. The names are therefore from examples on Xendit's page and from other merchants' code.
 *
 * - OVO: the phone number has two known names, and both are accepted.
 * - Stores: `payer_name` is required, as in xendit-components-web. Xendit's migration page names the field
 *   `customer_name`, but Xendit's API rejects requests without `payer_name`.
 */
function propertiesOf({ kind, code }: Channel): z.ZodType {
  switch (kind) {
    case 'VIRTUAL_ACCOUNT':
      return z.looseObject({ display_name: z.string().min(1), expires_at: future.optional() })
    case 'OVER_THE_COUNTER':
      return z.looseObject({ payer_name: z.string().min(1), expires_at: future.optional() })
    case 'QR_CODE':
      return z.looseObject({})
    case 'PAYLATER':
      return z.looseObject(returning)
    case 'EWALLET':
      if (code !== 'OVO') return z.looseObject(returning)
      return z.union([
        z.looseObject({ account_mobile_number: mobileNumber }),
        z.looseObject({ mobile_number: mobileNumber }),
      ])
  }
}

export function readV3(body: unknown): { asked: Asked } | { refused: Answer } {
  const parsed = read(request, body, 'path')
  if ('refused' in parsed) return parsed
  const wanted = parsed.value
  const channel = findChannel(wanted.channel_code)
  if (!channel) return invalid(['channel_code'], `${wanted.channel_code} is not supported`)
  if (
    wanted.type === 'REUSABLE_PAYMENT_CODE' &&
    (channel.kind === 'EWALLET' || channel.kind === 'PAYLATER')
  ) {
    return invalid(['type'], `${channel.code} has no reusable payment code`)
  }
  if (wanted.type === 'PAY' && channel.kind === 'OVER_THE_COUNTER') {
    return invalid(['type'], `${channel.code} needs REUSABLE_PAYMENT_CODE`)
  }
  if (channel.code === 'JENIUSPAY' && !textAt(wanted.channel_properties, 'cashtag')) {
    return invalid(['channel_properties', 'cashtag'], 'is required')
  }
  if (channel.kind === 'PAYLATER' && !(wanted.items?.length && wanted.customer)) {
    return invalid(['items'], `${channel.code} needs items and customer`)
  }
  const properties = read(z.object({ channel_properties: propertiesOf(channel) }), body, 'path')
  if ('refused' in properties) return properties
  const refused =
    outOfRange(channel, wanted.request_amount) ?? testAmountRefusal(channel, wanted.request_amount)
  if (refused) return { refused }
  const { reference_id, request_amount, channel_code, ...echoed } = wanted
  const expiresAt = textAt(wanted.channel_properties, 'expires_at')
  return {
    asked: {
      product: 'v3',
      channel,
      reference: reference_id,
      customer: customerOfV3(body),
      rupiah: request_amount,
      expiresAt: expiresAt === undefined ? undefined : Date.parse(expiresAt),
      echoed,
    },
  }
}

export function customerOfV3(body: unknown): string {
  const name =
    textAt(body, 'channel_properties', 'display_name') ??
    textAt(body, 'channel_properties', 'payer_name') ??
    textAt(body, 'metadata', 'customer_name')
  return name ?? ''
}

const words: Words = {
  pending: 'REQUIRES_ACTION',
  paid: 'SUCCEEDED',
  failed: 'FAILED',
  expired: 'EXPIRED',
  cancelled: 'CANCELED',
  challenged: 'AUTHORIZED',
}

/**
 * Returns the status of a payment request. A reusable payment code accepts payments until it expires, even after it was
 * paid (docs.xendit.co reusable-payment-codes).
 */
export function statusOfV3(order: XenditOrder): string {
  if (isLate(order)) return 'EXPIRED'
  const isPaid = order.status === 'paid' || isUnverified(order)
  if (order.detail.echoed.type === 'REUSABLE_PAYMENT_CODE' && (isPaid || order.status === 'pending')) {
    const hasExpired = order.expiresAt !== null && order.expiresAt <= Date.now()
    return hasExpired ? words.expired : 'ACCEPTING_PAYMENTS'
  }
  return isPaid ? words.paid : words[order.status]
}

export function requestMessageV3(order: XenditOrder, publicUrl: string): Message {
  const { description, metadata: data, items, customer_id } = order.detail.echoed
  return {
    ...identityV3(order),
    ...(hasPayment(order) && { latest_payment_id: sameIdAs(order, 'py-') }),
    ...(order.status === 'failed' && { failure_code: FAILURE_CODE }),
    channel_properties: propertiesSent(order),
    actions: actionsOf(order, publicUrl),
    status: statusOfV3(order),
    description,
    metadata: data,
    items,
    customer_id,
  }
}

export const FAILURE_CODE = 'USER_DECLINED_PAYMENT'

const paymentWords: Record<Status, string> = {
  ...words,
  // Of all order statuses, only `pending` has different names for payments and for payment requests.
  pending: 'AUTHORIZED',
}

/** Returns a payment in the format used by `GET /v3/payments/{id}` and webhooks. */
export function paymentMessageV3(order: XenditOrder): Message {
  const status = isUnverified(order) ? 'SUCCEEDED' : paymentWords[order.status]
  const captured = status === 'SUCCEEDED'
  return {
    payment_id: sameIdAs(order, 'py-'),
    ...identityV3(order),
    status,
    ...(order.status === 'failed' && { failure_code: FAILURE_CODE }),
    ...(captured && { captures: [captureOf(order)] }),
    payment_details: isUnverified(order) ? unverifiedSender : {},
    metadata: order.detail.echoed.metadata,
  }
}

const unverifiedSender = {
  verification_result: {
    is_eligible: true,
    sender_verification: { result: 'UNKNOWN', reason: 'timeout' },
    risk_assessment: { result: 'NONE', reason: 'No alert' },
  },
}

function captureOf(order: XenditOrder): Message {
  return {
    capture_id: `cptr-${derivedUuid(order, 'capture')}`,
    capture_amount: rupiahOf(order.recordedCents),
    capture_timestamp: timeOf(order.settledAt ?? order.createdAt),
  }
}

function identityV3(order: XenditOrder): Message {
  const { type, capture_method } = order.detail.echoed
  return {
    business_id: businessIdOf(order.merchant),
    reference_id: order.reference,
    payment_request_id: order.id,
    type: type ?? 'PAY',
    country: 'ID',
    currency: 'IDR',
    request_amount: rupiahOf(order.askedCents),
    capture_method: capture_method ?? 'AUTOMATIC',
    channel_code: order.detail.channel,
    created: timeOf(order.createdAt),
    updated: updatedAt(order),
  }
}

/**
 * Adds `expires_at` to the channel properties, except for wallets and paylater. Xendit's published responses
 * contain `expires_at` even if the merchant did not send it.
 */
function propertiesSent(order: XenditOrder): Message {
  const { kind } = channelOf(order)
  const sent = (order.detail.echoed.channel_properties ?? {}) as Message
  if (kind === 'EWALLET' || kind === 'PAYLATER' || order.expiresAt === null) return sent
  return { ...sent, expires_at: timeOf(order.expiresAt) }
}

function actionsOf(order: XenditOrder, publicUrl: string): Message[] {
  const { kind, code } = channelOf(order)
  const present = (descriptor: string, value: string) => ({ type: 'PRESENT_TO_CUSTOMER', descriptor, value })
  const redirect = (descriptor: string) => {
    return { type: 'REDIRECT_CUSTOMER', descriptor, value: payPageUrl(order, publicUrl) }
  }
  switch (kind) {
    case 'VIRTUAL_ACCOUNT':
      return [present('VIRTUAL_ACCOUNT_NUMBER', order.number)]
    case 'OVER_THE_COUNTER':
      return [present('PAYMENT_CODE', order.number)]
    case 'QR_CODE':
      return [present('QR_STRING', MOCK_QR_STRING)]
    case 'PAYLATER':
      return [redirect('WEB_URL')]
    case 'EWALLET':
      // The response for an OVO payment lists no action, because OVO sends a push notification to the payer. For DANA,
      // ShopeePay and GoPay, one of the actions opens the wallet's app, as documented.
      if (code === 'OVO') return []
      return ['DANA', 'SHOPEEPAY', 'GOPAY'].includes(code)
        ? [redirect('WEB_URL'), redirect('DEEPLINK_URL')]
        : [redirect('WEB_URL')]
  }
}
