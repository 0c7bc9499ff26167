import { z } from 'zod'
import { faultOf } from '../rules.ts'
import { type Channel, findChannel } from './channels.ts'
import { type Answer, refusal } from './errors.ts'
import type { Asked } from './order.ts'
import { tripayRules } from './rules.ts'
import { isSignedBy } from './signature.ts'

// Validates `POST /transaction/create` (tripay.co.id/developer, closed payment). Only the first error is returned,
// because an error response has a single message.

const MINUTE_MS = 60_000
const DEFAULT_MINUTES = 1_440
// A requested expiry may be shorter than the minimum by this amount. Clients compute the expiry with their
// own clock and round it to seconds, so a request for exactly the minimum can arrive slightly too short.
const CLOCK_SLACK_MS = MINUTE_MS

const whole = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
])
const webAddress = z.url({ protocol: /^https?$/ })

const request = z.object({
  method: z.string(),
  merchant_ref: z.string().min(1),
  amount: whole,
  customer_name: z.string().min(1),
  customer_email: z.email(),
  customer_phone: z.string().nullish(),
  order_items: z
    .array(
      z.object({
        sku: z.string().nullish(),
        name: z.string().min(1),
        price: whole,
        quantity: whole,
      }),
    )
    .min(1),
  callback_url: webAddress.nullish(),
  return_url: webAddress.nullish(),
  expired_time: whole.nullish(),
  signature: z.string(),
})

export function readCreateRequest(
  body: unknown,
  credentials: Record<string, string>,
  now: number,
): { asked: Asked } | { refused: Answer } {
  const fault = faultOf(tripayRules.create, { headers: {}, body })
  if (fault) return refused(`The ${fault.field} field is required or invalid.`)
  const parsed = request.safeParse(body)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return refused(`The ${issue?.path.join('.') || 'request'} field is required or invalid.`)
  }
  const wanted = parsed.data
  const channel = findChannel(wanted.method)
  if (!channel) return refused('Payment method is not exists!')
  const { merchant_code = '', private_key = '' } = credentials
  const signed = `${merchant_code}${wanted.merchant_ref}${wanted.amount}`
  if (!isSignedBy(private_key, signed, wanted.signature)) return refused('Invalid signature')
  const sum = wanted.order_items.reduce((total, { price, quantity }) => total + price * quantity, 0)
  if (sum !== wanted.amount) return refused('The total of order_items is not equal to amount')
  if (wanted.amount < channel.minRupiah) return refused(`Minimum amount is ${channel.minRupiah}`)
  if (wanted.amount > channel.maxRupiah) return refused(`Maximum amount is ${channel.maxRupiah}`)
  const expiry = expiryOf(channel, wanted.expired_time ?? undefined, now)
  if ('refused' in expiry) return expiry
  return {
    asked: {
      channel,
      reference: wanted.merchant_ref,
      customer: wanted.customer_name,
      rupiah: wanted.amount,
      expiresAt: expiry.expiresAt,
      detail: {
        email: wanted.customer_email,
        phone: wanted.customer_phone ?? null,
        callbackUrl: wanted.callback_url ?? null,
        returnUrl: wanted.return_url ?? null,
        items: wanted.order_items.map(({ sku, ...item }) => ({ ...item, sku: sku ?? null })),
      },
    },
  }
}

/** Returns the requested expiry. The default is 24 hours, or the channel's maximum if that is shorter. */
function expiryOf(
  { minMinutes, maxMinutes }: Channel,
  askedUnix: number | undefined,
  now: number,
): { expiresAt: number } | { refused: Answer } {
  if (askedUnix === undefined) {
    return { expiresAt: now + Math.min(DEFAULT_MINUTES, maxMinutes) * MINUTE_MS }
  }
  const expiresAt = askedUnix * 1000
  if (expiresAt < now + minMinutes * MINUTE_MS - CLOCK_SLACK_MS) {
    return refused(`Minimum expired time is ${minMinutes} minutes`)
  }
  if (expiresAt > now + maxMinutes * MINUTE_MS + CLOCK_SLACK_MS) {
    return refused(`Maximum expired time is ${maxMinutes} minutes`)
  }
  return { expiresAt }
}

function refused(message: string): { refused: Answer } {
  return { refused: refusal(message) }
}

/**
 * Parses JSON, or a form in the format of PHP's http_build_query: `order_items[0][name]=…`. Returns undefined for any
 * other body.
 */
export function parseBody(text: string, contentType: string): unknown {
  if (!contentType.includes('x-www-form-urlencoded')) {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
  const fields: Record<string, unknown> = {}
  const items: Record<string, string>[] = []
  for (const [key, value] of new URLSearchParams(text)) {
    const [, index, field] = /^order_items\[(\d{1,3})\]\[(\w+)\]$/.exec(key) ?? []
    if (index === undefined || field === undefined) fields[key] = value
    else items[Number(index)] = { ...items[Number(index)], [field]: value }
  }
  // If the item numbers in the form have gaps, the list has empty entries. `filter` removes these entries.
  return items.length > 0 ? { ...fields, order_items: items.filter(() => true) } : fields
}
