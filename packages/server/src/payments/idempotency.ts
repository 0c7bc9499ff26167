// The payment's row is the record of its idempotency key (unique for tenant and mode, for ever), so a repeat
// finds the payment itself and goes on where it stands.

import { createHash } from 'node:crypto'
import { PROVIDER_TIMEOUT_MS } from '../providers/request.ts'
import { DEFAULT_EXPIRY_MINUTES } from '../routing/limit.ts'
import type { CreatePaymentInput } from './create-input.ts'
import type { FingerprintVersion, Payment } from './payment.ts'

/**
 * What each version of the fingerprint covers. A version is never changed: a new field of an order, however deep, comes
 * with a new version, which is written one release after it can be read. A repeat is compared by the version that its key
 * was first used with, so a field that came later does not turn an old key into a conflict.
 */
const versions = {
  1: (order: CreatePaymentInput): Record<keyof CreatePaymentInput, unknown> => ({
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

/** SHA-256 over the parsed and normalised order, so key order, white space and defaults do not matter. */
export const fingerprintOf = (input: CreatePaymentInput, version: FingerprintVersion): Buffer =>
  createHash('sha256')
    .update(canonical(versions[version](input)))
    .digest()

/** JSON with sorted keys, without those that are undefined. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}

/** When a charge that is still running must have ended; time for the two commits included. */
export const CHARGE_ENDS_AFTER_MS = PROVIDER_TIMEOUT_MS + 5_000

export type Repeat =
  /** The key was used for another order. */
  | 'conflict'
  /** Somebody is asking the provider right now. */
  | 'wait'
  /** What the provider knows has to be found out first. */
  | 'inquire'
  /** Nothing exists at the provider: charge again. */
  | 'charge'
  /** Answer the refusal again. */
  | 'refuse'
  /** Answer the payment as it is. */
  | 'replay'

/** What a repeat of a key calls for, by the payment that holds it. */
export function repeatOf(payment: Payment, input: CreatePaymentInput, now: Date): Repeat {
  if (!payment.fingerprint.equals(fingerprintOf(input, payment.fingerprintVersion))) return 'conflict'
  switch (payment.status) {
    case 'charging':
      // Not next_check_at: the sweep puts that off for as long as the provider does not answer.
      return now.getTime() - payment.updatedAt.getTime() < CHARGE_ENDS_AFTER_MS ? 'wait' : 'inquire'
    case 'unknown':
      return 'inquire'
    case 'uncharged':
      return 'charge'
    case 'rejected':
      return 'refuse'
    default:
      return 'replay'
  }
}
