import type { Order } from '../order.ts'
import type { PayerGuide, Provider } from '../provider.ts'
import { snapOrder } from '../snap/order.ts'
import { registeredKeys } from '../snap/register.ts'
import { snapGuide } from '../snap/snap.ts'
import { MINUTE_MS } from '../snap/time.ts'
import { channelOf } from './channels.ts'
import { dokuNotification } from './notification.ts'
import { directOrder } from './order.ts'
import { dokuRoutes } from './routes.ts'

const HOUR_MS = 60 * MINUTE_MS

export const doku: Provider = {
  code: 'doku',
  name: 'DOKU',
  routes: dokuRoutes,
  register: (sandbox, credentials) =>
    registeredKeys(sandbox, 'doku', credentials, ['client_id', 'secret_key']),
  notification: dokuNotification,
  retriesAfter: status => (status >= 200 && status < 300 ? 0 : 3),
  receiptId: receiptIdOf,
  // DOKU retries three times: 30 minutes, 6 hours and 12 hours after the first attempt (developers.doku.com
  // retry-notification).
  retryPausesMs: [0.5, 5.5, 6].map(hours => hours * HOUR_MS),
  guide: guideOf,
}

/** A QR order has no ID besides the merchant's reference. */
function receiptIdOf(order: Order): string {
  const direct = directOrder(order)
  if (direct) return direct.detail.requestId
  return snapOrder(order).detail.kind === 'qr' ? order.reference : order.id
}

function guideOf(order: Order, publicUrl: string): PayerGuide {
  const direct = directOrder(order)
  if (!direct) return snapGuide(order, publicUrl)
  const { kind, label } = channelOf(direct.detail.product)
  return {
    lines: [{ label: kind === 'va' ? `Virtual account (${label})` : `${label} code`, value: order.number }],
  }
}
