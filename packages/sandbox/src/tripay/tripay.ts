import { v4 as uuid } from 'uuid'
import { type Notification, type Tampering, undocumented } from '../notification.ts'
import type { Order } from '../order.ts'
import type { PayerGuide, Provider, Sandbox } from '../provider.ts'
import { displayRupiah } from '../rupiah.ts'
import { callbackMessage, payPageUrl, qrString } from './messages.ts'
import { amountsOf, channelOf, tripayOrder } from './order.ts'
import { tripayRoutes } from './routes.ts'
import { signatureOf } from './signature.ts'

const RETRY_PAUSE_MS = 2 * 60_000
const RETRIES = 3

export const tripay: Provider = {
  code: 'tripay',
  name: 'Tripay',
  routes: tripayRoutes,
  register: (_sandbox, credentials) => {
    const missing = ['api_key', 'private_key', 'merchant_code'].filter(field => !credentials[field])
    return missing.length > 0
      ? { refused: `${missing.join(', ')} required` }
      : { id: credentials.api_key ?? '', issued: {} }
  },
  notification: notificationOf,
  returns: {
    newId: () => uuid(),
    notification: (sandbox, order, { kind, status }, url, tampering) =>
      kind === 'refund' && status === 'succeeded'
        ? notificationOf(sandbox, order, url, tampering)
        : undefined,
  },
  // Tripay retries a callback "If we do not receive the fitting answer". It checks the response body, not the HTTP
  // status.
  retriesAfter: (_status, body) => (acknowledges(body) ? 0 : RETRIES),
  retryPausesMs: Array<number>(RETRIES).fill(RETRY_PAUSE_MS),
  guide: guideOf,
}

/**
 * Creates a callback. Tripay sends callbacks only for the statuses PAID, FAILED, EXPIRED and REFUND. Returns
 * undefined for other statuses.
 */
function notificationOf(
  sandbox: Sandbox,
  order: Order,
  url: string,
  tampering: Tampering,
): Notification | undefined {
  if (order.status === 'pending' || order.status === 'challenged') return undefined
  const privateKey = sandbox.merchants.find('tripay', order.merchant)?.credentials.private_key
  if (!privateKey) throw new Error('the merchant is no longer registered in the sandbox')
  const { status, currency, unknownFields, badSignature } = tampering
  const message: Record<string, unknown> = {
    ...callbackMessage(tripayOrder(order)),
    ...(status !== undefined && { status }),
    // Tripay's callbacks contain no currency. The sandbox adds a currency field only if a test requests a
    // currency.
    ...(currency !== undefined && { currency }),
    ...(unknownFields && undocumented),
  }
  const body = JSON.stringify(message)
  const signature = signatureOf(privateKey, body)
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'x-callback-event': 'payment_status',
      'x-callback-signature': badSignature ? forged(signature) : signature,
    },
    body,
    says: String(message.status),
  }
}

/** Changes one digit of a callback's signature. The signature becomes invalid, but keeps its length and format. */
function forged(signature: string): string {
  return (signature.startsWith('0') ? '1' : '0') + signature.slice(1)
}

function acknowledges(body: string): boolean {
  try {
    return JSON.parse(body)?.success === true
  } catch {
    return false
  }
}

function guideOf(order: Order, publicUrl: string): PayerGuide {
  const own = tripayOrder(order)
  const { name, type, feeOf } = channelOf(own)
  const { returnUrl } = own.detail
  const fee = amountsOf(own).fees.fee_customer
  const qr = qrString(own)
  const lines = own.number ? [{ label: name, value: own.number }] : []
  if (feeOf === 'customer') lines.push({ label: 'Fee on top', value: displayRupiah(fee * 100) })
  return {
    lines,
    ...(qr && { qr }),
    ...(type === 'redirect' && { link: { label: `${name} page`, url: payPageUrl(own, publicUrl) } }),
    ...(returnUrl && { returnUrl }),
  }
}
