import { z } from 'zod'
import { returnedCents } from '../money-return.ts'
import { findChannel } from './channels.ts'
import type { Answer } from './errors.ts'
import { businessIdOf } from './merchant.ts'
import {
  type Asked,
  channelOf,
  payPageUrl,
  rupiahOf,
  timeOf,
  updatedAt,
  type Words,
  type XenditOrder,
} from './order.ts'
import {
  idr,
  invalid,
  metadata,
  mobileNumber,
  outOfRange,
  read,
  reference,
  rupiah,
  testAmountRefusal,
  textAt,
  webAddress,
} from './schema.ts'

// Handles e-wallet charges (`/ewallets/charges`), based on recorded test-mode traffic.

type Message = Record<string, unknown>

const properties = z.looseObject({
  mobile_number: mobileNumber.optional(),
  success_redirect_url: webAddress.optional(),
})

const request = z.object({
  reference_id: reference,
  currency: idr,
  amount: rupiah,
  checkout_method: z.literal('ONE_TIME_PAYMENT'),
  channel_code: z.enum(['ID_OVO', 'ID_DANA', 'ID_LINKAJA', 'ID_SHOPEEPAY']),
  channel_properties: properties,
  metadata,
})

export function readCharge(body: unknown): { asked: Asked } | { refused: Answer } {
  const parsed = read(request, body, 'path')
  if ('refused' in parsed) return parsed
  const { reference_id, amount, channel_code, channel_properties, metadata: data } = parsed.value
  const channel = findChannel(channel_code.slice('ID_'.length))
  if (!channel) throw new Error(`unknown channel ${channel_code}`)
  const needed = channel.code === 'OVO' ? 'mobile_number' : 'success_redirect_url'
  if (!channel_properties[needed]) return invalid(['channel_properties', needed], 'is required')
  const refused = outOfRange(channel, amount) ?? testAmountRefusal(channel, amount)
  if (refused) return { refused }
  return {
    asked: {
      product: 'ewallet',
      channel,
      reference: reference_id,
      customer: customerOfCharge(body),
      rupiah: amount,
      echoed: { channel_properties, metadata: data ?? null },
    },
  }
}

export function customerOfCharge(body: unknown): string {
  return textAt(body, 'metadata', 'customer_name') ?? ''
}

// The status of a charge for each status of its order. If the order has expired, the charge has failed. While the order
// is challenged (held for a fraud check), the charge is pending.
const words: Words = {
  pending: 'PENDING',
  paid: 'SUCCEEDED',
  failed: 'FAILED',
  expired: 'FAILED',
  cancelled: 'VOIDED',
  challenged: 'PENDING',
}

const failureCodes: Partial<Words> = { failed: 'USER_DECLINED_PAYMENT', expired: 'TIMEOUT_ERROR' }

/**
 * Returns an e-wallet charge as Xendit's responses contain it. In webhooks, `data` differs only in the channel, which
 * has no country prefix.
 */
export function chargeMessage(order: XenditOrder, publicUrl: string): Message {
  const { channel_properties, metadata: data } = order.detail.echoed
  const redirects = channelOf(order).code !== 'OVO'
  const voidedAt = order.status === 'cancelled' ? updatedAt(order) : null
  return {
    id: order.id,
    business_id: businessIdOf(order.merchant),
    reference_id: order.reference,
    status: words[order.status],
    currency: 'IDR',
    charge_amount: rupiahOf(order.askedCents),
    capture_amount: rupiahOf(order.recordedCents),
    refunded_amount: returnedCents(order, 'refund') === 0 ? null : rupiahOf(returnedCents(order, 'refund')),
    checkout_method: 'ONE_TIME_PAYMENT',
    channel_code: `ID_${order.detail.channel}`,
    channel_properties,
    actions: redirects ? actionsOf(order, publicUrl) : null,
    is_redirect_required: redirects,
    callback_url: order.notificationUrls[0] ?? null,
    created: timeOf(order.createdAt),
    updated: updatedAt(order),
    void_status: voidedAt && 'SUCCEEDED',
    voided_at: voidedAt,
    capture_now: true,
    customer_id: null,
    payment_method_id: null,
    failure_code: failureCodes[order.status] ?? null,
    basket: null,
    metadata: data,
  }
}

function actionsOf(order: XenditOrder, publicUrl: string): Message {
  const url = payPageUrl(order, publicUrl)
  const deeplink = order.detail.channel === 'SHOPEEPAY' ? url : null
  return {
    desktop_web_checkout_url: url,
    mobile_web_checkout_url: url,
    mobile_deeplink_checkout_url: deeplink,
    qr_checkout_string: null,
  }
}
