import { v4 as uuid } from 'uuid'
import { undocumented } from '../notification.ts'
import type { Order } from '../order.ts'
import type { Notification, Sandbox, Tampering } from '../provider.ts'
import { forged } from '../snap/signature.ts'
import { headerSignature } from './signature.ts'
import { isoUtc } from './time.ts'

// Creates the notifications that DOKU signs in a header: those of its own API, and those about QR codes.

/**
 * Returns the status to report, or undefined if DOKU sends no notification. DOKU notifies the merchant only if a payment
 * succeeds or fails, not if it expires.
 */
export function reportedWord(order: Order, { status }: Tampering): string | undefined {
  const words: Partial<Record<Order['status'], string>> = { paid: 'SUCCESS', failed: 'FAILED' }
  return status ?? words[order.status]
}

export function headerNotification(
  sandbox: Sandbox,
  order: Order,
  {
    url,
    message,
    word,
    tampering: { badSignature, unknownFields },
  }: { url: string; message: Record<string, unknown>; word: string; tampering: Tampering },
): Notification {
  const secretKey = sandbox.merchants.find('doku', order.merchant)?.credentials.secret_key
  if (!secretKey) throw new Error('the merchant is no longer registered in the sandbox')
  const body = JSON.stringify({ ...message, ...(unknownFields && undocumented) })
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
