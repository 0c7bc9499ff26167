import { v4 as uuid } from 'uuid'
import { type Notification, type Tampering, undocumented } from '../notification.ts'
import type { Order } from '../order.ts'
import { chargeMessage } from './ewallet.ts'
import { businessIdOf, callbackTokenOf } from './merchant.ts'
import { timeOf, updatedAt, type XenditOrder, xenditOrder } from './order.ts'
import { methodMessage, paymentMessageV2 } from './payment-request-v2.ts'
import { paymentMessageV3, requestMessageV3 } from './payment-request-v3.ts'
import { qrPaymentMessage } from './qr-code.ts'
import { virtualAccountChange, virtualAccountPayment } from './virtual-account.ts'

// Creates webhooks, whose format depends on the Xendit product. They have no signature, only the account's fixed
// token in `x-callback-token` (docs.xendit.co handling-webhooks).

type Message = Record<string, unknown>

// `event` is undefined for a webhook about a virtual account. If `flat` is true, the fields of `data` are sent at the
// top level of the webhook's body.
type Webhook = { event?: string; data: Message; apiVersion?: string; flat?: boolean }

/**
 * Creates an order's webhook. Returns undefined if Xendit sends none for the order's status, for example if the
 * order is pending.
 */
export function notificationOf(
  order: Order,
  url: string,
  publicUrl: string,
  tampering: Tampering,
): Notification | undefined {
  const webhook = webhookOf(xenditOrder(order), publicUrl)
  if (!webhook) return undefined
  const data = tampered(webhook.data, tampering)
  const token = callbackTokenOf(order.merchant)
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'axios/0.21.1',
      'x-callback-token': tampering.badSignature ? forged(token) : token,
      // Retries and copies of a webhook have the same ID, so that merchants can recognize duplicates.
      'webhook-id': uuid(),
    },
    body: JSON.stringify(envelope(order, webhook, data, tampering)),
    says: [webhook.event ?? 'virtual account', data.status ?? order.status].join(' '),
  }
}

function webhookOf(order: XenditOrder, publicUrl: string): Webhook | undefined {
  if (order.status === 'pending') return undefined
  switch (order.detail.product) {
    case 'v3':
      return webhookV3(order, publicUrl)
    case 'v2':
      return webhookV2(order)
    case 'virtual_account':
      return virtualAccountWebhook(order)
    case 'ewallet': {
      const event = order.status === 'cancelled' ? 'ewallet.void' : 'ewallet.capture'
      return { event, data: { ...chargeMessage(order, publicUrl), channel_code: order.detail.channel } }
    }
    default:
      return order.status === 'paid' ? qrCodeWebhook(order) : undefined
  }
}

function webhookV3(order: XenditOrder, publicUrl: string): Webhook | undefined {
  const apiVersion = 'v3'
  switch (order.status) {
    case 'cancelled':
      return undefined
    case 'expired':
      return { event: 'payment_request.expiry', data: requestMessageV3(order, publicUrl), apiVersion }
    case 'failed':
      return { event: 'payment.failure', data: paymentMessageV3(order), apiVersion }
    default: {
      const data = paymentMessageV3(order)
      const event = data.status === 'SUCCEEDED' ? 'payment.capture' : 'payment.authorization'
      return { event, data, apiVersion }
    }
  }
}

/**
 * Creates the webhook for an order of Xendit's API v2. For an expired payment number or code, its event is
 * `payment_method.expired` (docs/PaymentMethod.md of Xendit's client libraries).
 */
function webhookV2(order: XenditOrder): Webhook | undefined {
  switch (order.status) {
    case 'cancelled':
      return undefined
    case 'paid':
      return { event: 'payment.succeeded', data: paymentMessageV2(order) }
    case 'failed':
      return { event: 'payment.failed', data: paymentMessageV2(order) }
    case 'expired':
      return { event: 'payment_method.expired', data: methodMessage(order) }
    default:
      return { event: 'payment.pending', data: paymentMessageV2(order) }
  }
}

/**
 * Creates the webhook for a virtual account. Xendit sends one when the account is paid, and one when it expires. It
 * sends none for a failure, because a bank transfer cannot fail.
 */
function virtualAccountWebhook(order: XenditOrder): Webhook | undefined {
  if (order.status === 'paid') return { data: virtualAccountPayment(order), flat: true }
  return order.status === 'expired' ? { data: virtualAccountChange(order), flat: true } : undefined
}

function qrCodeWebhook(order: XenditOrder): Webhook {
  const data = qrPaymentMessage(order)
  const event = 'qr.payment'
  return order.detail.product === 'qr_code'
    ? { event, data, flat: true }
    : { event, data, apiVersion: '2022-07-31' }
}

function envelope(order: Order, webhook: Webhook, data: Message, { unknownFields }: Tampering): Message {
  const extra = unknownFields ? undocumented : {}
  const event = webhook.event && { event: webhook.event }
  if (webhook.flat) return { ...event, ...data, ...extra }
  return {
    ...event,
    business_id: businessIdOf(order.merchant),
    created: order.settledAt === null ? updatedAt(order) : timeOf(order.settledAt),
    data: { ...data, ...extra },
    ...(webhook.apiVersion && { api_version: webhook.apiVersion }),
    ...extra,
  }
}

function tampered(data: Message, { status, currency }: Tampering): Message {
  return { ...data, ...(currency !== undefined && { currency }), ...(status !== undefined && { status }) }
}

/**
 * Changes one character of the webhook verification token. The token becomes invalid, but keeps its length and format.
 */
export function forged(token: string): string {
  return (token.startsWith('0') ? '1' : '0') + token.slice(1)
}
