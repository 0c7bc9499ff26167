// What a channel takes: amounts and times within the limits of its provider.

import { type Cents, isWholeRupiah } from '../money.ts'
import type { Candidate } from './route.ts'

export const DEFAULT_EXPIRY_MINUTES = 60

/** Of a payment that asks for none: the default, or as near to it as the channel allows. */
export function usualExpiryMinutes({ channel }: Candidate): number {
  const { minExpiryMinutes, maxExpiryMinutes } = channel.limits
  return Math.max(minExpiryMinutes, Math.min(DEFAULT_EXPIRY_MINUTES, maxExpiryMinutes))
}

/** In words, with the field in front; undefined where the account takes the payment. */
export function limitExceeded(
  { provider, channel }: Candidate,
  amount: Cents,
  expiryMinutes: number,
): string | undefined {
  const { wholeRupiah, minAmount, maxAmount, minExpiryMinutes, maxExpiryMinutes } = channel.limits
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
  return undefined
}
