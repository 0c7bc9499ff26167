// Checks a payment against a channel's limits: the amount, the expiry and, if the channel requires one, the payer's
// mobile number.

import type { GatewayError } from '../faults/errors.ts'
import { fault } from '../faults/fault.ts'
import { mobileNumberOf } from '../values/mobile-number.ts'
import { type Cents, isWholeRupiah, toJsonNumber } from '../values/money.ts'
import type { Candidate } from './route.ts'

export const DEFAULT_EXPIRY_MINUTES = 60

/**
 * Returns the expiry for a payment that was requested without an expiry. This is the service's default expiry. If the
 * channel does not allow the default, the result is the nearest value that the channel allows.
 */
export function defaultExpiryMinutes({ channel }: Candidate): number {
  const { minExpiryMinutes, maxExpiryMinutes } = channel.limits
  return Math.max(minExpiryMinutes, Math.min(DEFAULT_EXPIRY_MINUTES, maxExpiryMinutes))
}

/**
 * The payment to check. If `customerPhone` is absent, the payer's phone number is not yet known and is not checked.
 */
export type PaymentTerms = { amount: Cents; expiryMinutes: number; customerPhone?: string }

/**
 * Returns the error for the first channel limit that the payment violates, or undefined if the payment is
 * within all limits.
 */
export function limitViolation(
  { provider, channel }: Candidate,
  { amount, expiryMinutes, customerPhone }: PaymentTerms,
): GatewayError | undefined {
  const { wholeRupiah, minAmount, maxAmount, minExpiryMinutes, maxExpiryMinutes, mobileNumber } =
    channel.limits
  const at = { provider: provider.name, channel: channel.name }
  const field = 'amount'
  if (wholeRupiah && !isWholeRupiah(amount)) return fault('whole_rupiah_only', at, { field })
  if (minAmount !== undefined && amount < minAmount)
    return fault('channel_amount_too_small', { ...at, min: toJsonNumber(minAmount) }, { field })
  if (maxAmount !== undefined && amount > maxAmount)
    return fault('channel_amount_too_large', { ...at, max: toJsonNumber(maxAmount) }, { field })
  if (expiryMinutes < minExpiryMinutes)
    return fault('channel_expiry_too_short', { ...at, min: minExpiryMinutes }, { field: 'expiry_minutes' })
  if (expiryMinutes > maxExpiryMinutes)
    return fault('channel_expiry_too_long', { ...at, max: maxExpiryMinutes }, { field: 'expiry_minutes' })
  if (mobileNumber && customerPhone !== undefined && mobileNumberOf(customerPhone) === undefined)
    return fault('mobile_number_needed', at, { field: 'customer_phone' })
  return undefined
}
