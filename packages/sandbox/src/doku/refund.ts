import { z } from 'zod'
import type { Sandbox } from '../provider.ts'
import { refusal, services } from '../snap/answer.ts'
import { amount, centsAsked, readFields } from '../snap/fields.ts'
import { ownOrder } from '../snap/inquire.ts'
import { idr, type SnapOrder } from '../snap/order.ts'
import type { SnapCall } from '../snap/profile.ts'
import { judgeRefund, type Refunded, refundAnswer } from '../snap/refund.ts'
import { isoWib } from '../snap/time.ts'

// Handles refunds of DOKU wallet and QR payments. Sources: the refund class of doku-nodejs-library 1.0.52 and the
// QRIS page on developers.doku.com. The sandbox rejects a second use of a partnerRefundNo, a case that DOKU does
// not document.

const SHOPEE_PAY = 'EMONEY_SHOPEE_PAY_SNAP'

const debitFields = z
  .object({
    originalPartnerReferenceNo: z.string().min(1).max(64),
    originalExternalId: z.string().max(36).nullish(),
    refundAmount: amount,
    reason: z.string().max(255).nullish(),
    partnerRefundNo: z.string().min(1).max(64),
    additionalInfo: z.looseObject({
      channel: z.enum(['EMONEY_DANA_SNAP', SHOPEE_PAY, 'EMONEY_OVO_SNAP']),
    }),
  })
  .refine(
    ({ originalPartnerReferenceNo: reference, additionalInfo }) =>
      additionalInfo.channel !== 'EMONEY_OVO_SNAP' || reference.length <= 32,
    { path: ['originalPartnerReferenceNo'] },
  )

export function refundDebit(sandbox: Sandbox, call: SnapCall): Refunded {
  const service = services.refundDebitDoku
  const read = readFields(service, debitFields, call.body)
  if ('refused' in read) return { answer: read.refused }
  const { fields } = read
  const { channel } = fields.additionalInfo
  const order = findOrder(sandbox, call, 'debit', fields.originalPartnerReferenceNo)
  if (!order || order.detail.channel !== channel) return { answer: refusal(service, 'notFound') }
  const judged = judgeRefund(sandbox, order, service, {
    key: fields.partnerRefundNo,
    cents: centsAsked(fields.refundAmount),
    reason: fields.reason ?? '',
    partial: true,
  })
  if ('refused' in judged) return { answer: judged.refused }
  const { begun } = judged
  const body = {
    refundAmount: idr(begun.refund.amountCents),
    originalPartnerReferenceNo: order.reference,
    originalReferenceNo: order.id,
    partnerRefundNo: fields.partnerRefundNo,
    refundTime: isoWib(begun.refund.createdAt),
    // The response for ShopeePay has no refundNo, as in the response that DOKU publishes.
    ...(channel === SHOPEE_PAY
      ? { additionalInfo: { latestTransactionStatus: '00' } }
      : { refundNo: begun.refund.id }),
  }
  return { answer: refundAnswer(service, begun, body), begun }
}

const qrFields = z.object({
  originalPartnerReferenceNo: z.string().min(1).max(64),
  originalReferenceNo: z.string().min(1).max(64),
  partnerRefundNo: z.string().min(1).max(64),
  merchantId: z.string().min(1),
  reason: z.string().max(256).nullish(),
  // Accepts the amount as a number, as in DOKU's published request, or as a string, as in the SNAP standard.
  refundAmount: z.object({
    value: z.union([
      amount.shape.value,
      z
        .number()
        .positive()
        .transform(value => value.toFixed(2)),
    ]),
    currency: z.literal('IDR'),
  }),
  additionalInfo: z.looseObject({ approvalCode: z.string().min(1) }),
})

export function refundQr(sandbox: Sandbox, call: SnapCall): Refunded {
  const service = services.refundQr
  const read = readFields(service, qrFields, call.body)
  if ('refused' in read) return { answer: read.refused }
  const { fields } = read
  const order = findOrder(sandbox, call, 'qr', fields.originalPartnerReferenceNo)
  if (!order) return { answer: refusal(service, 'notFound') }
  if (fields.additionalInfo.approvalCode !== approvalCodeOf(order)) {
    return { answer: refusal(service, 'fieldFormat', '{additionalInfo.approvalCode}') }
  }
  const judged = judgeRefund(sandbox, order, service, {
    key: fields.partnerRefundNo,
    cents: centsAsked(fields.refundAmount),
    reason: fields.reason ?? '',
    partial: true,
  })
  if ('refused' in judged) return { answer: judged.refused }
  const { begun } = judged
  const body = {
    refundNo: begun.refund.id,
    // The refunded amount is a number, as in DOKU's published response.
    refundAmount: { value: begun.refund.amountCents / 100, currency: 'IDR' },
    refundTime: isoWib(begun.refund.createdAt),
  }
  return { answer: refundAnswer(service, begun, body), begun }
}

/**
 * Returns the approval code of a paid QR code. Merchants get the approval code from a status inquiry and must send
 * it in a refund request.
 */
export function approvalCodeOf({ id }: SnapOrder): string {
  return id.replaceAll('-', '').slice(-12)
}

function findOrder(sandbox: Sandbox, call: SnapCall, kind: 'debit' | 'qr', reference: string) {
  return ownOrder(sandbox.store.findOfMerchant('doku', call.merchant.id, reference), call, kind)
}
