import { randomInt } from 'node:crypto'
import { undocumented } from '../notification.ts'
import type { Order } from '../order.ts'
import type { Notification, Sandbox, Tampering } from '../provider.ts'
import { idr, reportedStatus, type SnapOrder, snapOrder, virtualAccountOf } from './order.ts'
import { notifiedHistory } from './refund-message.ts'
import { forged, notificationSignature } from './signature.ts'
import { isoWib } from './time.ts'

// Creates notifications in the format of Midtrans (docs.midtrans.com payment-notification-api). The signature covers
// the path defined by the SNAP standard, even if the merchant's address has another path.

const notifyPaths = {
  va: '/v1.0/transfer-va/payment',
  qr: '/v1.0/qr/qr-mpm-notify',
  debit: '/v1.0/debit/notify',
} as const

const EXTERNAL_ID_DIGITS = 32

export function midtransNotification(
  sandbox: Sandbox,
  order: Order,
  url: string,
  tampering: Tampering,
): Notification {
  const own = snapOrder(order)
  const { partner_id: partnerId = '', merchant_id: merchantId = '' } =
    sandbox.merchants.find('snap', order.merchant)?.credentials ?? {}
  const [genuine, words] = reportedStatus(order)
  const status = tampering.status ?? genuine
  const message = {
    ...messageOf(own, { status, words, merchantId, currency: tampering.currency ?? 'IDR' }),
    ...(tampering.unknownFields && undocumented),
  }
  const body = JSON.stringify(message)
  const path = notifyPaths[own.detail.kind]
  const timestamp = isoWib(Date.now())
  const { privateKey } = sandbox.keyPairOf('snap')
  const signature = notificationSignature(privateKey, { method: 'POST', path, body, timestamp })
  return {
    url: url + path,
    headers: {
      'content-type': 'application/json',
      'x-timestamp': timestamp,
      'x-signature': tampering.badSignature ? forged(signature) : signature,
      'x-partner-id': partnerId,
      'x-external-id': externalId(),
      'channel-id': '12345',
    },
    body,
    says: `${status} ${words}`,
    // Each retry needs a new timestamp, because merchants reject old timestamps.
    ages: true,
  }
}

type Told = { status: string; words: string; merchantId: string; currency: string }

function messageOf(order: SnapOrder, told: Told): Record<string, unknown> {
  switch (order.detail.kind) {
    case 'va':
      return vaMessage(order, told)
    case 'qr':
      return qrMessage(order, told)
    case 'debit':
      return debitMessage(order, told)
  }
}

function vaMessage(order: SnapOrder, { status, merchantId, currency }: Told): Record<string, unknown> {
  const { detail, settledAt } = order
  const { customField } = detail.echoed
  return {
    ...virtualAccountOf(detail),
    virtualAccountName: order.customer,
    ...(detail.email && { virtualAccountEmail: detail.email }),
    ...(detail.phone && { virtualAccountPhone: detail.phone }),
    trxId: order.reference,
    // paymentRequestId, paidAmount and referenceNo exist only once the order is paid. Midtrans' documentation: "This
    // value will exist if the payment has been completed".
    ...(settledAt !== null && {
      paymentRequestId: order.id,
      paidAmount: idr(order.recordedCents, currency),
      referenceNo: String(order.seq).padStart(15, '0'),
    }),
    additionalInfo: {
      bank: detail.channel.toUpperCase(),
      paymentFlagStatus: status,
      merchantId,
      ...(settledAt !== null && { paidTime: isoWib(settledAt) }),
      ...(customField !== undefined && { customField }),
    },
  }
}

function qrMessage(order: SnapOrder, { status, words, merchantId, currency }: Told): Record<string, unknown> {
  return {
    originalReferenceNo: order.id,
    originalPartnerReferenceNo: order.reference,
    originalExternalId: order.detail.externalId,
    merchantId,
    latestTransactionStatus: status,
    transactionStatusDesc: words,
    amount: idr(order.recordedCents, currency),
    additionalInfo: {
      qris: true,
      ...(order.settledAt !== null && { paymentTime: isoWib(order.settledAt) }),
      ...(order.returns.length > 0 && notifiedHistory(order)),
    },
  }
}

function debitMessage(order: SnapOrder, told: Told): Record<string, unknown> {
  const { status, words, merchantId, currency } = told
  const { channel, externalId: originalExternalId } = order.detail
  return {
    createdTime: isoWib(order.createdAt),
    latestTransactionStatus: status,
    originalReferenceNo: order.id,
    ...(order.settledAt !== null && { finishedTime: isoWib(order.settledAt) }),
    originalPartnerReferenceNo: order.reference,
    originalExternalId,
    merchantId,
    transactionStatusDesc: words,
    amount: idr(order.recordedCents, currency),
    additionalInfo: {
      // While the order is pending, the notification has no userPaymentDetails. Midtrans' documentation: "Not
      // available for deeplink redirection payment flow with pending status."
      ...(order.status !== 'pending' && {
        userPaymentDetails: [{ payMethod: channel, payOption: `${channel.toUpperCase()}_WALLET` }],
      }),
      ...notifiedHistory(order),
    },
  }
}

export function externalId(): string {
  return Array.from({ length: EXTERNAL_ID_DIGITS }, () => randomInt(10)).join('')
}
