import { v4 as uuid } from 'uuid'
import { undocumented } from '../notification.ts'
import type { Order } from '../order.ts'
import type { Ask, Notification, Sandbox, Tampering } from '../provider.ts'
import { forged } from '../snap/signature.ts'
import { notificationMessage } from './messages.ts'
import { directOrder } from './order.ts'
import { headerSignature } from './signature.ts'
import { snapNotification } from './snap-notification.ts'
import { isoUtc } from './time.ts'

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

/**
 * Creates the notification for an order with a payment code. DOKU sends a notification only if the payment succeeds
 * or fails, not if the code expires.
 */
function directNotification(
  sandbox: Sandbox,
  order: Order,
  url: string,
  { badSignature, currency, status, unknownFields }: Tampering,
): Notification | undefined {
  const words: Partial<Record<Order['status'], string>> = { paid: 'SUCCESS', failed: 'FAILED' }
  const word = status ?? words[order.status]
  if (!word) return undefined
  const secretKey = sandbox.merchants.find('doku', order.merchant)?.credentials.secret_key
  if (!secretKey) throw new Error('the merchant is no longer registered in the sandbox')
  const body = JSON.stringify({
    ...notificationMessage(order, word, currency),
    ...(unknownFields && undocumented),
  })
  const [clientId, requestId, timestamp] = [order.merchant, uuid(), isoUtc(Date.now())]
  const target = new URL(url).pathname
  const signature = headerSignature(secretKey, { clientId, requestId, timestamp, target, body })
  const prefix = 'HMACSHA256='
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'client-id': clientId,
      'request-id': requestId,
      'request-timestamp': timestamp,
      signature: badSignature ? prefix + forged(signature.slice(prefix.length)) : signature,
    },
    body,
    says: word,
  }
}
