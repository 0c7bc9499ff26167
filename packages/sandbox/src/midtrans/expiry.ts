import type { PaymentType } from './order.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const unitsMs = { second: SECOND_MS, minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS }

export type CustomExpiry = {
  order_time?: string | null | undefined
  expiry_duration: number
  unit?: keyof typeof unitsMs | null | undefined
}

type Bounds = { defaultMs: number; minMs: number; maxMs: number }

const upTo = (days: number, defaultMs: number, minMs = SECOND_MS): Bounds => ({
  defaultMs,
  minMs,
  maxMs: days * DAY_MS,
})

// Midtrans documents these expiry times:
// - bank transfers: 20 s to 180 days, 24 h by default
// - ShopeePay and its QRIS: at most 5 days
// - GoPay: at most 7 days
//
// All other times were observed by merchants. A card payment is authorized immediately and does not expire.
const bounds: Record<PaymentType, Bounds | null> = {
  bank_transfer: upTo(180, DAY_MS, 20 * SECOND_MS),
  echannel: upTo(180, DAY_MS, 20 * SECOND_MS),
  cstore: upTo(180, DAY_MS),
  qris: upTo(7, 15 * MINUTE_MS),
  gopay: upTo(7, 15 * MINUTE_MS),
  shopeepay: upTo(5, 15 * MINUTE_MS),
  ovo: { defaultMs: 65 * SECOND_MS, minMs: 65 * SECOND_MS, maxMs: 65 * SECOND_MS },
  akulaku: upTo(180, DAY_MS),
  kredivo: upTo(180, DAY_MS),
  credit_card: null,
}

const SHOPEE_QRIS = upTo(5, 15 * MINUTE_MS)

/** Returns an order's expiry, or Midtrans' validation message if the requested expiry is invalid. */
export function expiryOf(
  type: PaymentType,
  acquirer: string | undefined,
  custom: CustomExpiry | null | undefined,
  now: number,
): { expiresAt: number | null } | { message: string } {
  const bound = acquirer === 'airpay shopee' ? SHOPEE_QRIS : bounds[type]
  if (!bound) return { expiresAt: null }
  if (!custom) return { expiresAt: now + bound.defaultMs }
  // Midtrans' documentation (docs.midtrans.com ewallet-ovo): "OVO does not support custom expiry".
  if (type === 'ovo') return { message: 'custom_expiry is not supported for ovo' }
  const from = custom.order_time ? readOrderTime(custom.order_time) : now
  if (from === undefined) return { message: 'custom_expiry.order_time format is invalid' }
  const durationMs = custom.expiry_duration * unitsMs[custom.unit ?? 'minute']
  if (durationMs < bound.minMs) return { message: 'custom_expiry.expiry_duration is too short' }
  if (durationMs > bound.maxMs) return { message: 'custom_expiry.expiry_duration is too long' }
  if (from + durationMs <= now) return { message: 'custom_expiry is already in the past' }
  return { expiresAt: from + durationMs }
}

function readOrderTime(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/.exec(text)
  if (!match) return undefined
  const at = Date.parse(`${match[1]}T${match[2]}${match[3]}:${match[4]}`)
  return Number.isNaN(at) ? undefined : at
}
