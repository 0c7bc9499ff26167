import { v4 as uuid } from 'uuid'
import type { MoneyReturn } from '../money-return.ts'
import { type Notification, type Tampering, undocumented } from '../notification.ts'
import { decimalRupiah } from '../rupiah.ts'
import { businessIdOf, callbackTokenOf } from './merchant.ts'
import { forged } from './notification.ts'
import { sameIdAs, timeOf, type XenditOrder } from './order.ts'
import { refundMessage } from './refund.ts'

// Creates the webhooks for refunds and disputes (docs.xendit.co refund-webhook-notification and
// dispute-webhook-notifications). Both contain the account's fixed token and no signature.

type Message = Record<string, unknown>

/**
 * Creates the webhook for a refund or chargeback. Returns undefined if the refund is still pending, or if Xendit
 * documents no such webhook for the product.
 */
export function returnNotification(
  order: XenditOrder,
  returned: MoneyReturn,
  url: string,
  tampering: Tampering,
): Notification | undefined {
  if (returned.kind === 'refund' && returned.status === 'pending') return undefined
  const message =
    returned.kind === 'refund' ? refundWebhook(order, returned) : disputeWebhook(order, returned)
  if (!message) return undefined
  const token = callbackTokenOf(order.merchant)
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'axios/0.21.1',
      'x-callback-token': tampering.badSignature ? forged(token) : token,
      'webhook-id': uuid(),
    },
    body: JSON.stringify(tampered(message, tampering)),
    says: String(message.event),
  }
}

function refundWebhook(order: XenditOrder, refund: MoneyReturn): Message | undefined {
  const { product } = order.detail
  if (product !== 'v2' && product !== 'v3') return undefined
  return {
    event: `refund.${refund.status}`,
    business_id: businessIdOf(order.merchant),
    created: timeOf(refund.finalAt ?? refund.createdAt),
    data: refundMessage(order, refund),
  }
}

/** Creates the webhook for a new, lost or won dispute. */
function disputeWebhook(order: XenditOrder, dispute: MoneyReturn): Message | undefined {
  const message = disputeMessage(order, dispute)
  return message && { event: `dispute.${String(message.status).toLowerCase()}`, ...message }
}

/** The status and reason of a dispute. A new dispute requires an action by the merchant, which this sandbox does not await. */
const disputeStates = {
  pending: { status: 'ACTION_REQUIRED', status_reason: null },
  succeeded: { status: 'LOST', status_reason: 'ACCEPTED' },
  failed: { status: 'WON', status_reason: 'CHALLENGED' },
} as const

/**
 * Creates the message about a new, lost or won dispute, or returns undefined if Xendit documents no disputes for the
 * product. At the end of a dispute over part of the payment, `amount.terminal` is the disputed amount. In all other
 * cases, it is null, as in every published sample.
 */
export function disputeMessage(order: XenditOrder, dispute: MoneyReturn): Message | undefined {
  const { product } = order.detail
  if (product === 'virtual_account' || product === 'ewallet') return undefined
  const hasOtherEnd = dispute.status !== 'pending' && dispute.amountCents !== order.recordedCents
  return {
    id: dispute.id,
    channel_code: order.detail.channel,
    ...disputeStates[dispute.status],
    currency: 'IDR',
    amount: {
      initial: decimalRupiah(order.recordedCents),
      terminal: hasOtherEnd ? decimalRupiah(dispute.amountCents) : null,
    },
    created_at: timeOf(dispute.createdAt),
    updated_at: timeOf(dispute.finalAt ?? dispute.createdAt),
    due_date: timeOf(dispute.createdAt),
    category: { name: 'fraud', allowed_evidence: [] },
    related_disputes: [],
    payment_id: sameIdAs(order, product === 'v2' || product === 'v3' ? 'py-' : 'qrpy_'),
    reference_id: order.reference,
  }
}

function tampered(message: Message, { status, currency, unknownFields }: Tampering): Message {
  const over = { ...(currency !== undefined && { currency }), ...(status !== undefined && { status }) }
  const extra = unknownFields ? undocumented : {}
  const data = message.data as Message | undefined
  return data
    ? { ...message, data: { ...data, ...over, ...extra }, ...extra }
    : { ...message, ...over, ...extra }
}
