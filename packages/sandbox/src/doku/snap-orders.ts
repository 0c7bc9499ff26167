import { z } from 'zod'
import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { refusal, type Service, type SnapAnswer, services, success } from '../snap/answer.ts'
import type { Cancelled } from '../snap/cancel.ts'
import { amount, centsAsked, customerNo, isoTime, partnerServiceId, readFields } from '../snap/fields.ts'
import { originals, ownOrder } from '../snap/inquire.ts'
import { idr, type SnapOrder, virtualAccountOf } from '../snap/order.ts'
import type { SnapCall } from '../snap/profile.ts'
import { inquiredHistory } from '../snap/refund-message.ts'
import { isoWib } from '../snap/time.ts'
import { snapStatus, transactionStatus } from './order.ts'
import { approvalCodeOf } from './refund.ts'

// Handles DOKU's requests over SNAP (the Indonesian standard for payment APIs) that read an order's status, or
// change or delete a virtual account.

// At most this many orders with the same virtual account number are searched. In practice, there are fewer.
const ORDERS_OF_A_NUMBER = 100

const account = {
  partnerServiceId,
  customerNo,
  virtualAccountNo: z.string().min(1).max(28),
}
const vaQuery = z.object({ ...account, inquiryRequestId: z.string().max(128).nullish() })

/**
 * Finds the order by its virtual account number. The response contains no status code, as DOKU's clients expect. For an
 * expired account, an integration with live traffic receives the error code 4032600 and the text "Expired".
 */
export function inquireVa(sandbox: Sandbox, call: SnapCall): SnapAnswer {
  const service = services.statusVa
  const read = readFields(service, vaQuery, call.body)
  if ('refused' in read) return read.refused
  const order = ordersOfNumber(sandbox, call, read.fields.virtualAccountNo)[0]
  if (!order) return refusal(service, 'notFound')
  if (order.status === 'expired') {
    const { body, ...rest } = refusal(service, 'expired')
    const virtualAccountData = {
      paymentFlagReason: { english: 'Expired', indonesia: 'Kadaluarsa' },
      ...virtualAccountOf(order.detail),
      trxId: order.reference,
    }
    return { ...rest, body: { ...body, virtualAccountData } }
  }
  const [, words] = transactionStatus(order.status)
  const paid = order.settledAt !== null
  return success(service, {
    virtualAccountData: {
      paymentFlagReason: { english: words, indonesia: inIndonesian[words] ?? words },
      ...virtualAccountOf(order.detail),
      trxId: order.reference,
      inquiryRequestId: read.fields.inquiryRequestId ?? null,
      paymentRequestId: paid ? order.id : null,
      ...(paid && { paidAmount: idr(order.recordedCents) }),
      billDetails: [{ billAmount: idr(order.askedCents) }],
    },
    additionalInfo: { acquirer: { id: order.detail.channel.replace('VIRTUAL_ACCOUNT_', '') } },
  })
}

/** `updated` is the order after the merchant changed it. The change does not affect the order's status. */
export type Updated = Cancelled & { updated?: Order }

const inIndonesian: Record<string, string> = {
  Success: 'Sukses',
  Pending: 'Tertunda',
  Canceled: 'Dibatalkan',
  Failed: 'Gagal',
}

const deleteFields = z.object({
  ...account,
  trxId: z.string().min(1).max(64),
  additionalInfo: z.looseObject({ channel: z.string().min(1) }),
})

export function deleteVa(sandbox: Sandbox, call: SnapCall): Cancelled {
  const service = services.deleteVa
  const read = readFields(service, deleteFields, call.body)
  if ('refused' in read) return { answer: read.refused }
  const { trxId, additionalInfo } = read.fields
  const found = openAccount(sandbox, call, service, read.fields)
  if ('refused' in found) return { answer: found.refused }
  const { order } = found
  const virtualAccountData = { ...virtualAccountOf(order.detail), trxId, additionalInfo }
  return {
    answer: success(service, { virtualAccountData }),
    changed: { ...order, status: 'cancelled', settledAt: null },
  }
}

const updateFields = z.object({
  ...account,
  trxId: z.string().min(1).max(64),
  virtualAccountName: z.string().min(1).max(255).nullish(),
  totalAmount: amount.nullish(),
  expiredDate: isoTime.nullish(),
  additionalInfo: z.looseObject({
    channel: z.string().min(1),
    virtualAccountConfig: z.looseObject({ status: z.enum(['ACTIVE', 'INACTIVE']).nullish() }).nullish(),
  }),
})

/**
 * Changes a virtual account's name, amount and expiry to those in the request. The status INACTIVE deletes the
 * virtual account.
 */
export function updateVa(sandbox: Sandbox, call: SnapCall): Updated {
  const service = services.updateVa
  const read = readFields(service, updateFields, call.body)
  if ('refused' in read) return { answer: read.refused }
  const { trxId, additionalInfo, virtualAccountName, totalAmount, expiredDate } = read.fields
  const found = openAccount(sandbox, call, service, read.fields)
  if ('refused' in found) return { answer: found.refused }
  const cents = totalAmount ? centsAsked(totalAmount) : found.order.askedCents
  if (cents === undefined) return { answer: refusal(service, 'invalidAmount') }
  const expiresAt = expiredDate ?? found.order.expiresAt
  if (expiresAt !== null && expiresAt <= Date.now()) {
    return { answer: refusal(service, 'fieldFormat', '{expiredDate}') }
  }
  const customer = virtualAccountName ?? found.order.customer
  const order = { ...found.order, customer, askedCents: cents, recordedCents: cents, expiresAt }
  const virtualAccountData = {
    ...virtualAccountOf(order.detail),
    virtualAccountName: customer,
    trxId,
    totalAmount: idr(cents),
    ...(expiresAt !== null && { expiredDate: isoWib(expiresAt) }),
    additionalInfo,
  }
  const answer = success(service, { virtualAccountData })
  return additionalInfo.virtualAccountConfig?.status === 'INACTIVE'
    ? { answer, changed: { ...order, status: 'cancelled', settledAt: null } }
    : { answer, updated: order }
}

