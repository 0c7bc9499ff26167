import { randomBytes, randomInt } from 'node:crypto'
import { refundsOf } from '../money-return.ts'
import type { NewOrder, Order, Status } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { type Channel, feeOf, findChannel } from './channels.ts'

// A Tripay transaction. The customer pays the requested amount plus the customer's part of the fee. `total_amount` in a
// callback (tripay.co.id/developer) and `amount` in other messages include this part.

export type Item = { sku?: string | null; name: string; price: number; quantity: number }

export type TripayDetail = {
  channel: string
  email: string
  phone: string | null
  callbackUrl: string | null
  returnUrl: string | null
  items: Item[]
}

export type TripayOrder = Order & { detail: TripayDetail }

/**
 * Returns the order as a Tripay order. The type cast is safe, because the `detail` of every Tripay order has
 * this type.
 */
export function tripayOrder(order: Order): TripayOrder {
  return order as TripayOrder
}

export function channelOf({ id, detail }: TripayOrder): Channel {
  const channel = findChannel(detail.channel)
  if (!channel) throw new Error(`the sandbox does not know the channel of order ${id}`)
  return channel
}

export type Asked = {
  channel: Channel
  reference: string
  customer: string
  rupiah: number
  expiresAt: number
  detail: Omit<TripayDetail, 'channel'>
}

export function newOrder(sandbox: Sandbox, apiKey: string, asked: Asked, now: number): NewOrder {
  const { channel, detail } = asked
  const registered = sandbox.merchants.find('tripay', apiKey)
  const url = detail.callbackUrl ?? registered?.notificationUrl
  return {
    provider: 'tripay',
    id: newReference(registered?.credentials.merchant_code ?? ''),
    merchant: apiKey,
    reference: asked.reference,
    method: channel.code,
    number: payCode(channel, sandbox.store.isNumberPending),
    customer: asked.customer,
    askedCents: asked.rupiah * 100,
    recordedCents: asked.rupiah * 100,
    status: 'pending',
    createdAt: now,
    expiresAt: asked.expiresAt,
    settledAt: null,
    notificationUrls: url ? [url] : [],
    detail: { ...detail, channel: channel.code } satisfies TripayDetail,
  }
}

/**
 * Returns a new reference such as `DEV-T0001…`: the prefix used by Tripay's simulator (found in merchants' tests),
 * the merchant's code, and random characters.
 */
function newReference(merchantCode: string): string {
  return `DEV-${merchantCode}${randomInt(10 ** 10, 10 ** 11)}${randomBytes(3).toString('hex').toUpperCase()}`
}

/** Returns a payment number that no pending order uses, or an empty string if the channel does not use numbers. */
function payCode({ number }: Channel, isTaken: (number: string) => boolean): string {
  if (!number) return ''
  const count = number.digits - number.prefix.length
  for (;;) {
    const candidate = number.prefix + String(randomInt(0, 10 ** count)).padStart(count, '0')
    if (!isTaken(candidate)) return candidate
  }
}

export type TripayStatus = 'UNPAID' | 'PAID' | 'FAILED' | 'EXPIRED' | 'REFUND'

// Tripay's statuses. Tripay has no status for a cancellation or a fraud check, so a cancelled order is shown as
// FAILED and a challenged order as UNPAID.
const statuses: Record<Status, TripayStatus> = {
  pending: 'UNPAID',
  paid: 'PAID',
  failed: 'FAILED',
  expired: 'EXPIRED',
  cancelled: 'FAILED',
  challenged: 'UNPAID',
}

/** Returns the order's status as Tripay names it. After a full or partial refund, the status is REFUND. */
export function statusOf(order: Order): TripayStatus {
  return order.status === 'paid' && refundsOf(order).length > 0 ? 'REFUND' : statuses[order.status]
}

/**
 * Returns the amount paid, the fees and the amount received, in rupiah. The amounts have decimals only if a test paid a
 * fraction of a rupiah.
 */
export function amountsOf(order: TripayOrder) {
  const channel = channelOf(order)
  const fee = feeOf(channel, order.askedCents / 100)
  const feeCustomer = channel.feeOf === 'customer' ? fee : 0
  const total = order.recordedCents / 100 + feeCustomer
  return {
    total,
    fees: {
      fee_merchant: fee - feeCustomer,
      fee_customer: feeCustomer,
      total_fee: fee,
      amount_received: total - fee,
    },
  }
}
