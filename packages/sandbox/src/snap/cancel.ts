import { z } from 'zod'
import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { refusal, type SnapAnswer, services, success } from './answer.ts'
import { customerNo, partnerServiceId, readFields } from './fields.ts'
import { findDebit, findQr, originals, ownOrder } from './inquire.ts'
import { type SnapOrder, virtualAccountOf } from './order.ts'
import type { SnapCall } from './profile.ts'
import { isoWib } from './time.ts'

// Handles requests to cancel unpaid Midtrans orders over SNAP, the Indonesian standard for payment APIs
// (docs.midtrans.com cancel-api).

export type Cancelled = { answer: SnapAnswer; changed?: Order }

const vaFields = z.object({
  partnerServiceId,
  customerNo,
  virtualAccountNo: z.string().min(1).max(28),
  trxId: z.string().min(1).max(64),
  additionalInfo: z.looseObject({ merchantId: z.string().min(1) }),
})

export function cancelVa(sandbox: Sandbox, call: SnapCall): Cancelled {
  const service = services.deleteVa
  const read = readFields(service, vaFields, call.body)
  if ('refused' in read) return { answer: read.refused }
  const { trxId, virtualAccountNo, additionalInfo } = read.fields
  if (additionalInfo.merchantId !== call.merchant.credentials.merchant_id) {
    return { answer: refusal(service, 'invalidMerchant') }
  }
  const order = ownOrder(sandbox.store.findOfMerchant('snap', call.merchant.id, trxId), call, 'va')
  if (!order || virtualAccountOf(order.detail).virtualAccountNo !== virtualAccountNo) {
    return { answer: refusal(service, 'notFound') }
  }
  if (order.status !== 'pending') return { answer: refusal(service, 'notPermitted', 'Already final') }
  const virtualAccountData = { ...virtualAccountOf(order.detail), trxId, additionalInfo: {} }
  return { answer: success(service, { virtualAccountData }), changed: cancelled(order) }
}

const qrFields = z.object({ ...originals, merchantId: z.string().min(1), reason: z.string().min(1).max(256) })

export function cancelQr(sandbox: Sandbox, call: SnapCall): Cancelled {
  const service = services.cancelQr
  const read = readFields(service, qrFields, call.body)
  if ('refused' in read) return { answer: read.refused }
  const { fields } = read
  if (!fields.originalReferenceNo && !fields.originalExternalId) {
    return { answer: refusal(service, 'mandatoryField', '{originalReferenceNo}') }
  }
  const order = findQr(sandbox, call, fields)
  if (!order) return { answer: refusal(service, 'notFound') }
  if (order.status !== 'pending') return { answer: refusal(service, 'notPermitted', 'Already final') }
  const answer = success(service, {
    originalPartnerReferenceNo: order.reference,
    originalReferenceNo: order.id,
    originalExternalId: order.detail.externalId,
    cancelTime: isoWib(Date.now()),
  })
  return { answer, changed: cancelled(order) }
}

const debitFields = z.object(originals)

export function cancelDebit(sandbox: Sandbox, call: SnapCall): Cancelled {
  const service = services.cancelDebit
  const read = readFields(service, debitFields, call.body)
  if ('refused' in read) return { answer: read.refused }
  if (!read.fields.originalReferenceNo && !read.fields.originalExternalId) {
    return { answer: refusal(service, 'mandatoryField', '{originalReferenceNo}') }
  }
  const order = findDebit(sandbox, call, read.fields)
  if (!order) return { answer: refusal(service, 'notFound') }
  if (order.status !== 'pending') return { answer: refusal(service, 'notPermitted', 'Already final') }
  const answer = success(service, { originalReferenceNo: order.id, cancelTime: isoWib(Date.now()) })
  return { answer, changed: cancelled(order) }
}

function cancelled(order: SnapOrder): Order {
  return { ...order, status: 'cancelled', settledAt: null }
}
