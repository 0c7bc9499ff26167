import { z } from 'zod'
import { heldCents, type MoneyReturn, withReturn } from '../money-return.ts'
import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { pendingMs, type RefundSteering, refundSteeringOf } from '../refund-steering.ts'
import { report } from '../report.ts'
import { finishReturn, newReturn } from '../return-money.ts'
import { accepted, refusal, type Service, type SnapAnswer, services, success } from './answer.ts'
import { amount, centsAsked, readFields } from './fields.ts'
import { findDebit, findQr } from './inquire.ts'
import { idr, type SnapOrder } from './order.ts'
import type { SnapCall } from './profile.ts'
import { isoWib } from './time.ts'

// Handles requests to refund Midtrans payments over SNAP, the Indonesian standard for payment APIs
// (docs.midtrans.com refund-api).

/** The response to a refund request and, if it was accepted, the refund. */
export type Refunded = { answer: SnapAnswer; begun?: Begun }
export type Begun = { order: Order; refund: MoneyReturn; steering: RefundSteering | undefined }

const fields = z.object({
  originalPartnerReferenceNo: z.string().min(1).max(64),
  originalReferenceNo: z.string().max(64).nullish(),
  originalExternalId: z.string().max(36).nullish(),
  partnerRefundNo: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  // The amount to refund. If absent, the whole remaining amount is refunded.
  refundAmount: amount.nullish(),
  reason: z.string().max(256).nullish(),
})
const qrFields = fields.extend({ merchantId: z.string().min(1) })

export function refundDebit(sandbox: Sandbox, call: SnapCall): Refunded {
  const service = services.refundDebit
  const read = readFields(service, fields, call.body)
  if ('refused' in read) return { answer: read.refused }
  return refund(sandbox, service, read.fields, {
    find: () => findDebit(sandbox, call, read.fields),
    // ShopeePay allows only full refunds (docs.midtrans.com refund-api).
    partial: order => order.detail.channel !== 'shopeepay',
    idField: 'refundNo',
  })
}

export function refundQr(sandbox: Sandbox, call: SnapCall): Refunded {
  const service = services.refundQr
  const read = readFields(service, qrFields, call.body)
  if ('refused' in read) return { answer: read.refused }
  if (read.fields.merchantId !== call.merchant.credentials.merchant_id) {
    return { answer: refusal(service, 'invalidMerchant') }
  }
  // Midtrans' documentation requires, but only for QR code refunds: "X-EXTERNAL-ID … must be the same as
  // partnerRefundNo".
  if (call.externalId !== read.fields.partnerRefundNo) {
    return { answer: refusal(service, 'fieldFormat', 'X-EXTERNAL-ID') }
  }
  return refund(sandbox, service, read.fields, {
    find: () => findQr(sandbox, call, read.fields),
    partial: order => order.detail.channel !== 'airpay shopee',
    idField: 'referenceNo',
  })
}

type Kind = {
  find: () => SnapOrder | undefined
  partial: (order: SnapOrder) => boolean
  // The response field that contains the provider's refund ID.
  idField: 'refundNo' | 'referenceNo'
}

function refund(
  sandbox: Sandbox,
  service: Service,
  asked: z.infer<typeof fields>,
  { find, partial, idField }: Kind,
): Refunded {
  if (!asked.originalReferenceNo && !asked.originalExternalId) {
    return { answer: refusal(service, 'mandatoryField', '{originalReferenceNo}') }
  }
  const order = find()
  if (!order || order.reference !== asked.originalPartnerReferenceNo) {
    return { answer: refusal(service, 'notFound') }
  }
  const cents = asked.refundAmount ? centsAsked(asked.refundAmount) : heldCents(order)
  const judged = judgeRefund(sandbox, order, service, {
    key: asked.partnerRefundNo,
    cents,
    reason: asked.reason ?? '',
    partial: partial(order),
  })
  if ('refused' in judged) return { answer: judged.refused }
  const { begun } = judged
  const body = {
    originalPartnerReferenceNo: order.reference,
    originalReferenceNo: order.id,
    originalExternalId: order.detail.externalId,
    [idField]: begun.refund.id,
    partnerRefundNo: asked.partnerRefundNo,
    refundAmount: idr(begun.refund.amountCents),
    refundTime: isoWib(begun.refund.createdAt),
  }
  return { answer: refundAnswer(service, begun, body), begun }
}

/** Checks a SNAP refund request. Returns the refund to record, or an error. */
export function judgeRefund(
  sandbox: Sandbox,
  order: SnapOrder,
  service: Service,
  {
    key,
    cents,
    reason,
    partial,
  }: { key: string; cents: number | undefined; reason: string; partial: boolean },
): { begun: Begun } | { refused: SnapAnswer } {
  const steering = refundSteeringOf(order)
  if (steering === 'outage') return { refused: refusal(service, 'unavailable') }
  if (order.returns.some(each => each.key === key)) {
    return { refused: refusal(service, 'sameRefund') }
  }
  const held = heldCents(order)
  if (held <= 0) return { refused: refusal(service, 'invalidStatus') }
  if (cents === undefined || cents > held) return { refused: refusal(service, 'invalidAmount') }
  if (steering === 'no_funds') return { refused: refusal(service, 'insufficientFunds') }
  const isPart = cents !== order.recordedCents
  if (steering === 'reject' || (isPart && !partial)) return { refused: refusal(service, 'notPermitted') }
  const made = newReturn(sandbox, order, { kind: 'refund', key, amountCents: cents, reason })
  return { begun: { order, refund: isLater(steering) ? made : finalNow(made), steering } }
}

function isLater(steering: RefundSteering | undefined): boolean {
  return steering === 'slow' || steering === 'fail'
}

/** Marks the refund as succeeded, because in SNAP a successful response means that the refund is complete. */
function finalNow(refund: MoneyReturn): MoneyReturn {
  return { ...refund, status: 'succeeded', finalAt: refund.createdAt }
}

export function refundAnswer(
  service: Service,
  { refund: { status } }: Begun,
  body: Record<string, unknown>,
): SnapAnswer {
  return status === 'pending' ? accepted(service, body) : success(service, body)
}

/** Notifies the merchant of a refund without delaying the response to the refund request. */
export function reportRefund(sandbox: Sandbox, { order, refund: made, steering }: Begun): void {
  if (made.status !== 'pending') {
    void report(sandbox, withReturn(order, made), { returned: made })
    return
  }
  const status = steering === 'fail' ? 'failed' : 'succeeded'
  void finishReturn(sandbox, order, made, { status, pauseMs: pendingMs(steering) })
}
