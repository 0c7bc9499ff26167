import { undocumented } from '../notification.ts'
import type { Order, Status } from '../order.ts'
import type { Notification, PayerGuide, Provider, Sandbox, Tampering } from '../provider.ts'
import { isServerKey } from './merchant.ts'
import { midtransOrder, notificationMessage, payerPageUrl } from './messages.ts'
import type { MidtransOrder } from './order.ts'
import { qrString } from './qris.ts'
import { newRefundChargebackId } from './refund-message.ts'
import { midtransRoutes } from './routes.ts'

const MINUTE_MS = 60_000

export const midtrans: Provider = {
  code: 'midtrans',
  name: 'Midtrans',
  routes: midtransRoutes,
  register,
  notification: notificationOf,
  returns: {
    newId: newRefundChargebackId,
    // Midtrans sends two notifications for a refund, and only the second contains bank_confirmed_at. For a chargeback,
    // Midtrans sends one notification, once the chargeback is final.
    notification: (sandbox, order, { kind, status }, url, tampering) =>
      kind === 'chargeback' && status !== 'succeeded'
        ? undefined
        : notificationOf(sandbox, order, url, tampering),
  },
  retriesAfter,
  retryPausesMs: [2, 10, 30, 90, 210].map(minutes => minutes * MINUTE_MS),
  guide: guideOf,
}

/**
 * Registers a merchant. The response contains no new credentials, because Midtrans signs with the server key that
 * the merchant already has.
 */
function register(_sandbox: Sandbox, credentials: Record<string, string>) {
  const { server_key: serverKey = '' } = credentials
  if (!isServerKey(serverKey)) return { refused: 'server_key must start with SB-Mid-server- or Mid-server-' }
  return { id: serverKey, issued: {} }
}

function notificationOf(_sandbox: Sandbox, order: Order, url: string, tampering: Tampering): Notification {
  const { badSignature, currency, status, unknownFields } = tampering
  const genuine = notificationMessage(midtransOrder(order))
  // The signature stays valid if a test changes the currency or the transaction status, because it covers neither.
  const message: Record<string, unknown> = {
    ...genuine,
    ...(currency !== undefined && { currency }),
    ...(status !== undefined && { transaction_status: status }),
    ...(unknownFields && undocumented),
    ...(badSignature && { signature_key: forged(String(genuine.signature_key)) }),
  }
  return {
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'Veritrans' },
    body: JSON.stringify(message),
    says: `${message.transaction_status} ${message.status_code}`,
  }
}

/** Changes one digit of a notification's signature. The signature becomes invalid, but keeps its length and format. */
function forged(signature: string): string {
  return (signature.startsWith('0') ? '1' : '0') + signature.slice(1)
}

function retriesAfter(status: number): number {
  if (status >= 200 && status < 300) return 0
  if (status === 500) return 1
  if (status === 503) return 4
  if (status === 400 || status === 404) return 2
  if (status === 301 || status === 302 || status === 303) return 0
  return 5
}

function guideOf(order: Order, publicUrl: string): PayerGuide {
  const own = midtransOrder(order)
  const { paymentType, bank, store, callbackUrl } = own.detail
  const returning = callbackUrl ? { returnUrl: returnUrlOf(callbackUrl, own) } : {}
  switch (paymentType) {
    case 'bank_transfer':
      return { lines: [{ label: `Virtual account (${bank?.toUpperCase()})`, value: own.number }] }
    case 'echannel':
      return {
        lines: [
          { label: 'Biller code (Mandiri)', value: '70012' },
          { label: 'Bill key', value: own.number },
        ],
      }
    case 'cstore':
      return {
        lines: [{ label: store === 'alfamart' ? 'Alfamart code' : 'Indomaret code', value: own.number }],
      }
    case 'qris':
      return { lines: [], qr: qrString(own) }
    case 'gopay':
      return {
        lines: [],
        qr: qrString(own),
        link: { label: 'GoPay deeplink', url: payerPageUrl(own, publicUrl) },
        ...returning,
      }
    case 'shopeepay':
      return {
        lines: [],
        link: { label: 'ShopeePay deeplink', url: payerPageUrl(own, publicUrl) },
        ...returning,
      }
    case 'ovo':
      return { lines: [{ label: 'Push to OVO', value: own.detail.payerPhone ?? '' }] }
    case 'akulaku':
      return { lines: [], link: { label: 'Akulaku page', url: payerPageUrl(own, publicUrl) } }
    case 'kredivo':
      return { lines: [], link: { label: 'Kredivo page', url: payerPageUrl(own, publicUrl) } }
    case 'credit_card':
      return { lines: [{ label: 'Card', value: own.detail.maskedCard ?? '' }] }
  }
}

/** Adds the order to the merchant's return URL: `someapps://callback?order_id=…&result=success`. */
function returnUrlOf(callbackUrl: string, { reference, status, detail }: MidtransOrder): string {
  const separator = callbackUrl.includes('?') ? '&' : '?'
  // Only GoPay's return URL contains a result, and merchants must not rely on it (docs.midtrans.com, gopay). For
  // ShopeePay, only order_id is documented.
  const results: Partial<Record<Status, string>> = { paid: 'success', failed: 'failure', cancelled: 'abort' }
  const result = detail.paymentType === 'gopay' ? results[status] : undefined
  return `${callbackUrl}${separator}order_id=${encodeURIComponent(reference)}${result ? `&result=${result}` : ''}`
}
