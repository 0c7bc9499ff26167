import type { Order } from '../order.ts'
import type { Ask, Notification, Sandbox, Tampering } from '../provider.ts'
import { headerNotification, reportedWord } from './header-notification.ts'
import { notificationMessage } from './messages.ts'
import { directOrder } from './order.ts'
import { snapNotification } from './snap-notification.ts'

export async function dokuNotification(
  sandbox: Sandbox,
  order: Order,
  url: string,
  tampering: Tampering,
  ask: Ask,
): Promise<Notification | undefined> {
  return directOrder(order)
    ? directNotification(sandbox, order, url, tampering)
    : await snapNotification(sandbox, order, url, tampering, ask)
}

function directNotification(
  sandbox: Sandbox,
  order: Order,
  url: string,
  tampering: Tampering,
): Notification | undefined {
  const word = reportedWord(order, tampering)
  if (!word) return undefined
  const message = notificationMessage(order, word, tampering.currency)
  return headerNotification(sandbox, order, { url, message, word, tampering })
}
