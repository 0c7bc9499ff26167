import { hash } from 'node:crypto'
import type { Order } from '../order.ts'
import { decimalRupiah } from '../rupiah.ts'
import { wibTime } from '../wib.ts'
import { merchantIdOf } from './merchant.ts'
import { type Action, type MidtransOrder, statusCodeOf, transactionStatusOf } from './order.ts'
import { qrString } from './qris.ts'
import { refundData } from './refund-message.ts'
import { signatureKey } from './signature.ts'

// The JSON sent by Midtrans. Amounts are strings with two decimals. Times are in WIB (UTC+7) without a time zone.

const BILLER_CODE = '70012'

type Message = Record<string, unknown>

/**
 * Casts an order to the type of Midtrans' orders. The cast is safe, because every Midtrans order has a `detail` of
 * this type.
 */
export function midtransOrder(order: Order): MidtransOrder {
  return order as MidtransOrder
}

export function chargeMessage(order: MidtransOrder, publicUrl: string): Message {
  return {
    status_code: statusCodeOf(order),
    status_message: createdWording(order),
    ...channelResponse(order),
    ...identity(order),
    ...payerData(order),
    ...(order.detail.paymentType === 'qris' && { qr_string: qrString(order) }),
    ...actions(order, publicUrl),
    ...redirect(order, publicUrl),
    ...expiry(order),
    ...order.detail.echoed,
  }
}

/**
 * Returns the response to a charge rejected by the fraud detection system (FDS). The message follows the published
 * sample `GoPay transaction is rejected by FDS`.
 */
export function denialMessage(order: MidtransOrder): Message {
  return {
    status_code: statusCodeOf(order),
    status_message: 'Transaction is rejected by FDS',
    ...identity(order),
    fraud_status: 'deny',
  }
}

/**
 * Returns the fields that notifications and status inquiry responses have in common. The caller passes the status code,
 * because an expired order has one code in notifications and another in status inquiry responses.
 */
export function transactionMessage(order: MidtransOrder, statusCode: string, statusMessage: string): Message {
  const grossAmount = decimalRupiah(order.recordedCents)
  return {
    status_code: statusCode,
    status_message: statusMessage,
    ...channelResponse(order),
    ...identity(order),
    ...payerData(order),
    ...paidData(order),
    ...refundData(order),
    ...expiry(order),
    ...order.detail.echoed,
    signature_key: signatureKey(order.reference, statusCode, grossAmount, order.merchant),
  }
}

export function notificationMessage(order: MidtransOrder): Message {
  return transactionMessage(order, statusCodeOf(order), 'midtrans payment notification')
}

/**
 * Returns the response to a status inquiry. It contains the link to the payment page only for a pending ShopeePay order
 * (docs.midtrans.com get-transaction-status).
 */
export function statusMessage(order: MidtransOrder, publicUrl: string): Message {
  const code = order.status === 'expired' ? '407' : statusCodeOf(order)
  const hasActions = order.status === 'pending' && order.detail.paymentType === 'shopeepay'
  return {
    ...transactionMessage(order, code, 'Success, transaction is found'),
    ...(hasActions && actions(order, publicUrl)),
  }
}

export function actionMessage(order: MidtransOrder, action: Action): Message {
  const answers: Record<Action, [code: string, wording: string]> = {
    cancel: ['200', 'Success, transaction is canceled'],
    expire: ['407', 'Success, transaction has expired'],
    approve: ['200', 'Success, transaction is approved'],
    deny: ['200', 'Success, transaction is denied'],
  }
  const [code, wording] = answers[action]
  return { status_code: code, status_message: wording, ...identity(order), ...cardData(order) }
}

export function identity(order: MidtransOrder): Message {
  const fraudStatus = fraudStatusOf(order)
  return {
    transaction_id: order.id,
    order_id: order.reference,
    merchant_id: merchantIdOf(order.merchant),
    gross_amount: decimalRupiah(order.recordedCents),
    currency: 'IDR',
    payment_type: order.detail.paymentType,
    transaction_time: wibTime(order.createdAt),
    transaction_status: transactionStatusOf(order),
    ...(fraudStatus && { fraud_status: fraudStatus }),
  }
}

function fraudStatusOf(order: MidtransOrder): string | undefined {
  if (order.status === 'challenged') return 'challenge'
  // Messages about Indomaret payments have no fraud_status. Merchants must treat a missing fraud_status as accept.
  if (order.detail.store === 'indomaret') return undefined
  return order.status === 'failed' && order.detail.paymentType === 'credit_card' ? 'deny' : 'accept'
}

function payerData(order: MidtransOrder): Message {
  const { paymentType, bank, store, acquirer } = order.detail
  switch (paymentType) {
    case 'bank_transfer':
      return bank === 'permata'
        ? { permata_va_number: order.number }
        : { va_numbers: [{ bank, va_number: order.number }] }
    case 'echannel':
      return { bill_key: order.number, biller_code: BILLER_CODE }
    case 'cstore':
      return { payment_code: order.number, store }
    case 'qris':
      return { acquirer }
    case 'credit_card':
      return cardData(order)
    case 'ovo':
      return { payer_phone_number: order.detail.payerPhone }
    default:
      return {}
  }
}

