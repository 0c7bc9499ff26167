// The fingerprint is a hash of a merchant's order. It shows whether a repeated request has the same order. It also
// reveals whether an order was changed directly in the database (verification/compare-order.ts).

import { hash } from 'node:crypto'
import { DEFAULT_EXPIRY_MINUTES } from '../../routing/channel-limits.ts'
import { canonicalJson } from '../../values/canonical-json.ts'
import type { FingerprintVersion, Payment } from '../payment.ts'
import type { CreatePaymentInput } from './create-input.ts'

/**
 * The order fields that each fingerprint version covers. A version never changes, so a new order field requires a new
 * version. A repeated request is hashed with the first request's version, so that a new field does not change the
 * fingerprint of the same order. A release may store fingerprints of a new version only if the previous release can
 * read this version.
 */
const versions: Record<
  FingerprintVersion,
  (order: CreatePaymentInput) => Record<keyof CreatePaymentInput, unknown>
> = {
  1: order => ({
    amount: order.amount,
    currency: order.currency,
    method_type: order.method_type,
    method_detail: order.method_detail,
    customer_name: order.customer_name,
    customer_email: order.customer_email,
    customer_phone: order.customer_phone,
    items: order.items.map(({ id, name, price, quantity }) => ({ id, name, price, quantity })),
    expiry_minutes: order.expiry_minutes ?? DEFAULT_EXPIRY_MINUTES,
    return_url: order.return_url,
    customer_ip: order.customer_ip,
  }),
}
export const FINGERPRINT_VERSION: FingerprintVersion = 1

export const isFingerprintVersion = (version: number): version is FingerprintVersion =>
  Object.hasOwn(versions, version)

/**
 * Returns the SHA-256 hash of the parsed and normalized order. The hash does not depend on key order, white space
 * or omitted defaults.
 */
export const fingerprintOf = (input: CreatePaymentInput, version: FingerprintVersion): Buffer =>
  hash('sha256', canonicalJson(versions[version](input)), 'buffer')

/** The fields of a stored payment from which the merchant's order can be rebuilt. */
export type StoredOrder = Pick<
  Payment,
  | 'amount'
  | 'currency'
  | 'methodType'
  | 'methodDetail'
  | 'customerName'
  | 'customerEmail'
  | 'customerPhone'
  | 'items'
  | 'returnUrl'
  | 'customerIp'
  | 'expiryMinutes'
>

/**
 * Rebuilds the merchant's create request from a stored payment. The result contains `expiry_minutes` even if
 * the merchant omitted it.
 */
export const orderOf = (stored: StoredOrder): CreatePaymentInput => ({
  amount: Number(stored.amount),
  currency: stored.currency,
  method_type: stored.methodType,
  method_detail: stored.methodDetail,
  customer_name: stored.customerName,
  customer_email: stored.customerEmail,
  customer_phone: stored.customerPhone,
  items: stored.items,
  expiry_minutes: stored.expiryMinutes,
  return_url: stored.returnUrl ?? undefined,
  customer_ip: stored.customerIp ?? undefined,
})
