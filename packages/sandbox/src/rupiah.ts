// One rupiah is 100 cents. Amounts are whole cents. They are formatted from their digits, so that floating point
// never rounds an amount.

export function decimalRupiah(cents: number): string {
  const rupiah = Math.trunc(cents / 100)
  return `${rupiah}.${String(cents % 100).padStart(2, '0')}`
}

export function displayRupiah(cents: number): string {
  const [whole = '0', fraction = '00'] = decimalRupiah(cents).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '.')
  return fraction === '00' ? `Rp ${grouped}` : `Rp ${grouped},${fraction}`
}

/**
 * Converts an amount typed by a person, such as `44000` or `44000.50`, to cents. Returns undefined if the text is
 * not an amount.
 */
export function centsTyped(text: string): number | undefined {
  const match = /^(\d{1,13})(?:[.,](\d{1,2}))?$/.exec(text.trim())
  if (!match) return undefined
  const cents = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return cents > 0 ? cents : undefined
}
