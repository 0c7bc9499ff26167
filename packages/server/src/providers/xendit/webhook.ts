// What a webhook says, of whichever generation of Xendit's products: an account sends those of every product it
// has, to one address. Decided by the status, never by the event's name alone. Pure.

import type { ZodType } from 'zod'
import { centsOf } from '../../money.ts'
import { type CallbackReading, jsonOf, type ProviderReport, quoted } from '../provider.ts'
import { readOrRefuse } from '../unreadable.ts'
import {
  accountPayment,
  olderPayment,
  olderQrPayment,
  type Payment,
  payment,
  paymentRequest,
  qrPayment,
  storePayment,
  walletCharge,
  webhook,
} from './messages.ts'
import { arrival, paidBy, requestFact, timeOf } from './translate.ts'

type Fact = ProviderReport['fact']

const acknowledgement = { contentType: 'application/json', body: '{"status":"ok"}' }
/** Xendit retries up to six times after anything but a 2xx (docs.xendit.co handling-webhooks). */
const refusal = { status: 500, contentType: 'application/json', body: '{"status":"failed"}' }

const idFields = ['reference_id', 'external_id', 'payment_request_id', 'payment_id', 'id', 'qr_id']

export function readWebhook(body: Buffer): CallbackReading {
  return readOrRefuse(
    () => {
      const report = reportOf(jsonOf(body))
      if (!report) return { irrelevant: 'it concerns no payment', acknowledgement }
      return { reports: [report], acknowledgement }
    },
    { body, idFields, refusal },
  )
}

/** Undefined where the message is about no order. */
export function reportOf(message: unknown): ProviderReport | undefined {
  const envelope = webhook.safeParse(message).data
  return envelope ? ofEvent(envelope.event, envelope.data) : ofFlat(message)
}

function ofEvent(event: string, data: object): ProviderReport | undefined {
  switch (event) {
    case 'payment.capture':
    case 'payment.authorization':
    case 'payment.failure':
    case 'payment.expiry':
    case 'payment.succeeded':
    case 'payment.failed':
    case 'payment.pending':
      return read(payment, data, it => ofPayment(event, it)) ?? read(olderPayment, data, older(event))
    // Named `.expiry` in the documentation, `.expired` on the wire.
    case 'payment_request.expiry':
    case 'payment_request.expired':
      return read(paymentRequest, data, it =>
        report(it.reference_id, it.payment_request_id, ended(requestFact(it))),
      )
    case 'ewallet.capture':
    case 'ewallet.void':
      return read(walletCharge, data, it => report(it.reference_id, it.id, walletFact(event, it)))
    case 'qr.payment':
      return read(qrPayment, data, it => report(it.reference_id, it.qr_id, qrFact(it)))
    // Refunds, payment tokens and whatever else an account may be told.
    default:
      return undefined
  }
}

const older = (event: string) => (it: ReturnType<typeof olderPayment.parse>) =>
  ofPayment(event, {
    ...it,
    payment_id: it.id,
    payment_request_id: it.payment_request_id ?? it.id,
    request_amount: it.amount,
    captures: undefined,
    payment_details: undefined,
    channel_code: undefined,
  })

function ofPayment(event: string, it: Payment): ProviderReport {
  return report(it.reference_id, it.payment_request_id, paymentFact(event, it))
}

/**
 * A payment is one attempt under a payment request. That it came to nothing does not say that the request did: a
 * payer may open the wallet's page again. Only OVO asks the phone once.
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
      const reason = quoted(it.failure_code ?? 'the payment failed')
      return it.channel_code === 'OVO' && event === 'payment.failure'
        ? { type: 'failed', reason }
        : { type: 'unproven', reason: quoted(`an attempt failed: ${reason}`) }
    }
    case 'EXPIRED':
    case 'CANCELED':
      return { type: 'unproven', reason: quoted(`an attempt is ${it.status}`) }
    default:
      return { type: 'nothing', reason: quoted(`status ${it.status}`) }
  }
}

/** That a request's time is over says nothing but that; money has webhooks of its own. */
const ended = (fact: Fact): Fact =>
  fact.type === 'expired' ? fact : { type: 'unproven', reason: 'an expiry of a request that is not EXPIRED' }

const contradictory = (event: string, status: string): Fact => ({
  type: 'unproven',
  reason: quoted(`${status} under ${event}`),
})

/** ewallet.capture is sent for failures, too. */
function walletFact(event: string, it: ReturnType<typeof walletCharge.parse>): Fact {
  switch (it.status) {
    case 'SUCCEEDED': {
      if (event !== 'ewallet.capture') return contradictory(event, it.status)
      const amount = centsOf(it.capture_amount ?? it.charge_amount)
      return arrival({ amount, currency: it.currency, receipt: it.id, paidAt: timeOf(it.updated) })
    }
    case 'PENDING':
      return { type: 'pending' }
    case 'FAILED':
      return { type: 'failed', reason: quoted(it.failure_code ?? 'the charge failed') }
    default:
      return { type: 'nothing', reason: quoted(`${event} with status ${it.status}`) }
  }
}

function qrFact(it: ReturnType<typeof qrPayment.parse>): Fact {
  if (it.status !== 'SUCCEEDED') return { type: 'nothing', reason: quoted(`status ${it.status}`) }
  const { currency, id: receipt, created } = it
  return arrival({ amount: centsOf(it.amount), currency, receipt, paidAt: timeOf(created) })
}

/** Without an envelope. These products are Indonesian ones; where they name no currency it is rupiah. */
function ofFlat(message: unknown): ProviderReport | undefined {
  return (
    read(olderQrPayment, message, it => {
      const { id: receipt, qr_code, status, amount, currency, created: time } = it
      return report(qr_code.external_id, qr_code.id, flatFact({ status, amount, currency, receipt, time }))
    }) ??
    read(accountPayment, message, it => {
      const { amount, currency, payment_id: receipt, transaction_timestamp: time } = it
      const fact = flatFact({ status: 'COMPLETED', amount, currency, receipt, time })
      return report(it.external_id, it.callback_virtual_account_id, fact)
    }) ??
    read(storePayment, message, it => {
      const { status, amount, currency, payment_id: receipt, transaction_timestamp: time } = it
      const fact = flatFact({ status, amount, currency, receipt, time })
      return report(it.external_id, it.fixed_payment_code_id, fact)
    })
  )
}

function flatFact(it: {
  status: string
  amount: unknown
  currency?: string | undefined
  receipt: string
  time: string | undefined
}): Fact {
  // SETTLING is seen for store payments and not documented: asked about.
  if (it.status !== 'COMPLETED') return { type: 'unproven', reason: quoted(`status ${it.status}`) }
  const { amount, currency = 'IDR', receipt, time } = it
  return arrival({ amount: centsOf(amount), currency, receipt, paidAt: timeOf(time) })
}

const report = (reference: string, providerPaymentId: string, fact: Fact): ProviderReport => ({
  reference,
  providerPaymentId,
  fact,
})

function read<T>(
  schema: ZodType<T>,
  message: unknown,
  as: (it: T) => ProviderReport,
): ProviderReport | undefined {
  const parsed = schema.safeParse(message)
  return parsed.success ? as(parsed.data) : undefined
}
