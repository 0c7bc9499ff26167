// Converts Xendit's refunds, and its webhooks about returned money (refunds, and disputes about card and QRIS
// payments).

import { paymentCodeOfRefund } from '../../payments/payment-code.ts'
import { isAbsent, parseAmount, readMessage, UnreadableError, unknownWord } from '../lenient-fields.ts'
import type { CallbackUpdate, MoneyReturn } from '../provider.ts'
import { dispute, refund, type XenditRefund } from './messages.ts'

type Status = MoneyReturn['status']

const refundStatuses = new Map<string, Status>([
  ['PENDING', 'pending'],
  ['SUCCEEDED', 'succeeded'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'failed'],
  ['CANCELED', 'failed'],
])

/**
 * Reads a refund webhook. The refund is in `data` (Xendit's schema) or in `data.data` (example at docs.xendit.co
 * refund-webhook-notification). If the refund has no status, the event name determines it. Throws UnreadableError.
 */
export function refunded(event: 'refund.succeeded' | 'refund.failed', data: unknown): CallbackUpdate {
  const inner = (data as { data?: unknown } | null | undefined)?.data
  const it = readMessage(refund, isAbsent(inner) ? data : inner)
  const returned = returnOf(it, event === 'refund.succeeded' ? 'succeeded' : 'failed')
  const id = it.payment_request_id ?? it.payment_id ?? it.invoice_id
  // A refund webhook does not contain the order's reference. The service can find the payment by the id of the payment
  // request (`pr-…`), but not by another id, such as `py-…`. With another id, the reference of a refund that we
  // requested is used instead, because it contains the payment code.
  const reference = id?.startsWith('pr-') ? null : (paymentCodeOfRefund(it.reference_id ?? '') ?? null)
  const providerPaymentId = id ?? reference
  if (providerPaymentId === null) throw new UnreadableError('payment_request_id and payment_id are missing')
  return {
    reference,
    providerPaymentId,
    returns: [returned],
    fact: { type: 'nothing', reason: `a refund is ${returned.status}` },
  }
}

/**
 * Converts a refund reported by Xendit into a MoneyReturn. If the message does not contain the refund's status, the
 * MoneyReturn gets the status in the parameter `unstated`. Throws UnreadableError if the refund cannot be read.
 */
export function returnOf(it: XenditRefund, unstated: Status): MoneyReturn {
  const status = it.status === undefined ? unstated : refundStatuses.get(it.status)
  if (status === undefined) throw unknownWord('status', it.status ?? '')
  return {
    kind: 'refund',
    id: it.id,
    ...(it.reference_id !== undefined && { reference: it.reference_id }),
    amount: rupiahOf(it.amount, it.currency),
    status,
  }
}

const disputeStatuses = new Map<string, Status>([
  ['ACTION_REQUIRED', 'pending'],
  ['UNDER_REVIEW', 'pending'],
  ['LOST', 'succeeded'],
  ['WON', 'failed'],
])

/**
 * Returns what a webhook about a dispute reports. The disputed amount is `amount.terminal` or, if that field
 * is absent, `amount.initial` (docs.xendit.co manage-disputes-via-api). Throws UnreadableError if the webhook
 * cannot be read.
 */
export function disputed(message: unknown): CallbackUpdate {
  const it = readMessage(dispute, message)
  const status = disputeStatuses.get(it.status)
  if (status === undefined) throw unknownWord('status', it.status)
  const providerPaymentId = it.payment_id ?? it.reference_id
  if (providerPaymentId === null) throw new UnreadableError('payment_id and reference_id are missing')
  const { initial, terminal } = it.amount ?? {}
  const amount = rupiahOf(isAbsent(terminal) ? initial : terminal, it.currency)
  return {
    reference: it.reference_id,
    providerPaymentId,
    returns: [{ kind: 'chargeback', id: it.id, amount, status }],
    fact: { type: 'nothing', reason: `a dispute is ${it.status}` },
  }
}

const rupiahOf = (amount: unknown, currency: string | undefined) =>
  currency === undefined || currency === 'IDR' ? (parseAmount(amount) ?? null) : null
