import { v4 as uuid } from 'uuid'
import { z } from 'zod'
import { heldCents, type MoneyReturn } from '../money-return.ts'
import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { pendingMs, type RefundSteering, refundSteeringOf } from '../refund-steering.ts'
import { finishReturn, newReturn } from '../return-money.ts'
import { acceptedAnswer, type CreateAnswer } from '../steering.ts'
import { type Answer, refusal } from './errors.ts'
import { channelOf, findOwn, rupiahOf, sameIdAs, timeOf, type XenditOrder } from './order.ts'
import { ruleRefusal, xenditRules } from './rules.ts'
import { idr, metadata, read } from './schema.ts'

// Handles refunds of Xendit's v2 and v3 payment requests (docs.xendit.co refund-payment-request).

type Message = Record<string, unknown>

const reasons = ['FRAUDULENT', 'DUPLICATE', 'REQUESTED_BY_CUSTOMER', 'CANCELLATION', 'OTHERS'] as const

const request = z.object({
  payment_request_id: z.string().min(1),
  reason: z.enum(reasons),
  // The amount to refund in rupiah. If absent, the whole remaining amount is refunded.
  amount: z.int().positive().nullish(),
  currency: idr.nullish(),
  reference_id: z.string().min(1).max(255).nullish(),
  metadata,
})

type Refundable = { partial: boolean; several: boolean }
const inFullOnce: Refundable = { partial: false, several: false }
const partialOnce: Refundable = { partial: true, several: false }
const anyPart: Refundable = { partial: true, several: true }

/**
 * The channels whose payments can be refunded (docs.xendit.co, April 2026). For Kredivo, an older page allows
 * partial refunds, but the newer page does not. All other channels allow no refunds: virtual accounts,
 * stores, AstraPay, and OVO without a token.
 */
const refundable: Record<string, Refundable> = {
  QRIS: anyPart,
  DANA: anyPart,
  GOPAY: anyPart,
  SHOPEEPAY: anyPart,
  LINKAJA: inFullOnce,
  JENIUSPAY: partialOnce,
  AKULAKU: partialOnce,
  KREDIVO: inFullOnce,
  INDODANA: partialOnce,
}

/** Handles a refund request and records the refund. Its webhook is sent later. */
export function createRefund(
  sandbox: Sandbox,
  merchant: string,
  body: unknown,
  idempotencyKey: string | undefined,
): CreateAnswer {
  const scope = idempotencyKey && `xendit:${merchant}:refund:${idempotencyKey}`
  const first = scope && sandbox.store.findReplay(scope)
  if (first) return acceptedAnswer(undefined, first)
  const broken = ruleRefusal(xenditRules.refund, body)
  if (broken) return written(broken)
  const parsed = read(request, body, 'path')
  if ('refused' in parsed) return written(parsed.refused)
  const order = findOwn(sandbox, merchant, parsed.value.payment_request_id, ['v2', 'v3'])
  if (!order) return written(refusal('DATA_NOT_FOUND'))
  const steering = refundSteeringOf(order)
  if (steering === 'outage') return written(refusal('CHANNEL_UNAVAILABLE'))
  const { amount, reason, reference_id } = parsed.value
  const amountCents = amount ? amount * 100 : heldCents(order)
  const refused = steeredRefusal(steering) ?? fault(order, amountCents)
  if (refused) return written(refused)
  const key = reference_id ?? uuid()
  const refund = newReturn(sandbox, order, { kind: 'refund', key, amountCents, reason })
  const answer = { status: 200, body: JSON.stringify(refundMessage(order, refund)) }
  sandbox.store.together(() => {
    sandbox.store.recordReturn(order.seq, refund)
    if (scope) sandbox.store.saveReplay(scope, answer.status, answer.body)
  })
  const status = steering === 'fail' ? 'failed' : 'succeeded'
  // The response to a refund request always has the status pending, as Xendit documents. A webhook then
  // reports the result of the refund.
  void finishReturn(sandbox, order, refund, { status, pauseMs: pendingMs(steering) })
  return acceptedAnswer(steering === 'timeout' ? 'timeout' : undefined, answer)
}

function steeredRefusal(steering: RefundSteering | undefined): Answer | undefined {
  if (steering === 'reject') return refusal('REFUND_NOT_SUPPORTED')
  return steering === 'no_funds' ? refusal('INSUFFICIENT_BALANCE') : undefined
}

function fault(order: XenditOrder, amountCents: number): Answer | undefined {
  if (order.status !== 'paid') return refusal('INELIGIBLE_TRANSACTION_STATUS')
  const rule = refundable[channelOf(order).code]
  if (!rule) return refusal('REFUND_NOT_SUPPORTED')
  const refunds = order.returns.filter(({ kind, status }) => kind === 'refund' && status !== 'failed')
  if (refunds.some(({ status }) => status === 'pending')) return refusal('REFUND_IN_PROGRESS')
  if (amountCents > heldCents(order) || amountCents <= 0) return refusal('REFUND_AMOUNT_EXCEEDED')
  if (!rule.partial && amountCents !== order.recordedCents) return refusal('PARTIAL_REFUND_NOT_SUPPORTED')
  return !rule.several && refunds.length > 0 ? refusal('PARTIAL_REFUND_COUNTS_EXCEEDED') : undefined
}

/** Finds one of this merchant's refunds by its ID. */
export function findRefund(
  sandbox: Sandbox,
  merchant: string,
  id: string,
): { order: XenditOrder; refund: MoneyReturn } | undefined {
  const order = findOwn(sandbox, merchant, sandbox.store.findByReturn(id)?.id, ['v2', 'v3'])
  const refund = order?.returns.find(each => each.id === id && each.kind === 'refund')
  return order && refund && { order, refund }
}

/** Finds one of this merchant's disputes by its ID. */
export function findDispute(
  sandbox: Sandbox,
  merchant: string,
  id: string,
): { order: XenditOrder; dispute: MoneyReturn } | undefined {
  const order = findOwn(sandbox, merchant, sandbox.store.findByReturn(id)?.id, ['v2', 'v3', 'qr_code'])
  const dispute = order?.returns.find(each => each.id === id && each.kind === 'chargeback')
  return order && dispute && { order, dispute }
}

export function refundMessage(order: XenditOrder, refund: MoneyReturn): Message {
  const { code, kind } = channelOf(order)
  return {
    id: refund.id,
    payment_request_id: order.id,
    payment_id: sameIdAs(order, 'py-'),
    invoice_id: null,
    payment_method_type: kind,
    reference_id: refund.key ?? refund.id,
    channel_code: code,
    currency: 'IDR',
    amount: rupiahOf(refund.amountCents),
    status: refund.status.toUpperCase(),
    reason: refund.reason || 'OTHERS',
    failure_code: refund.status === 'failed' ? 'REFUND_FAILED' : null,
    refund_fee_amount: null,
    metadata: null,
    created: timeOf(refund.createdAt),
    updated: timeOf(refund.finalAt ?? refund.createdAt),
  }
}

export function newReturnId(_order: Order, kind: MoneyReturn['kind']): string {
  return kind === 'refund' ? `rfd-${uuid()}` : `mi-dspt-${uuid()}`
}

function written({ status, body }: Answer): CreateAnswer {
  return acceptedAnswer(undefined, { status, body: JSON.stringify(body) })
}
