// Converts between percentages, which users type, and basis points (hundredths of a percent), which the API
// accepts. The conversion moves digits in the text instead of calculating, because a float cannot represent
// every percentage.

import type { Language } from '../language/language.tsx'

const decimal: Record<Language, string> = { en: '.', id: ',' }

/**
 * Converts a percentage typed by a user to basis points. Up to two decimals are allowed, after a point or a
 * comma. A comma is never a thousands separator here, because a percentage has at most three digits before
 * it.
 */
export function basisPointsOf(typed: string): number | undefined {
  const [, whole, part = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(typed.trim()) ?? []
  return whole === undefined ? undefined : Number(`${whole}${part.padEnd(2, '0')}`)
}

/** Converts basis points to a percentage without trailing zeros. `points` is a non-negative integer. */
export function percentOf(points: number, language: Language): string {
  const digits = String(points).padStart(3, '0')
  const part = digits.slice(-2).replace(/0+$/, '')
  return `${digits.slice(0, -2)}${part && `${decimal[language]}${part}`}`
}
