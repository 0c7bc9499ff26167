import { z } from 'zod'
import { findChannel } from './channels.ts'
import { type Answer, refusal } from './errors.ts'
import { businessIdOf } from './merchant.ts'
import {
  type Asked,
  MOCK_QR_STRING,
  rupiahOf,
  sameIdAs,
  timeOf,
  updatedAt,
  type XenditOrder,
} from './order.ts'
import { future, idr, metadata, outOfRange, read, reference, rupiah, textAt, webAddress } from './schema.ts'

// Handles QR codes in two formats. The first format comes from recorded traffic. The second, `api-version:
// 2022-07-31`, comes from the QR codes page on developers.xendit.co and its published callback.

type Message = Record<string, unknown>

const first = z.object({
  external_id: reference,
  type: z.literal('DYNAMIC'),
  callback_url: webAddress,
  amount: rupiah,
  description: z.string().default(''),
  metadata,
})

const second = z.object({
  reference_id: reference,
  type: z.literal('DYNAMIC'),
  currency: idr,
  amount: rupiah,
  expires_at: future.optional(),
  description: z.string().default(''),
  metadata,
})

// The amount limits in rupiah for QR codes in the first format, as recorded in 2021. For QR codes in the second format
// (API version 2022-07-31), the limits are 1 to 10,000,000, as on Xendit's current QRIS page.
const FIRST_FORM_RANGE = [1500, 5_000_000] as const

export function readQrCode(
  body: unknown,
  version: string | undefined,
): { asked: Asked } | { refused: Answer } {
  const channel = findChannel('QRIS')
  if (!channel) throw new Error('the list of Xendit channels does not contain QRIS')
  if (version === '2022-07-31') {
    const parsed = read(second, body, 'path')
    if ('refused' in parsed) return parsed
    const { reference_id, amount, description, metadata: data } = parsed.value
    const refused = outOfRange(channel, amount)
    if (refused) return { refused }
    const common = { channel, customer: customerOfQrCode(body), rupiah: amount }
    const echoed = { description, metadata: data ?? null }
    return { asked: { ...common, product: 'qr_code_2022', reference: reference_id, echoed } }
  }
  const parsed = read(first, body, 'path')
  if ('refused' in parsed) return parsed
  const { external_id, amount, callback_url, description, metadata: data } = parsed.value
  const [min, max] = FIRST_FORM_RANGE
  if (amount < min || amount > max) {
    return { refused: refusal('API_VALIDATION_ERROR', `Amount must be within range [${min}, ${max}]`) }
  }
  return {
    asked: {
      product: 'qr_code',
      channel,
      reference: external_id,
      customer: customerOfQrCode(body),
      rupiah: amount,
      callbackUrl: callback_url,
      echoed: { description, callback_url, metadata: data ?? null },
    },
  }
}

export function customerOfQrCode(body: unknown): string {
  return textAt(body, 'metadata', 'customer_name') ?? ''
}

export function qrCodeMessage(order: XenditOrder): Message {
  const { description, metadata: data, callback_url } = order.detail.echoed
  const status = order.status === 'pending' || order.status === 'challenged' ? 'ACTIVE' : 'INACTIVE'
  const common = {
    id: order.id,
    amount: rupiahOf(order.askedCents),
    description,
    qr_string: MOCK_QR_STRING,
    type: 'DYNAMIC',
    status,
    created: timeOf(order.createdAt),
    updated: updatedAt(order),
    metadata: data,
  }
  if (order.detail.product === 'qr_code') return { ...common, external_id: order.reference, callback_url }
  return {
    ...common,
    reference_id: order.reference,
    business_id: businessIdOf(order.merchant),
    currency: 'IDR',
    channel_code: 'ID_DANA',
    expires_at: order.expiresAt === null ? null : timeOf(order.expiresAt),
    basket: null,
  }
}

/** Returns the payment made with a paid QR code. Webhooks and lists of payments contain only paid QR codes. */
export function qrPaymentMessage(order: XenditOrder): Message {
  const { description, metadata: data } = order.detail.echoed
  const paidAt = updatedAt(order)
  const id = sameIdAs(order, 'qrpy_')
  const amount = rupiahOf(order.recordedCents)
  if (order.detail.product === 'qr_code') {
    const code = {
      id: order.id,
      external_id: order.reference,
      qr_string: MOCK_QR_STRING,
      type: 'DYNAMIC',
      metadata: data,
    }
    return { id, amount, created: paidAt, qr_code: code, status: 'COMPLETED' }
  }
  return {
    id,
    business_id: businessIdOf(order.merchant),
    currency: 'IDR',
    amount,
    status: 'SUCCEEDED',
    created: paidAt,
    qr_id: order.id,
    qr_string: MOCK_QR_STRING,
    reference_id: order.reference,
    type: 'DYNAMIC',
    channel_code: 'ID_DANA',
    expires_at: order.expiresAt === null ? null : timeOf(order.expiresAt),
    description,
    basket: null,
    metadata: data,
    payment_detail: { receipt_id: '000111666', source: 'GOPAY', name: null, account_details: null },
  }
}
