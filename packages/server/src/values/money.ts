// An amount of money: a whole number of cents as a bigint (1 rupiah = 100 cents). Amounts become JSON numbers only in
// the API, and get a provider's format only in that provider's translate.ts.

export type Cents = bigint

export const CENTS_PER_RUPIAH = 100n

/** The largest amount: 10^14 cents, a trillion rupiah. It is below 2^53, so every amount is exact as a JSON number. */
export const MAX_AMOUNT: Cents = 100_000_000_000_000n

/**
 * The largest balance: 2^53 - 1 cents, about Rp 90 trillion. It is the largest value that is exact as a JSON number.
 */
export const MAX_SUM: Cents = BigInt(Number.MAX_SAFE_INTEGER)

/** Converts cents to a JSON number. Throws a RangeError if the number would be inexact. */
export function toJsonNumber(cents: Cents): number {
  const number = Number(cents)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${cents} cents cannot be written as a JSON number`)
  return number
}

/** Converts whole rupiah to cents. */
export const rupiah = (amount: number): Cents => BigInt(amount) * CENTS_PER_RUPIAH

export const isWholeRupiah = (cents: Cents): boolean => cents % CENTS_PER_RUPIAH === 0n

/** Converts cents to whole rupiah. Throws a RangeError if a fraction of a rupiah would be lost. */
export function toRupiah(cents: Cents): bigint {
  if (!isWholeRupiah(cents)) throw new RangeError(`${cents} cents are not whole rupiah`)
  return cents / CENTS_PER_RUPIAH
}

/**
 * Parses `"10000"` or `"10000.00"`, the formats that providers use for rupiah. Returns undefined for other text,
 * and for amounts that are too large to be exact as a JSON number.
 */
export function centsOfDecimal(text: string): Cents | undefined {
  const match = /^(\d{1,13})(?:\.(\d{2}))?$/.exec(text)
  if (!match) return undefined
  return BigInt(match[1] as string) * CENTS_PER_RUPIAH + BigInt(match[2] ?? '0')
}

/**
 * Parses an amount like `centsOfDecimal`, but also accepts a JSON number. Returns undefined for numbers that JSON
 * cannot represent exactly.
 */
export const centsOf = (amount: unknown): Cents | undefined =>
  typeof amount === 'number' || typeof amount === 'string' ? centsOfDecimal(String(amount)) : undefined