/**
 * Returns the fields that are known only after payment. Their values are the same in every message about the order.
 */
function paidData(order: MidtransOrder): Message {
  const { paymentType, bank, acquirer } = order.detail
  const amounts = paymentType === 'bank_transfer' && bank !== 'permata'
  if (order.settledAt === null) return amounts ? { payment_amounts: [] } : {}
  const settled = { settlement_time: wibTime(order.settledAt) }
  switch (paymentType) {
    case 'bank_transfer':
      if (!amounts) return settled
      // For bank transfers, only messages for BNI list the payments in payment_amounts. For other banks, this
      // list is empty.
      return bank === 'bni'
        ? {
            ...settled,
            payment_amounts: [
              { paid_at: settled.settlement_time, amount: decimalRupiah(order.recordedCents) },
            ],
          }
        : { ...settled, payment_amounts: [] }
    case 'qris':
      return {
        ...settled,
        transaction_type: 'on-us',
        issuer: acquirer,
        merchant_cross_reference_id: derivedUuid(order, 'cross-reference'),
      }
    case 'cstore':
      return { ...settled, approval_code: derivedDigits(order, 'approval', 20) }
    case 'shopeepay':
      return {
        ...settled,
        shopeepay_reference_number: derivedDigits(order, 'shopeepay', 18),
        reference_id: derivedUuid(order, 'reference'),
      }
    default:
      return settled
  }
}

function cardData(order: MidtransOrder): Message {
  if (order.detail.paymentType !== 'credit_card') return {}
  return {
    masked_card: order.detail.maskedCard,
    bank: order.detail.bank,
    card_type: 'credit',
    eci: '05',
    ...(order.status !== 'failed' && { approval_code: derivedDigits(order, 'approval', 13) }),
  }
}

function channelResponse(order: MidtransOrder): Message {
  switch (order.detail.paymentType) {
    case 'credit_card':
      return order.status === 'failed'
        ? { channel_response_code: '05', channel_response_message: 'Do not honour' }
        : { channel_response_code: '00', channel_response_message: 'Approved' }
    case 'shopeepay':
      return order.status === 'pending'
        ? { channel_response_code: '0', channel_response_message: 'success' }
        : {}
    default:
      return {}
  }
}

function createdWording(order: MidtransOrder): string {
  switch (order.detail.paymentType) {
    case 'bank_transfer':
      return order.detail.bank === 'permata'
        ? 'Success, PERMATA VA transaction is successful'
        : 'Success, Bank Transfer transaction is created'
    case 'echannel':
      return 'OK, Mandiri Bill transaction is successful'
    case 'qris':
      return 'QRIS transaction is created'
    case 'gopay':
      return 'GO-PAY transaction is created'
    case 'shopeepay':
      return 'ShopeePay transaction is created'
    case 'ovo':
      return 'Ovo transaction is created'
    case 'cstore':
      return 'Success, cstore transaction is successful'
    case 'akulaku':
      return 'Success, Akulaku transaction is created'
    case 'kredivo':
      return 'Success, Kredivo transaction is created'
    case 'credit_card':
      return order.status === 'failed'
        ? 'Deny by Bank [BNI] with code [05] and message [Do not honour]'
        : 'Success, Credit Card transaction is successful'
  }
}

function qrImageUrl(order: MidtransOrder, publicUrl: string): string {
  return `${publicUrl}/midtrans/v2/${order.detail.paymentType}/${order.id}/qr-code`
}

export function payerPageUrl(order: MidtransOrder, publicUrl: string): string {
  return `${publicUrl}/pay/${order.id}`
}

function actions(order: MidtransOrder, publicUrl: string): Message {
  const api = `${publicUrl}/midtrans/v2`
  const qr = { name: 'generate-qr-code', method: 'GET', url: qrImageUrl(order, publicUrl) }
  const deeplink = { name: 'deeplink-redirect', method: 'GET', url: payerPageUrl(order, publicUrl) }
  switch (order.detail.paymentType) {
    case 'qris':
      return { actions: [qr] }
    case 'gopay':
      return {
        actions: [
          qr,
          deeplink,
          { name: 'get-status', method: 'GET', url: `${api}/${order.id}/status` },
          { name: 'cancel', method: 'POST', url: `${api}/${order.id}/cancel` },
        ],
      }
    case 'shopeepay':
      return { actions: [deeplink] }
    default:
      return {}
  }
}

function redirect(order: MidtransOrder, publicUrl: string): Message {
  const { paymentType } = order.detail
  if (paymentType !== 'akulaku' && paymentType !== 'kredivo') return {}
  return { redirect_url: `${publicUrl}/midtrans/v2/${paymentType}/redirect/${order.id}` }
}

function expiry(order: MidtransOrder): Message {
  return order.expiresAt === null ? {} : { expiry_time: wibTime(order.expiresAt) }
}

function derivedUuid(order: Order, purpose: string): string {
  const hex = hash('sha256', `${order.id} ${purpose}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function derivedDigits(order: Order, purpose: string, count: number): string {
  const number = BigInt(`0x${hash('sha256', `${order.id} ${purpose}`)}`) % 10n ** BigInt(count)
  return number.toString().padStart(count, '0')
}
