// Converts between rupiah, which users type, and cents, which the API accepts. The conversion moves digits in text
// and never divides, because a float cannot represent every amount.

/**
 * Converts rupiah to cents. The text must be digits, with up to two decimals after a point, as a number input writes
 * them. Returns undefined for any other text.
 */
export function centsOf(rupiah: string): number | undefined {
  const [, whole, part = ''] = /^(\d{1,13})(?:\.(\d{0,2}))?$/.exec(rupiah) ?? []
  if (whole === undefined) return undefined
  return Number(`${whole}${part.padEnd(2, '0')}`)
}

/** Converts cents to rupiah. `cents` is a non-negative integer. Decimals are shown only if they are not zero. */
export function rupiahOf(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  const [whole, part] = [digits.slice(0, -2), digits.slice(-2)]
  return part === '00' ? whole : `${whole}.${part}`
}
