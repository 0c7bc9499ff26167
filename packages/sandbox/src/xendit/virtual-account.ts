import { z } from 'zod'
import { bankOf, channelOfBank } from './channels.ts'
import { type Answer, refusal } from './errors.ts'
import { businessIdOf } from './merchant.ts'
import { type Asked, channelOf, derivedHex, rupiahOf, timeOf, updatedAt, type XenditOrder } from './order.ts'
import { future, read, reference, rupiah, textAt } from './schema.ts'

// Handles fixed virtual accounts (`/callback_virtual_accounts`) as in recorded test-mode traffic: a create request
// returns HTTP 200, an error lists the fields, and a new account is PENDING until the bank has activated it.

type Message = Record<string, unknown>

const request = z.object({
  external_id: reference,
  bank_code: z.string(),
  name: z.string().min(1),
  expected_amount: rupiah,
  // The sandbox supports neither open amounts nor accounts that accept several payments.
  is_closed: z.literal(true),
  is_single_use: z.boolean().default(false),
  expiration_date: future.optional(),
  description: z.string().optional(),
})

export function readVirtualAccount(body: unknown): { asked: Asked } | { refused: Answer } {
  const parsed = read(request, body, 'joi')
  if ('refused' in parsed) return parsed
  const { external_id, bank_code, name, expected_amount, is_single_use, expiration_date } = parsed.value
  const channel = channelOfBank(bank_code)
  if (!channel) return { refused: refusal('BANK_NOT_SUPPORTED_ERROR') }
  const limit = (word: string, bound: number) => `The ${word} Expected Amount for ${bank_code} VA is ${bound}`
  if (expected_amount < channel.minRupiah) {
    return { refused: refusal('MINIMUM_EXPECTED_AMOUNT_ERROR', limit('minimum', channel.minRupiah)) }
  }
  if (expected_amount > channel.maxRupiah) {
    return { refused: refusal('MAXIMUM_EXPECTED_AMOUNT_ERROR', limit('maximum', channel.maxRupiah)) }
  }
  return {
    asked: {
      product: 'virtual_account',
      channel,
      reference: external_id,
      customer: name,
      rupiah: expected_amount,
      expiresAt: expiration_date,
      echoed: { is_single_use },
    },
  }
}

export function customerOfVirtualAccount(body: unknown): string {
  return textAt(body, 'name') ?? ''
}

export type VirtualAccountStatus = 'PENDING' | 'ACTIVE' | 'INACTIVE'

/**
 * Returns the virtual account's status. After a payment, a single-use account is inactive, and any other account stays
 * active.
 */
export function virtualAccountStatus(order: XenditOrder): VirtualAccountStatus {
  if (order.status === 'pending' || order.status === 'challenged') return 'ACTIVE'
  return order.status === 'paid' && !order.detail.echoed.is_single_use ? 'ACTIVE' : 'INACTIVE'
}

export function virtualAccountMessage(order: XenditOrder, status: VirtualAccountStatus): Message {
  const channel = channelOf(order)
  return {
    is_closed: true,
    status,
    currency: 'IDR',
    owner_id: businessIdOf(order.merchant),
    external_id: order.reference,
    bank_code: bankOf(channel),
    merchant_code: channel.number?.prefix,
    name: order.customer,
    account_number: order.number,
    expected_amount: rupiahOf(order.askedCents),
    is_single_use: order.detail.echoed.is_single_use,
    expiration_date: order.expiresAt === null ? null : timeOf(order.expiresAt),
    id: order.id,
  }
}

/**
 * Returns the webhook for a paid virtual account. It has no status field, because the sample that Xendit
 * publishes for the bank BNC has none.
 */
export function virtualAccountPayment(order: XenditOrder): Message {
  const channel = channelOf(order)
  return {
    id: derivedHex(order, 'callback', 24),
    payment_id: derivedHex(order, 'payment', 24),
    callback_virtual_account_id: order.id,
    owner_id: businessIdOf(order.merchant),
    external_id: order.reference,
    account_number: order.number,
    bank_code: bankOf(channel),
    transaction_timestamp: updatedAt(order),
    amount: rupiahOf(order.recordedCents),
    merchant_code: channel.number?.prefix,
    currency: 'IDR',
    country: 'ID',
    sender_name: order.customer,
    payment_detail: { payment_interface: 'MOBILE_BANKING', reference: derivedHex(order, 'reference', 11) },
  }
}

/** Returns the webhook that reports a created or changed virtual account. */
export function virtualAccountChange(order: XenditOrder): Message {
  return {
    ...virtualAccountMessage(order, virtualAccountStatus(order)),
    created: timeOf(order.createdAt),
    updated: updatedAt(order),
  }
}

const change = z.object({
  expiration_date: z.iso
    .datetime({ offset: true })
    .transform(text => Date.parse(text))
    .refine(at => at <= Date.now(), 'must be in the past, because the sandbox can only close an account'),
})

export function readVirtualAccountChange(body: unknown): { expiresAt: number } | { refused: Answer } {
  const parsed = read(change, body, 'joi')
  return 'refused' in parsed ? parsed : { expiresAt: parsed.value.expiration_date }
}
