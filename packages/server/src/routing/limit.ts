// What a channel takes: amounts and times within the limits of its provider, and payers that it can ask.

import { mobileNumberOf } from '../mobile-number.ts'
import { type Cents, isWholeRupiah } from '../money.ts'
import type { Candidate } from './route.ts'

export const DEFAULT_EXPIRY_MINUTES = 60

/** Of a payment that asks for none: the default, or as near to it as the channel allows. */
export function usualExpiryMinutes({ channel }: Candidate): number {
  const { minExpiryMinutes, maxExpiryMinutes } = channel.limits
  return Math.max(minExpiryMinutes, Math.min(DEFAULT_EXPIRY_MINUTES, maxExpiryMinutes))
}

/** customerPhone: absent where it is not known yet, and then not looked at. */
export type Asked = { amount: Cents; expiryMinutes: number; customerPhone?: string }

/** In words, with the field in front; undefined where the account takes the payment. */
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
