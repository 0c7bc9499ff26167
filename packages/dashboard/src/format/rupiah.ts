// What people type is rupiah, what the API takes is cents. Digits are moved, and nothing is divided: a float would not hold
// every sum.

/** Of digits with at most two decimals behind a point, as a number field writes them; undefined for anything else. */
export function centsOf(rupiah: string): number | undefined {
  const [, whole, part = ''] = /^(\d{1,13})(?:\.(\d{0,2}))?$/.exec(rupiah) ?? []
  if (whole === undefined) return undefined
  return Number(`${whole}${part.padEnd(2, '0')}`)
}

/** cents: an integer, not negative. Decimals only where there are any. */
export function rupiahOf(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  const [whole, part] = [digits.slice(0, -2), digits.slice(-2)]
  return part === '00' ? whole : `${whole}.${part}`
}
