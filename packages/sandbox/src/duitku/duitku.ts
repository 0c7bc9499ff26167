import { type Notification, type Tampering, undocumented } from '../notification.ts'
import type { Order } from '../order.ts'
import type { PayerGuide, Provider, Sandbox } from '../provider.ts'
import { callbackFields, payPageUrl, qrString } from './messages.ts'
import { channelOf, type DuitkuOrder, duitkuOrder, statusOf } from './order.ts'
import { duitkuRoutes } from './routes.ts'
import { signatureOf } from './signature.ts'

const MINUTE_MS = 60_000
// Duitku makes five attempts in total. Its documentation does not specify the delays between them.
const RETRY_PAUSES_MS = [1, 5, 15, 60].map(minutes => minutes * MINUTE_MS)

export const duitku: Provider = {
  code: 'duitku',
  name: 'Duitku',
  routes: duitkuRoutes,
  register: (_sandbox, credentials) => {
    const { merchant_code = '', api_key = '', signature = 'hmac' } = credentials
    if (!merchant_code || !api_key) return { refused: 'merchant_code and api_key are required' }
    return ['hmac', 'md5'].includes(signature)
      ? { id: merchant_code, issued: {} }
      : { refused: 'signature must be hmac or md5' }
  },
  notification: notificationOf,
  // Duitku's documentation: "The server sends the callback again as long as it has not received HTTP 200."
  retriesAfter: status => (status === 200 ? 0 : RETRY_PAUSES_MS.length),
  retryPausesMs: RETRY_PAUSES_MS,
  guide: guideOf,
}

/**
 * Creates Duitku's callback, which is an HTML form. Its signature covers only merchantCode, amount and merchantOrderId.
 */
function notificationOf(
  sandbox: Sandbox,
  order: Order,
  url: string,
  { status, currency, unknownFields, badSignature }: Tampering,
): Notification | undefined {
  const fields = callbackFields(duitkuOrder(order))
  if (!fields) return undefined
  const merchant = sandbox.merchants.find('duitku', order.merchant)
  if (!merchant) throw new Error(`merchant ${order.merchant} is not registered`)
  const { merchantCode, amount, merchantOrderId } = fields
  const signature = signatureOf(merchant.credentials, `${merchantCode}${amount}${merchantOrderId}`)
  const resultCode = status ?? fields.resultCode ?? ''
  const form = new URLSearchParams({
    ...fields,
    resultCode,
    signature: badSignature ? forged(signature) : signature,
    // Duitku's documented callbacks have no currency, but a test can add one.
    ...(currency !== undefined && { currency }),
    ...(unknownFields &&
      Object.fromEntries(Object.entries(undocumented).map(([name, value]) => [name, JSON.stringify(value)]))),
  })
  return {
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    says: resultCode,
  }
}

/** Changes one digit of a callback's signature. The signature becomes invalid, but keeps its length and format. */
function forged(signature: string): string {
  return (signature.startsWith('0') ? '1' : '0') + signature.slice(1)
}

function guideOf(order: Order, publicUrl: string): PayerGuide {
  const own = duitkuOrder(order)
  const { name, kind } = channelOf(own)
  const qr = qrString(own)
  return {
    lines: own.number ? [{ label: name, value: own.number }] : [],
    ...(qr && { qr }),
    ...(kind === 'wallet' && { link: { label: `${name} page`, url: payPageUrl(own, publicUrl) } }),
    returnUrl: returnUrlOf(own),
  }
}

/**
 * Returns the URL of the page the payer returns to. Merchants must not rely on the status in this URL, because it
 * is not signed.
 */
function returnUrlOf(order: DuitkuOrder): string {
  const url = new URL(order.detail.returnUrl)
  url.searchParams.set('merchantOrderId', order.reference)
  url.searchParams.set('resultCode', statusOf(order).code)
  url.searchParams.set('reference', order.id)
  return url.href
}
