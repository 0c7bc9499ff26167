import { createHash } from 'node:crypto'
import { qrisString } from '../qris.ts'
import { wibTime } from '../wib.ts'
import { channelOf, type DuitkuOrder, statusOf } from './order.ts'

// What Duitku sends (docs.duitku.com/api). Amounts are texts of whole rupiah.

/** The answer to a create request. vaNumber and qrString are there for the channels that have one. */
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

/** The answer to transactionStatus. */
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

/** The fields of a callback but its signature; undefined where Duitku sends none: it reports payment and failure. */
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

/** Digits that are not whole rupiah appear only where a person simulated such a payment. */
export const amountOf = ({ recordedCents }: DuitkuOrder): string => String(recordedCents / 100)

/** The same in every repetition of a callback. */
const publisherOrderId = ({ id }: DuitkuOrder): string =>
  `MG${createHash('sha256').update(id).digest('hex').slice(0, 15).toUpperCase()}`

export function payPageUrl(order: DuitkuOrder, publicUrl: string): string {
  return `${publicUrl}/pay/${order.id}`
}

/** Undefined where the channel has none. */
export function qrString(order: DuitkuOrder): string | undefined {
  if (channelOf(order).kind !== 'qris') return undefined
  return qrisString(order, 'airpay shopee', { id: order.id.slice(0, 15), digits: '000000000' })
}
