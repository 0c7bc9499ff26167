// Checks a payment against a channel's limits: amount, expiry and whether the payer has a required mobile number.

import { mobileNumberOf } from '../mobile-number.ts'
import { type Cents, isWholeRupiah } from '../money.ts'
import type { Candidate } from './route.ts'

export const DEFAULT_EXPIRY_MINUTES = 60

/** The expiry of a payment that requests none: the default, or the nearest value that the channel allows. */
export function usualExpiryMinutes({ channel }: Candidate): number {
  const { minExpiryMinutes, maxExpiryMinutes } = channel.limits
  return Math.max(minExpiryMinutes, Math.min(DEFAULT_EXPIRY_MINUTES, maxExpiryMinutes))
}

/** customerPhone: absent if it is not known yet; it is then not checked. */
export type Asked = { amount: Cents; expiryMinutes: number; customerPhone?: string }

/** Returns a message that starts with the field. Undefined if the account accepts the payment. */
export function limitExceeded(
  { provider, channel }: Candidate,
  { amount, expiryMinutes, customerPhone }: Asked,
): string | undefined {
  const { wholeRupiah, minAmount, maxAmount, minExpiryMinutes, maxExpiryMinutes, mobileNumber } =
    channel.limits
  const says = (field: string, limit: string) => `${field}: ${provider.name} ${limit} for ${channel.name}`
  if (wholeRupiah && !isWholeRupiah(amount))
    return says('amount', 'takes whole rupiah only (a multiple of 100 cents)')
  if (minAmount !== undefined && amount < minAmount)
    return says('amount', `takes at least ${minAmount} cents`)
  if (maxAmount !== undefined && amount > maxAmount) return says('amount', `takes at most ${maxAmount} cents`)
  if (expiryMinutes < minExpiryMinutes)
    return says('expiry_minutes', `takes at least ${minExpiryMinutes} minutes`)
  if (expiryMinutes > maxExpiryMinutes)
    return says('expiry_minutes', `takes at most ${maxExpiryMinutes} minutes`)
  if (mobileNumber && customerPhone !== undefined && mobileNumberOf(customerPhone) === undefined)
    return says('customer_phone', "needs the payer's mobile number, such as 081234567890,")
  return undefined
}
