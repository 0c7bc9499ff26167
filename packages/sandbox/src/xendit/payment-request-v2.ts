import { v4 as uuid } from 'uuid'
import { z } from 'zod'
import { bankOf, type Channel, channelOfBank, findChannel } from './channels.ts'
import type { Answer } from './errors.ts'
import { businessIdOf } from './merchant.ts'
import {
  type Asked,
  channelOf,
  derivedUuid,
  isLate,
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

// Handles payment requests to Xendit's API v2, based on docs/PaymentRequest.md and the models in Xendit's
// client libraries (xendit-node, xendit-go and others).

type Message = Record<string, unknown>

const named = z.looseObject({ customer_name: z.string().min(1), expires_at: future.nullish() })
const once = { reusability: z.literal('ONE_TIME_USE'), reference_id: z.string().nullish() }
const empty = z.looseObject({}).nullish()

const paymentMethod = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('VIRTUAL_ACCOUNT'),
    ...once,
    virtual_account: z.looseObject({ channel_code: z.string(), channel_properties: named }),
  }),
  z.looseObject({
    type: z.literal('OVER_THE_COUNTER'),
    ...once,
    over_the_counter: z.looseObject({
      channel_code: z.enum(['ALFAMART', 'INDOMARET']),
      channel_properties: named,
    }),
  }),
  z.looseObject({
    type: z.literal('QR_CODE'),
    ...once,
    // In v2, DANA and LinkAja can also issue QRIS codes. The QRIS limits apply to these codes.
    qr_code: z.looseObject({
      channel_code: z.enum(['QRIS', 'DANA', 'LINKAJA']).nullish(),
      channel_properties: empty,
    }),
  }),
  z.looseObject({
    type: z.literal('EWALLET'),
    ...once,
    ewallet: z.looseObject({
      channel_code: z.enum(['DANA', 'OVO', 'LINKAJA', 'SHOPEEPAY', 'ASTRAPAY', 'JENIUSPAY']),
      channel_properties: z
        .looseObject({
          success_return_url: webAddress.nullish(),
          mobile_number: mobileNumber.nullish(),
          cashtag: z.string().nullish(),
        })
        .nullish(),
    }),
  }),
])

const request = z.object({
  reference_id: reference.optional(),
  amount: rupiah,
  currency: idr,
  country: z.literal('ID').nullish(),
  description: z.string().max(1000).nullish(),
  payment_method: paymentMethod,
  metadata,
})

export function readV2(body: unknown): { asked: Asked } | { refused: Answer } {
  const parsed = read(request, body, 'path')
  if ('refused' in parsed) return parsed
  const { reference_id, amount, payment_method: method, description, metadata: data } = parsed.value
  const channel = channelAsked(method)
  if (!channel) return invalid(['payment_method', 'virtual_account', 'channel_code'], 'is not supported')
  const missing = missingOfWallet(method)
  if (missing) return invalid(['payment_method', 'ewallet', 'channel_properties', missing], 'is required')
  const refused = outOfRange(channel, amount) ?? testAmountRefusal(channel, amount)
  if (refused) return { refused }
  const expiresAt = expiryAsked(method)
  return {
    asked: {
      product: 'v2',
      channel,
      // The merchant's reference is optional. If it is missing, the sandbox generates a UUID, because Xendit
      // documents no default.
      reference: reference_id ?? uuid(),
      customer: customerOfV2(body),
      rupiah: amount,
      expiresAt,
      echoed: { payment_method: sentMethod(body), description, metadata: data },
    },
  }
}

function channelAsked(method: z.infer<typeof paymentMethod>): Channel | undefined {
  switch (method.type) {
    case 'VIRTUAL_ACCOUNT':
      return channelOfBank(method.virtual_account.channel_code)
    case 'OVER_THE_COUNTER':
      return findChannel(method.over_the_counter.channel_code)
    case 'QR_CODE':
      return findChannel('QRIS')
    case 'EWALLET':
      return findChannel(method.ewallet.channel_code)
  }
}

function missingOfWallet(method: z.infer<typeof paymentMethod>): string | undefined {
  if (method.type !== 'EWALLET') return undefined
  const field = walletNeeds(method.ewallet.channel_code)
  return method.ewallet.channel_properties?.[field] ? undefined : field
}

/**
 * Returns the channel property that a wallet requires. OVO needs a phone number for its push notification.
 * JeniusPay needs a cashtag (the payer's user name). All other wallets need a return URL.
 */
export function walletNeeds(code: string): 'mobile_number' | 'cashtag' | 'success_return_url' {
  if (code === 'OVO') return 'mobile_number'
  return code === 'JENIUSPAY' ? 'cashtag' : 'success_return_url'
}

function expiryAsked(method: z.infer<typeof paymentMethod>): number | undefined {
  if (method.type === 'VIRTUAL_ACCOUNT') {
    return method.virtual_account.channel_properties.expires_at ?? undefined
  }
  if (method.type === 'OVER_THE_COUNTER') {
    return method.over_the_counter.channel_properties.expires_at ?? undefined
  }
  return undefined
}

function sentMethod(body: unknown): unknown {
  return (body as { payment_method: unknown }).payment_method
}

