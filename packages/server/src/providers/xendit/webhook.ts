// Reads webhooks for all Xendit products, because an account sends all of its webhooks to one URL. The status
// in a webhook determines the webhook's effect. The event name alone never does.

import {
  isAbsent,
  parsePaidAmount,
  parseText,
  readMessage,
  UnreadableError,
  unknownWord,
} from '../lenient-fields.ts'
import {
  type CallbackReading,
  type CallbackUpdate,
  type ProviderUpdate,
  parseProviderJson,
  toSafeText,
} from '../provider.ts'
import { readOrUnreadable } from '../unreadable-message.ts'
import {
  accountCreated,
  accountPayment,
  olderPayment,
  olderQrPayment,
  type Payment,
  payment,
  paymentRequest,
  qrPayment,
  storePayment,
  walletCharge,
} from './messages.ts'
import { disputed, refunded } from './returns.ts'
import { arrival, paidBy, timeOf } from './translate.ts'

type Fact = ProviderUpdate['fact']

const acknowledgement = { contentType: 'application/json', body: '{"status":"ok"}' }
/**
 * The response that makes Xendit send a webhook again. Xendit retries up to six times after any response other than 2xx
 * (docs.xendit.co handling-webhooks).
 */
const refusal = { status: 500, contentType: 'application/json', body: '{"status":"failed"}' }

const idFields = [
  ...['reference_id', 'external_id', 'payment_request_id', 'payment_id', 'id', 'qr_id'],
  ...['callback_virtual_account_id', 'fixed_payment_code_id'],
]

export function readWebhook(body: Buffer): CallbackReading {
  return readOrUnreadable(
    () => {
      const update = updateOf(parseProviderJson(body))
      if (typeof update === 'string') return { irrelevant: update, acknowledgement }
      return { updates: [update], acknowledgement }
    },
    { body, idFields, refusal },
  )
}

/**
 * Returns what a webhook reports, or a description of a webhook that is not about a payment. Throws
 * UnreadableError.
 */
export function updateOf(message: unknown): CallbackUpdate | string {
  if (typeof message !== 'object' || message === null)
    throw new UnreadableError('the message is not a JSON object')
  const { event, data, qr_code } = message as Record<string, unknown>
  if (isAbsent(event) && data === undefined) return ofFlat(message)
  const name = parseText(event)
  if (name === undefined) throw new UnreadableError('event cannot be read')
  return name === 'qr.payment' && qr_code !== undefined
    ? ofOlderQrPayment(message)
    : ofEvent(name, data, message)
}

/**
 * Matches events that do not report a payment (docs.xendit.co payouts, payment-tokens). If a payment follows
 * such an event, Xendit reports the payment in a separate webhook.
 */
const otherProducts = /^(payment_token|payment_method|payment_session|payout|v3_payout|recurring|report)\./

/** Reads a webhook with an event name. `message` is the whole webhook, which contains `data`. */
function ofEvent(event: string, data: unknown, message: object): CallbackUpdate | string {
  switch (event) {
    case 'payment.capture':
    case 'payment.authorization':
    case 'payment.failure':
    case 'payment.expiry':
    case 'payment.succeeded':
    case 'payment.failed':
    case 'payment.pending':
      return ofPayment(event, toPayment(data))
    // Xendit documents the event as `.expiry`, but real webhooks have `.expired`.
    case 'payment_request.expiry':
    case 'payment_request.expired': {
      const it = readMessage(paymentRequest, data)
      return update(it.reference_id, it.payment_request_id, ended(it.status))
    }
    case 'ewallet.capture':
    case 'ewallet.void': {
      const it = readMessage(walletCharge, data)
      return update(it.reference_id, it.id, walletFact(event, it))
    }
    case 'qr.payment': {
      const it = readMessage(qrPayment, data)
      return update(it.reference_id, it.qr_id, qrFact(it))
    }
    case 'refund.succeeded':
    case 'refund.failed':
      return refunded(event, data)
  }
  if (event.startsWith('dispute.')) return disputed(data ?? message)
  if (otherProducts.test(event)) return `event ${toSafeText(event)}`
  throw unknownWord('event', event)
}

/** Reads a payment of API v3 or of the API before v3, which names some fields differently. */
function toPayment(data: unknown): Payment {
  const isOlder = typeof data === 'object' && data !== null && !('payment_id' in data) && 'id' in data
  if (!isOlder) return readMessage(payment, data)
  const it = readMessage(olderPayment, data)
  return {
    ...it,
    payment_id: it.id,
    payment_request_id: it.payment_request_id ?? it.id,
    request_amount: it.amount,
    captures: undefined,
    payment_details: undefined,
    channel_code: undefined,
  }
}

function ofPayment(event: string, it: Payment): CallbackUpdate {
  return update(it.reference_id, it.payment_request_id, paymentFact(event, it))
}

/**
 * Returns what a payment webhook reports. A payment is one attempt to pay a payment request. If the attempt fails,
 * the payer may try again, except with OVO.
 */
