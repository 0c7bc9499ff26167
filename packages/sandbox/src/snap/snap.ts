import { v4 as uuid } from 'uuid'
import type { Order } from '../order.ts'
import type { PayerGuide, Provider } from '../provider.ts'
import { midtransNotification } from './notification.ts'
import { snapOrder } from './order.ts'
import { qrContent } from './qris.ts'
import { registeredKeys } from './register.ts'
import { snapRoutes } from './routes.ts'
import { MINUTE_MS } from './time.ts'

export const snap: Provider = {
  code: 'snap',
  name: 'Midtrans BI-SNAP',
  routes: snapRoutes,
  register: (sandbox, credentials) =>
    registeredKeys(sandbox, 'snap', credentials, ['client_id', 'client_secret', 'partner_id', 'merchant_id']),
  notification: midtransNotification,
  returns: {
    newId: () => `A${uuid().replaceAll('-', '').toUpperCase()}`,
    // Returns undefined if no notification is sent: Midtrans sends none about pending refunds, virtual
    // accounts cannot be refunded, and Midtrans publishes no status code for chargebacks.
    notification: (sandbox, order, { kind, status }, url, tampering) =>
      kind === 'chargeback' || status === 'pending' || snapOrder(order).detail.kind === 'va'
        ? undefined
        : midtransNotification(sandbox, order, url, tampering),
  },
  // Only status 200 confirms a notification. Midtrans' documentation: "Midtrans will treat any other responses except
  // HTTP status code 200 as an error."
  retriesAfter: status => (status === 200 ? 0 : 5),
  retryPausesMs: [2, 10, 30, 90, 210].map(minutes => minutes * MINUTE_MS),
  guide: snapGuide,
}

export function snapGuide(order: Order, publicUrl: string): PayerGuide {
  const { detail, number, id } = snapOrder(order)
  switch (detail.kind) {
    case 'va':
      return { lines: [{ label: `Virtual account (${detail.channel.toUpperCase()})`, value: number }] }
    case 'qr':
      return { lines: [], qr: qrContent(order, detail.channel) }
    case 'debit':
      return {
        lines: [],
        link: { label: `${detail.channel} page`, url: `${publicUrl}/pay/${id}` },
        ...(detail.returnUrl && { returnUrl: detail.returnUrl }),
      }
  }
}