/**
 * Finds the virtual account with the given number and trxId. Returns an error if it does not exist or is not pending.
 */
function openAccount(
  sandbox: Sandbox,
  call: SnapCall,
  service: Service,
  { virtualAccountNo, trxId }: { virtualAccountNo: string; trxId: string },
): { order: SnapOrder } | { refused: SnapAnswer } {
  const order = ordersOfNumber(sandbox, call, virtualAccountNo).find(({ reference }) => reference === trxId)
  if (!order) return { refused: refusal(service, 'notFound') }
  if (order.status === 'paid') return { refused: refusal(service, 'paidBill') }
  return order.status === 'pending' ? { order } : { refused: refusal(service, 'expiredBill') }
}

// DOKU's sample inquiry contains originalReferenceNo, and so does every published integration. No available page marks
// the field as mandatory. The sandbox requires it, so that an adapter that omits it fails its tests.
const qrQuery = z.object({
  ...originals,
  originalReferenceNo: z.string().min(1),
  serviceCode: z.string().length(2),
})
// DOKU requires the service code 55, the code of the status service. Source: checkStatusDirectDebitRequestDTO.js in
// doku-nodejs-library, and the PHP and Python libraries. Midtrans and the SNAP standard require 54, the code of the
// payment service.
const debitQuery = z.object({ ...originals, serviceCode: z.literal(services.statusDebit) })

export function inquireQr(sandbox: Sandbox, call: SnapCall): SnapAnswer {
  const service = services.queryQr
  const found = askedFor(sandbox, call, 'qr', service, qrQuery)
  if ('refused' in found) return found.refused
  const { order } = found
  const [latestTransactionStatus, transactionStatusDesc] = snapStatus(order)
  return success(service, {
    originalReferenceNo: order.reference,
    originalPartnerReferenceNo: order.reference,
    serviceCode: services.generateQr,
    latestTransactionStatus,
    transactionStatusDesc,
    ...(order.settledAt !== null && { paidTime: isoWib(order.settledAt) }),
    // The value is a number, as in DOKU's sample. In the SNAP standard, it is a string.
    amount: { value: Number(idr(order.recordedCents).value), currency: 'IDR' },
    // A paid order has an approvalCode, which a refund request for the order must contain.
    additionalInfo: order.settledAt === null ? {} : { approvalCode: approvalCodeOf(order) },
  })
}

export function inquireDebit(sandbox: Sandbox, call: SnapCall): SnapAnswer {
  const service = services.statusDebit
  const found = askedFor(sandbox, call, 'debit', service, debitQuery)
  if ('refused' in found) return found.refused
  const { order } = found
  const [latestTransactionStatus, transactionStatusDesc] = snapStatus(order)
  return success(service, {
    originalPartnerReferenceNo: order.reference,
    originalReferenceNo: order.id,
    originalExternalId: order.detail.externalId,
    serviceCode: services.statusDebit,
    latestTransactionStatus,
    transactionStatusDesc,
    refundHistory: inquiredHistory(order),
    transAmount: idr(order.recordedCents),
    ...(order.settledAt !== null && { paidTime: isoWib(order.settledAt) }),
    additionalInfo: { channel: order.detail.channel },
  })
}

function askedFor(
  sandbox: Sandbox,
  call: SnapCall,
  kind: 'qr' | 'debit',
  service: Service,
  query: typeof qrQuery | typeof debitQuery,
): { order: SnapOrder } | { refused: SnapAnswer } {
  const read = readFields(service, query, call.body)
  if ('refused' in read) return read
  const { originalReferenceNo, originalPartnerReferenceNo } = read.fields
  if (!originalReferenceNo && !originalPartnerReferenceNo) {
    return { refused: refusal(service, 'mandatoryField', '{originalPartnerReferenceNo}') }
  }
  // originalReferenceNo can be DOKU's reference or, as in DOKU's own sample, the merchant's reference.
  const found =
    (originalReferenceNo && sandbox.store.findById(originalReferenceNo)) ||
    sandbox.store.findOfMerchant(
      'doku',
      call.merchant.id,
      originalPartnerReferenceNo ?? originalReferenceNo ?? '',
    )
  const order = ownOrder(found || undefined, call, kind)
  return order ? { order } : { refused: refusal(service, 'notFound') }
}

/** Returns the orders with the given virtual account number, newest first. */
function ordersOfNumber(sandbox: Sandbox, call: SnapCall, virtualAccountNo: string): SnapOrder[] {
  const number = virtualAccountNo.trim()
  return sandbox.store
    .listOrders({ search: number, limit: ORDERS_OF_A_NUMBER })
    .filter((order: Order) => order.number === number)
    .map(order => ownOrder(order, call, 'va'))
    .filter(order => order !== undefined)
}