export function customerOfV2(body: unknown): string {
  const name =
    textAt(body, 'payment_method', 'virtual_account', 'channel_properties', 'customer_name') ??
    textAt(body, 'payment_method', 'over_the_counter', 'channel_properties', 'customer_name') ??
    textAt(body, 'metadata', 'customer_name')
  return name ?? ''
}

const words: Words = {
  pending: 'PENDING',
  paid: 'SUCCEEDED',
  failed: 'FAILED',
  expired: 'EXPIRED',
  cancelled: 'CANCELED',
  challenged: 'AWAITING_CAPTURE',
}

/**
 * Returns a payment request in the format of Xendit's API v2. Xendit's list of payment requests shows v3
 * requests in this format, too.
 */
export function requestMessageV2(order: XenditOrder, publicUrl: string): Message {
  const { description, metadata: data } = order.detail.echoed
  return {
    id: order.id,
    created: timeOf(order.createdAt),
    updated: updatedAt(order),
    reference_id: order.reference,
    business_id: businessIdOf(order.merchant),
    customer_id: null,
    amount: rupiahOf(order.askedCents),
    country: 'ID',
    currency: 'IDR',
    payment_method: methodMessage(order),
    description: description ?? null,
    metadata: data ?? null,
    capture_method: 'AUTOMATIC',
    initiator: null,
    card_verification_results: null,
    status: statusOfV2(order),
    actions: actionsOf(order, publicUrl),
    failure_code: order.status === 'failed' ? 'USER_DECLINED_PAYMENT' : null,
    channel_properties: null,
    shipping_information: null,
    items: null,
  }
}

function statusOfV2(order: XenditOrder): string {
  if (isLate(order)) return 'EXPIRED'
  // Only e-wallet payments need an action by the merchant, who must redirect the payer.
  const redirects = order.status === 'pending' && channelOf(order).kind === 'EWALLET'
  return redirects ? 'REQUIRES_ACTION' : words[order.status]
}

export function paymentMessageV2(order: XenditOrder): Message {
  return {
    id: sameIdAs(order, 'py-'),
    amount: rupiahOf(order.recordedCents),
    country: 'ID',
    currency: 'IDR',
    payment_request_id: order.id,
    reference_id: order.reference,
    payment_method: methodMessage(order),
    channel_properties: null,
    payment_detail: null,
    failure_code: order.status === 'failed' ? 'USER_DECLINED_PAYMENT' : null,
    status: order.status === 'challenged' ? 'PENDING' : words[order.status],
    created: timeOf(order.createdAt),
    updated: updatedAt(order),
    metadata: order.detail.echoed.metadata ?? null,
  }
}

const methodStatuses: Words = {
  pending: 'ACTIVE',
  // A v2 payment method can be used for only one payment, so the payment method expires once the payment is
  // made.
  paid: 'EXPIRED',
  failed: 'FAILED',
  expired: 'EXPIRED',
  cancelled: 'INACTIVE',
  challenged: 'ACTIVE',
}

export function methodMessage(order: XenditOrder): Message {
  const channel = channelOf(order)
  const type = channel.kind
  const field = type.toLowerCase()
  const sent = (order.detail.echoed.payment_method ?? {}) as Record<string, Message | undefined>
  const properties = { ...(sent[field]?.channel_properties as Message | undefined), ...payerData(order) }
  const forms = { virtual_account: null, ewallet: null, qr_code: null, over_the_counter: null, card: null }
  return {
    id: `pm-${derivedUuid(order, 'payment method')}`,
    type,
    created: timeOf(order.createdAt),
    updated: updatedAt(order),
    description: null,
    reference_id: sent.reference_id ?? order.reference,
    reusability: 'ONE_TIME_USE',
    status: methodStatuses[order.status],
    metadata: null,
    direct_debit: null,
    ...forms,
    [field]: {
      channel_code: type === 'VIRTUAL_ACCOUNT' ? bankOf(channel) : channel.code,
      channel_properties: properties,
      ...(type !== 'EWALLET' && { amount: rupiahOf(order.askedCents), currency: 'IDR' }),
      ...(type === 'EWALLET' && { account: null }),
    },
  }
}

function payerData(order: XenditOrder): Message {
  const expires = order.expiresAt === null ? {} : { expires_at: timeOf(order.expiresAt) }
  switch (channelOf(order).kind) {
    case 'VIRTUAL_ACCOUNT':
      return { virtual_account_number: order.number, ...expires }
    case 'OVER_THE_COUNTER':
      return { payment_code: order.number, ...expires }
    case 'QR_CODE':
      return { qr_string: MOCK_QR_STRING, ...expires }
    default:
      return {}
  }
}

function actionsOf(order: XenditOrder, publicUrl: string): Message[] {
  const { kind, code } = channelOf(order)
  if (kind !== 'EWALLET' || code === 'OVO' || order.status !== 'pending') return []
  const url = payPageUrl(order, publicUrl)
  return [
    { action: 'AUTH', url_type: 'WEB', method: 'GET', url, qr_code: null },
    { action: 'AUTH', url_type: 'MOBILE', method: 'GET', url, qr_code: null },
  ]
}
