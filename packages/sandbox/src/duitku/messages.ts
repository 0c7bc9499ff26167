import { createHash } from 'node:crypto'
import { qrisString } from '../qris.ts'
import { wibTime } from '../wib.ts'
import { channelOf, type DuitkuOrder, statusOf } from './order.ts'

// Creates Duitku's messages (docs.duitku.com/api). Their amounts are strings of whole rupiah.

/**
 * Returns Duitku's response to a create request. Depending on the payment channel, the response contains a vaNumber, a
 * qrString or neither.
 */
export function createdMessage(order: DuitkuOrder, publicUrl: string): Record<string, string> {
  const qr = qrString(order)
  const page = payPageUrl(order, publicUrl)
  return {
    merchantCode: order.merchant,
    reference: order.id,
    paymentUrl: page,
    ...(order.number && { vaNumber: order.number }),
    ...(qr && { qrString: qr }),
    ...(order.detail.channel === 'SA' && { AppUrl: `${page}?open=app` }),
    amount: amountOf(order),
    statusCode: '00',
    statusMessage: 'SUCCESS',
  }
}

/** Returns the response to a status inquiry (transactionStatus). */
export function statusMessage(order: DuitkuOrder): Record<string, string> {
  const { code, message } = statusOf(order)
  return {
    merchantOrderId: order.reference,
    reference: order.id,
    amount: amountOf(order),
    fee: '0.00',
    statusCode: code,
    statusMessage: message,
  }
}

/**
 * Returns the fields of the order's callback without its signature. Returns undefined for a payment that neither
 * succeeded nor failed, because Duitku sends no callback about it.
 */
export function callbackFields(order: DuitkuOrder): Record<string, string> | undefined {
  if (order.status !== 'paid' && order.status !== 'failed') return undefined
  const { channel, email, productDetails, additionalParam, merchantUserInfo } = order.detail
  const isQris = channelOf(order).kind === 'qris'
  return {
    merchantCode: order.merchant,
    amount: amountOf(order),
    merchantOrderId: order.reference,
    productDetail: productDetails,
    additionalParam,
    paymentCode: channel,
    resultCode: order.status === 'paid' ? '00' : '01',
    merchantUserId: merchantUserInfo || email,
    reference: order.id,
    publisherOrderId: publisherOrderId(order),
    spUserHash: '',
    settlementDate: order.settledAt === null ? '' : wibTime(order.settledAt + DAY_MS).slice(0, 10),
    issuerCode: isQris ? '93600918' : '',
    ...(isQris && { customerName: 'Bud* Sant***' }),
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Returns the amount in rupiah. The amount has decimals only if a test paid a fraction of a rupiah. */
export const amountOf = ({ recordedCents }: DuitkuOrder): string => String(recordedCents / 100)

/**
 * Derives Duitku's own reference from the order's ID, so that every retry of a callback contains the same
 * reference.
 */
const publisherOrderId = ({ id }: DuitkuOrder): string =>
  `MG${createHash('sha256').update(id).digest('hex').slice(0, 15).toUpperCase()}`

export function payPageUrl(order: DuitkuOrder, publicUrl: string): string {
  return `${publicUrl}/pay/${order.id}`
}

/** Returns the contents of the QR code, or undefined if the channel has no QR code. */
export function qrString(order: DuitkuOrder): string | undefined {
  if (channelOf(order).kind !== 'qris') return undefined
  return qrisString(order, 'airpay shopee', { id: order.id.slice(0, 15), digits: '000000000' })
}
