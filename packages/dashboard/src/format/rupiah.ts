// Converts between rupiah, which users type, and cents, which the API accepts. The conversion moves digits in the
// text and never divides, because a float cannot represent every amount.

import type { Language } from '../language/language.tsx'

/** The separator between groups of three digits, and the separator before the decimals, in each language. */
const signs: Record<Language, { group: string; decimal: string }> = {
  en: { group: ',', decimal: '.' },
  id: { group: '.', decimal: ',' },
}

/**
 * Converts an amount typed by a user to cents. An amount must have either two decimals or none, and either all
 * group separators or none. Therefore, `1.5` is never read as 15.
 */
export function centsOf(typed: string, language: Language): number | undefined {
  const { group, decimal } = signs[language]
  const amount = new RegExp(`^(\\d{1,13}|\\d{1,3}(?:\\${group}\\d{3}){1,4})(?:\\${decimal}(\\d{2}))?$`)
  const [, whole, part = '00'] = amount.exec(typed.trim()) ?? []
  return whole === undefined ? undefined : Number(`${whole.replaceAll(group, '')}${part}`)
}

/**
 * Formats cents as an amount in rupiah. `cents` is a non-negative integer. Decimals are shown only if they are
 * not zero.
 */
export function rupiahOf(cents: number, language: Language): string {
  const { group, decimal } = signs[language]
  const digits = String(cents).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, group)
  const part = digits.slice(-2)
  return part === '00' ? whole : `${whole}${decimal}${part}`
}
