// Amounts in the API are integers in cents. These functions convert between rupiah and cents, so that no amount
// is wrong by a factor of 100.

/**
 * Converts rupiah to cents. Throws `RangeError` if the amount has more than two decimal places or is too
 * large to be exact.
 *
 * @example
 * await gapura.payments.create({ ...order, amount: rupiah(100_000) }) // 10_000_000 cents
 */
export function rupiah(amount: number): number {
  const cents = Math.round(amount * 100)
  if (!Number.isSafeInteger(cents) || cents / 100 !== amount)
    throw new RangeError(`rupiah: must be an amount with up to two decimal places (got ${amount})`)
  return cents
}

/**
 * Formats cents as rupiah in the Indonesian format. Throws `RangeError` if `cents` is not an integer.
 *
 * @example
 * formatRupiah(10_000_000) // Rp100.000
 * formatRupiah(10_000_050) // Rp100.000,50
 */
export function formatRupiah(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`formatRupiah: must be integer cents (got ${cents})`)
  const digits = cents % 100 === 0 ? 0 : 2
  const number = new Intl.NumberFormat('id-ID', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Math.abs(cents) / 100)
  return `${cents < 0 ? '-' : ''}Rp${number}`
}
