import { z } from 'zod'
import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { refusal, type SnapAnswer, services, success } from './answer.ts'
import { customerNo, partnerServiceId, readFields } from './fields.ts'
import {
  idr,
  reportedStatus,
  type SnapDetail,
  snapOrder,
  transactionStatus,
  virtualAccountOf,
} from './order.ts'
import type { SnapCall } from './profile.ts'
import { inquiredHistory } from './refund-message.ts'
import { findByExternalId } from './replay.ts'
import { isoWib } from './time.ts'

// Handles status inquiries about Midtrans orders over SNAP, the Indonesian standard for payment APIs
// (docs.midtrans.com get-transaction-status-api).

export const paths = {
  createVa: '/v1.0/transfer-va/create-va',
  generateQr: '/v1.0/qr/qr-mpm-generate',
  payDebit: '/v1.0/debit/payment-host-to-host',
} as const

const vaQuery = z.object({
  partnerServiceId,
  customerNo,
  virtualAccountNo: z.string().min(1).max(28),
  inquiryRequestId: z.string().min(1).max(128),
  additionalInfo: z.looseObject({ merchantId: z.string().min(1) }),
})

/**
 * Finds the order by its trxId only, because a merchant that received no response does not know the virtual account
 * number. Midtrans does not document whether the number in the request must match the order's number.
 */
export function inquireVa(sandbox: Sandbox, call: SnapCall): SnapAnswer {
  const service = services.statusVa
  const read = readFields(service, vaQuery, call.body)
  if ('refused' in read) return read.refused
  const { inquiryRequestId, additionalInfo } = read.fields
  if (additionalInfo.merchantId !== call.merchant.credentials.merchant_id) {
    return refusal(service, 'unauthorized', 'Merchant does not have access')
  }
  const order = ownOrder(sandbox.store.findOfMerchant('snap', call.merchant.id, inquiryRequestId), call, 'va')
  if (!order) return refusal(service, 'notFound')
  const [paymentFlagStatus, english] = transactionStatus(order.status)
  return success(service, {
    virtualAccountData: {
      ...virtualAccountOf(order.detail),
      inquiryRequestId,
      totalAmount: idr(order.recordedCents),
      paymentFlagStatus,
      paymentFlagReason: { english },
      trxDateTime: isoWib(order.createdAt),
      ...(order.settledAt !== null && {
        transactionDate: isoWib(order.settledAt),
        paymentRequestId: order.id,
        paidAmount: idr(order.recordedCents),
      }),
    },
    additionalInfo: { merchantId: additionalInfo.merchantId },
  })
}

const text = z.string().nullish()
export const originals = {
  originalReferenceNo: text,
  originalPartnerReferenceNo: text,
  originalExternalId: text,
  merchantId: text,
}
const qrQuery = z.object({ ...originals, serviceCode: z.literal(services.generateQr) })
const debitQuery = z.object({ ...originals, serviceCode: z.literal(services.payDebit) })

export type Originals = { [name in keyof typeof originals]?: string | null | undefined }

/**
 * For an unknown order, the response is a success with the status "not found" instead of a 404 error. Midtrans
 * documents no 404 error for this inquiry.
 */
export function inquireQr(sandbox: Sandbox, call: SnapCall): SnapAnswer {
  const service = services.queryQr
  const read = readFields(service, qrQuery, call.body)
  if ('refused' in read) return read.refused
  const { originalReferenceNo, originalPartnerReferenceNo, originalExternalId } = read.fields
  if (!originalReferenceNo && !originalPartnerReferenceNo && !originalExternalId) {
    return refusal(service, 'mandatoryField', '{originalReferenceNo}')
  }
  const order = findQr(sandbox, call, read.fields)
  const serviceCode = services.generateQr
  if (!order) return success(service, { serviceCode, ...notFound })
  const [latestTransactionStatus, transactionStatusDesc] = reportedStatus(order)
  return success(service, {
    originalReferenceNo: order.id,
    originalPartnerReferenceNo: order.reference,
    originalExternalId: order.detail.externalId,
    serviceCode,
    latestTransactionStatus,
    transactionStatusDesc,
    ...(order.settledAt !== null && { paidTime: isoWib(order.settledAt) }),
    amount: idr(order.recordedCents),
    additionalInfo: { refundHistory: inquiredHistory(order) },
  })
}

/**
 * Finds the order by its referenceNo or by its create request's X-EXTERNAL-ID. The merchant's reference is not
 * enough: "either originalExternalId or originalReferenceNo need to be passed" (Midtrans).
 */
export function inquireDebit(sandbox: Sandbox, call: SnapCall): SnapAnswer {
  const service = services.statusDebit
  const read = readFields(service, debitQuery, call.body)
  if ('refused' in read) return read.refused
  if (!read.fields.originalReferenceNo && !read.fields.originalExternalId) {
    return refusal(service, 'mandatoryField', '{originalReferenceNo}')
  }
  const order = findDebit(sandbox, call, read.fields)
  const serviceCode = services.payDebit
  if (!order) return success(service, { serviceCode, ...notFound })
  const [latestTransactionStatus, transactionStatusDesc] = reportedStatus(order)
  return success(service, {
    originalPartnerReferenceNo: order.reference,
    originalReferenceNo: order.id,
    originalExternalId: order.detail.externalId,
    serviceCode,
    latestTransactionStatus,
    transactionStatusDesc,
    transAmount: idr(order.recordedCents),
    ...(order.settledAt !== null && { paidTime: isoWib(order.settledAt) }),
    refundHistory: inquiredHistory(order),
    additionalInfo: {
      fraudStatus: 'accept',
      ...(order.expiresAt !== null && { validUpTo: isoWib(order.expiresAt) }),
      userPaymentDetails: [
        { payMethod: order.detail.channel, payOption: order.detail.channel.toUpperCase() },
      ],
    },
  })
}

const notFound = { latestTransactionStatus: '07', transactionStatusDesc: 'Not found' }

export function findQr(sandbox: Sandbox, call: SnapCall, asked: Originals) {
  const { originalReferenceNo, originalPartnerReferenceNo, originalExternalId } = asked
  // If the request contains several IDs, originalReferenceNo takes precedence. Midtrans' documentation: "If both fields
  // have value, will use originalReferenceNo as the main identifier."
  if (originalReferenceNo) return ownOrder(sandbox.store.findById(originalReferenceNo), call, 'qr')
  if (originalExternalId) {
    return ownOrder(findByExternalId(sandbox, call, paths.generateQr, originalExternalId), call, 'qr')
  }
  const reference = originalPartnerReferenceNo ?? ''
  return ownOrder(sandbox.store.findOfMerchant('snap', call.merchant.id, reference), call, 'qr')
}

export function findDebit(sandbox: Sandbox, call: SnapCall, asked: Originals) {
  const { originalReferenceNo, originalExternalId } = asked
  if (originalReferenceNo) return ownOrder(sandbox.store.findById(originalReferenceNo), call, 'debit')
  const found = findByExternalId(sandbox, call, paths.payDebit, originalExternalId ?? '')
  return ownOrder(found, call, 'debit')
}

/**
 * Returns the order if it belongs to the calling merchant and has the given payment kind. Otherwise, the
 * result is undefined.
 */
export function ownOrder(order: Order | undefined, { merchant }: SnapCall, kind: SnapDetail['kind']) {
  if (!order || order.provider !== merchant.provider || order.merchant !== merchant.id) return undefined
  const own = snapOrder(order)
  return own.detail.kind === kind ? own : undefined
}
