import type { Order } from '../order.ts'
import type { PayerGuide, Provider } from '../provider.ts'
import { callbackTokenOf, isSecretKey } from './merchant.ts'
import { notificationOf } from './notification.ts'
import { channelOf, derivedHex, MOCK_QR_STRING, payPageUrl, sameIdAs, xenditOrder } from './order.ts'
import { newReturnId } from './refund.ts'
import { returnNotification } from './return-notification.ts'
import { xenditRoutes } from './routes.ts'
import { textAt } from './schema.ts'

const MINUTE_MS = 60_000
const RETRIES = 6

export const xendit: Provider = {
  code: 'xendit',
  name: 'Xendit',
  routes: xenditRoutes,
  register: (_sandbox, { secret_key: key = '' }) =>
    isSecretKey(key)
      ? { id: key, issued: { callback_token: callbackTokenOf(key) } }
      : { refused: 'secret_key must start with xnd_development_ or xnd_production_' },
  notification: (sandbox, order, url, tampering) => notificationOf(order, url, sandbox.publicUrl, tampering),
  returns: {
    newId: newReturnId,
    notification: (_sandbox, order, returned, url, tampering) =>
      returnNotification(xenditOrder(order), returned, url, tampering),
  },
  receiptId: receiptIdOf,
  retriesAfter: status => (status >= 200 && status < 300 ? 0 : RETRIES),
  // Xendit retries six times with exponential backoff (docs.xendit.co handling-webhooks). It does not document the
  // first delay.
  retryPausesMs: Array.from({ length: RETRIES }, (_, retry) => 2 ** retry * MINUTE_MS),
  guide: guideOf,
}

/** Returns the payment ID used in the product's webhook. */
function receiptIdOf(order: Order): string {
  switch (xenditOrder(order).detail.product) {
    case 'v3':
    case 'v2':
      return sameIdAs(order, 'py-')
    case 'virtual_account':
      return derivedHex(order, 'payment', 24)
    case 'ewallet':
      return order.id
    default:
      return sameIdAs(order, 'qrpy_')
  }
}

function guideOf(order: Order, publicUrl: string): PayerGuide {
  const own = xenditOrder(order)
  const { kind, code } = channelOf(own)
  const name = code.replace('_VIRTUAL_ACCOUNT', '')
  switch (kind) {
    case 'VIRTUAL_ACCOUNT':
      return { lines: [{ label: `Virtual account (${name})`, value: own.number }] }
    case 'OVER_THE_COUNTER':
      return { lines: [{ label: `Payment code (${name})`, value: own.number }] }
    case 'QR_CODE':
      return { lines: [], qr: MOCK_QR_STRING }
    default: {
      const { echoed } = own.detail
      const { status } = own
      const result = status === 'failed' ? 'failure' : status === 'cancelled' ? 'cancel' : 'success'
      const returnUrl =
        textAt(echoed, 'channel_properties', `${result}_return_url`) ??
        textAt(echoed, 'channel_properties', `${result}_redirect_url`) ??
        textAt(echoed, 'payment_method', 'ewallet', 'channel_properties', `${result}_return_url`)
      const link = { label: `${name} page`, url: payPageUrl(own, publicUrl) }
      return { lines: [], link, ...(returnUrl !== undefined && { returnUrl }) }
    }
  }
}
