import { randomBytes, randomInt } from 'node:crypto'
import type { NewOrder, Order, Status } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { type Channel, findChannel } from './channels.ts'

export type DuitkuDetail = {
  channel: string
  email: string
  productDetails: string
  additionalParam: string
  merchantUserInfo: string
  returnUrl: string
}

export type DuitkuOrder = Order & { detail: DuitkuDetail }

/**
 * Returns the order as a Duitku order. The type cast is safe, because the `detail` of every Duitku order has
 * this type.
 */
export function duitkuOrder(order: Order): DuitkuOrder {
  return order as DuitkuOrder
}

export function channelOf({ id, detail }: DuitkuOrder): Channel {
  const channel = findChannel(detail.channel)
  if (!channel) throw new Error(`the sandbox does not know the channel of order ${id}`)
  return channel
}

export type Asked = {
  channel: Channel
  reference: string
  customer: string
  rupiah: number
  lifeMinutes: number
  callbackUrl: string
  detail: Omit<DuitkuDetail, 'channel'>
}

export function newOrder(sandbox: Sandbox, merchantCode: string, asked: Asked, now: number): NewOrder {
  const { channel, detail } = asked
  return {
    provider: 'duitku',
    id: newReference(merchantCode),
    merchant: merchantCode,
    reference: asked.reference,
    method: channel.code,
    number: payCode(channel, sandbox.store.isNumberPending),
    customer: asked.customer,
    askedCents: asked.rupiah * 100,
    recordedCents: asked.rupiah * 100,
    status: 'pending',
    createdAt: now,
    expiresAt: now + asked.lifeMinutes * 60_000,
    settledAt: null,
    notificationUrls: [asked.callbackUrl],
    detail: { ...detail, channel: channel.code } satisfies DuitkuDetail,
  }
}

/** Returns a new reference such as `DXXXXCX80TZJ85Q70QCI`: the merchant's code followed by random characters. */
const newReference = (merchantCode: string): string =>
  `${merchantCode}${randomBytes(8).toString('hex').slice(0, 15).toUpperCase()}`

const NUMBER_DIGITS = 16

/** Returns a payment number not in use by a pending payment, or an empty string if the channel has no numbers. */
function payCode({ prefix }: Channel, isTaken: (number: string) => boolean): string {
  if (prefix === undefined) return ''
  const count = NUMBER_DIGITS - prefix.length
  for (;;) {
    const candidate = prefix + String(randomInt(0, 10 ** count)).padStart(count, '0')
    if (!isTaken(candidate)) return candidate
  }
}

// Duitku's status codes: 00 (paid), 01 (in process) and 02 (failed, expired or cancelled). Duitku has no code for a
// payment under fraud review, so the sandbox reports a `challenged` payment with the code 01.
const statuses: Record<Status, { code: string; message: string }> = {
  pending: { code: '01', message: 'PROCESS' },
  challenged: { code: '01', message: 'PROCESS' },
  paid: { code: '00', message: 'SUCCESS' },
  failed: { code: '02', message: 'FAILED' },
  expired: { code: '02', message: 'EXPIRED' },
  cancelled: { code: '02', message: 'CANCELED' },
}

export function statusOf(order: Order): { code: string; message: string } {
  return statuses[order.status]
}
