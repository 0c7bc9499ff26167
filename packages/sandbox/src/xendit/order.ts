import { hash, randomInt } from 'node:crypto'
import { v4 as uuid } from 'uuid'
import type { NewOrder, Order, Status } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { type Channel, findChannel, LONGEST_LIFE_MS } from './channels.ts'

// An order for one of Xendit's products. Each payment request has exactly one payment, and both IDs contain the same
// UUID. If the payer pays after the payment request has expired, the request's status stays "expired" (docs.xendit.co
// delayed-webhooks).

export type Product = 'v3' | 'v2' | 'virtual_account' | 'qr_code' | 'qr_code_2022' | 'ewallet'

export type XenditDetail = {
  product: Product
  // The code of the order's channel in Xendit's API v3.
  channel: string
  // Request fields that responses return unchanged, such as the description and metadata.
  echoed: Record<string, unknown>
}

export type XenditOrder = Order & { detail: XenditDetail }

/**
 * Casts an order to the type of Xendit's orders. The cast is safe, because the `detail` of every Xendit order
 * has this type.
 */
export function xenditOrder(order: Order): XenditOrder {
  return order as XenditOrder
}

export function channelOf(order: XenditOrder): Channel {
  const channel = findChannel(order.detail.channel)
  if (!channel) throw new Error(`the channel of order ${order.id} is unknown`)
  return channel
}

export type Asked = {
  product: Product
  channel: Channel
  reference: string
  customer: string
  rupiah: number
  // The requested expiry. If absent, the channel's expiry time applies.
  expiresAt?: number | undefined
  callbackUrl?: string | undefined
  echoed: Record<string, unknown>
}

export function newOrder(sandbox: Sandbox, merchant: string, asked: Asked, now: number): NewOrder {
  const { product, channel, echoed } = asked
  const registered = sandbox.merchants.find('xendit', merchant)?.notificationUrl
  const url = asked.callbackUrl ?? registered
  const detail: XenditDetail = { product, channel: channel.code, echoed }
  return {
    provider: 'xendit',
    id: newId(product),
    merchant,
    reference: asked.reference,
    method: channel.code,
    number: payerNumber(channel, sandbox.store.isNumberPending),
    customer: asked.customer,
    askedCents: asked.rupiah * 100,
    recordedCents: asked.rupiah * 100,
    status: 'pending',
    createdAt: now,
    expiresAt: channel.lifeMs === null ? (asked.expiresAt ?? now + LONGEST_LIFE_MS) : now + channel.lifeMs,
    settledAt: null,
    notificationUrls: url ? [url] : [],
    detail,
  }
}

function newId(product: Product): string {
  switch (product) {
    case 'v3':
    case 'v2':
      return `pr-${uuid()}`
    case 'virtual_account':
      return uuid().replaceAll('-', '').slice(0, 24)
    case 'ewallet':
      return `ewc_${uuid()}`
    default:
      return `qr_${uuid()}`
  }
}

/** Returns a payment number not in use by a pending order, or an empty string if the channel has no numbers. */
function payerNumber({ number }: Channel, isTaken: (number: string) => boolean): string {
  if (!number) return ''
  const count = number.digits - number.prefix.length
  for (;;) {
    const candidate = number.prefix + String(randomInt(0, 10 ** count)).padStart(count, '0')
    if (!isTaken(candidate)) return candidate
  }
}

/** Finds one of this merchant's orders. Other merchants' orders are not found. */
export function findOwn(
  sandbox: Sandbox,
  merchant: string,
  id: string | undefined,
  products: readonly Product[],
): XenditOrder | undefined {
  const order = sandbox.store.findById(id ?? '')
  if (order?.provider !== 'xendit' || order.merchant !== merchant) return undefined
  const own = xenditOrder(order)
  return products.includes(own.detail.product) ? own : undefined
}

const SCANNED_AT_A_TIME = 500

/**
 * Yields the merchant's orders, newest first. Compares the whole reference, because the database search also finds
 * longer references that start with the search text.
 */
export function* ownOrders(
  sandbox: Sandbox,
  merchant: string,
  products: readonly Product[],
  reference?: string,
): Generator<XenditOrder> {
  let before: number | undefined
  for (;;) {
    const page = sandbox.store.listOrders({
      limit: SCANNED_AT_A_TIME,
      ...(reference && { search: reference }),
      ...(before !== undefined && { before }),
    })
    for (const order of page) {
      if (order.provider !== 'xendit' || order.merchant !== merchant) continue
      if (reference !== undefined && order.reference !== reference) continue
      const own = xenditOrder(order)
      if (products.includes(own.detail.product)) yield own
    }
    before = page.at(-1)?.seq
    if (before === undefined || page.length < SCANNED_AT_A_TIME) return
  }
}

/** Returns true if the order was paid at or after its expiry. */
export function isLate({ status, settledAt, expiresAt }: Order): boolean {
  return status === 'paid' && settledAt !== null && expiresAt !== null && settledAt >= expiresAt
}

/**
 * Returns true for a BRI transfer with the status `challenged`. The sandbox simulates such a transfer as one from an
 * unverified sender. Its webhook reports success, and only the webhook's details show the problem (docs.xendit.co
 * bri-virtual-account).
 */
export function isUnverified(order: XenditOrder): boolean {
  return order.status === 'challenged' && order.detail.channel === 'BRI_VIRTUAL_ACCOUNT'
}

export function hasPayment(order: Order): boolean {
  return order.status === 'paid' || order.status === 'failed' || order.status === 'challenged'
}

/** Converts cents to rupiah. Amounts in Xendit's messages are numbers that may have decimals. */
export function rupiahOf(cents: number): number {
  return cents / 100
}

export function timeOf(at: number): string {
  return new Date(at).toISOString()
}

export function updatedAt({ settledAt, status, expiresAt, createdAt }: Order): string {
  return timeOf(settledAt ?? (status === 'expired' && expiresAt !== null ? expiresAt : createdAt))
}

/**
 * Returns the order's ID with a different prefix. For example, the payment `py-…` belongs to the payment
 * request `pr-…`.
 */
export function sameIdAs(order: Order, prefix: string): string {
  return prefix + order.id.replace(/^[a-z]+[-_]/, '')
}

export function derivedHex(order: Order, purpose: string, digits: number): string {
  return hash('sha256', `${order.id} ${purpose}`).slice(0, digits)
}

export function derivedUuid(order: Order, purpose: string): string {
  const hex = derivedHex(order, purpose, 32)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

export function payPageUrl(order: Order, publicUrl: string): string {
  return `${publicUrl}/pay/${order.id}`
}

export const MOCK_QR_STRING = 'mock-QR-string-use-simulate-payment-to-test-flow'

/** Maps each order status to the name that the API of one Xendit product uses for it. */
export type Words = Record<Status, string>
