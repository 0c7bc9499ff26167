// Money is a whole number of cents, as bigint: 1 rupiah = 100 cents. It becomes a JSON number only at the
// edge and a provider's notation only in that provider's translate.ts.

export type Cents = bigint

export const CENTS_PER_RUPIAH = 100n

/** 10^14 cents, a trillion rupiah: below 2^53, so every amount is exact as a JSON number too. */
export const MAX_AMOUNT: Cents = 100_000_000_000_000n

/** 2^53 - 1 cents, some Rp 90 trillion: the largest sum that is exact as a JSON number, and so the largest balance. */
export const MAX_SUM: Cents = BigInt(Number.MAX_SAFE_INTEGER)

/** For JSON, where an inexact number would be a lie about money. */
export function toJsonNumber(cents: Cents): number {
  const number = Number(cents)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${cents} cents cannot be written as a JSON number`)
  return number
}

/** What a limit of so many rupiah is in cents. */
export const rupiah = (amount: number): Cents => BigInt(amount) * CENTS_PER_RUPIAH

export const isWholeRupiah = (cents: Cents): boolean => cents % CENTS_PER_RUPIAH === 0n

/** Throws where a fraction of a rupiah would be lost. */
export function toRupiah(cents: Cents): bigint {
  if (!isWholeRupiah(cents)) throw new RangeError(`${cents} cents are not whole rupiah`)
  return cents / CENTS_PER_RUPIAH
}

/**
 * Reads `"10000"` or `"10000.00"`, as providers write rupiah; undefined for anything else, and for sums that no
 * JSON number holds.
 */
export function centsOfDecimal(text: string): Cents | undefined {
  const match = /^(\d{1,13})(?:\.(\d{2}))?$/.exec(text)
  if (!match) return undefined
  return BigInt(match[1] as string) * CENTS_PER_RUPIAH + BigInt(match[2] ?? '0')
}

/** The same of a JSON value, which may be a number too. One that JSON could not hold exactly is no sum. */
export const centsOf = (amount: unknown): Cents | undefined =>
  typeof amount === 'number' || typeof amount === 'string' ? centsOfDecimal(String(amount)) : undefined