function paymentFact(event: string, it: Payment): Fact {
  switch (it.status) {
    case 'SUCCEEDED':
      if (event !== 'payment.capture' && event !== 'payment.succeeded') return contradictory(event, it.status)
      return paidBy(it)
    case 'AUTHORIZED':
    case 'PENDING':
      return { type: 'pending' }
    case 'FAILED': {
      const reason = toSafeText(it.failure_code ?? 'the payment failed')
      return it.channel_code === 'OVO' && event === 'payment.failure'
        ? { type: 'failed', reason }
        : { type: 'unproven', reason: toSafeText(`an attempt failed: ${reason}`) }
    }
    case 'EXPIRED':
    case 'CANCELED':
      return { type: 'unproven', reason: toSafeText(`an attempt is ${it.status}`) }
    default:
      throw unknownWord('status', it.status)
  }
}

/**
 * Returns what an expiry webhook reports. An expiry webhook is never proof of a payment, because Xendit
 * reports payments in separate webhooks.
 */
function ended(status: string): Fact {
  if (status === 'EXPIRED') return { type: 'expired' }
  return {
    type: 'unproven',
    reason: toSafeText(`the webhook reports an expiry, but its payment request has the status ${status}`),
  }
}

const contradictory = (event: string, status: string): Fact => ({
  type: 'unproven',
  reason: toSafeText(`${status} under ${event}`),
})

/**
 * Returns what an e-wallet webhook reports. The event ewallet.capture alone does not prove a payment, because
 * Xendit also sends this event for failures.
 */
function walletFact(event: string, it: ReturnType<typeof walletCharge.parse>): Fact {
  switch (it.status) {
    case 'SUCCEEDED': {
      if (event !== 'ewallet.capture') return contradictory(event, it.status)
      const field = isAbsent(it.capture_amount) ? 'charge_amount' : 'capture_amount'
      const details = { receipt: it.id, paidAt: timeOf(it.updated) }
      return arrival(parsePaidAmount(field, it[field]), it.currency, details)
    }
    case 'PENDING':
      return { type: 'pending' }
    case 'FAILED':
      return { type: 'failed', reason: toSafeText(it.failure_code ?? 'the charge failed') }
    case 'VOIDED':
    case 'REFUNDED':
      return { type: 'nothing', reason: toSafeText(`${event} with status ${it.status}`) }
    default:
      throw unknownWord('status', it.status)
  }
}

function qrFact(it: ReturnType<typeof qrPayment.parse>): Fact {
  switch (it.status) {
    case 'SUCCEEDED': {
      const details = { receipt: it.id, paidAt: timeOf(it.created) }
      return arrival(parsePaidAmount('amount', it.amount), it.currency, details)
    }
    case 'PENDING':
    case 'FAILED':
      return { type: 'nothing', reason: `status ${it.status}` }
    default:
      throw unknownWord('status', it.status)
  }
}

function ofOlderQrPayment(message: object): CallbackUpdate {
  const { qr_code, id: receipt, created: time, ...it } = readMessage(olderQrPayment, message)
  const { status, amount, currency } = it
  return update(qr_code.external_id, qr_code.id, flatFact({ status, amount, currency, receipt, time }))
}

/**
 * Reads a webhook without an envelope (`event` and `data`). Only Xendit's Indonesian products send such
 * webhooks, so a missing currency means IDR.
 */
function ofFlat(message: object): CallbackUpdate | string {
  if ('qr_code' in message) return ofOlderQrPayment(message)
  if ('callback_virtual_account_id' in message) {
    const it = readMessage(accountPayment, message)
    const { amount, currency, payment_id: receipt, transaction_timestamp: time } = it
    const fact = flatFact({ status: 'COMPLETED', amount, currency, receipt, time })
    return update(it.external_id, it.callback_virtual_account_id, fact)
  }
  if ('fixed_payment_code_id' in message) {
    const it = readMessage(storePayment, message)
    const { status, amount, currency, payment_id: receipt, transaction_timestamp: time } = it
    const fact = flatFact({ status, amount, currency, receipt, time })
    return update(it.external_id, it.fixed_payment_code_id, fact)
  }
  if (accountCreated.safeParse(message).success) return 'a fixed virtual account was created'
  throw new UnreadableError('the kind of the message is unknown')
}

function flatFact(it: {
  status: string
  amount: unknown
  currency: string | null
  receipt: string
  time: string | undefined
}): Fact {
  // A store payment can have the undocumented status SETTLING. Any status other than COMPLETED must be
  // confirmed by a status inquiry.
  if (it.status !== 'COMPLETED') return { type: 'unproven', reason: toSafeText(`status ${it.status}`) }
  const { amount, currency, receipt, time } = it
  return arrival(parsePaidAmount('amount', amount), currency ?? 'IDR', { receipt, paidAt: timeOf(time) })
}

const update = (reference: string | null, providerPaymentId: string, fact: Fact): CallbackUpdate => ({
  reference,
  providerPaymentId,
  fact,
})
