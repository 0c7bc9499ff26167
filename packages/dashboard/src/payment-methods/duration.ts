import type { Language } from '../language/language.tsx'

const units = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const

/** Formats a duration in the largest unit that needs no fraction: `30 days`, `36 hours`, `90 minutes`. */
export function durationIn(language: Language, minutes: number): string {
  const [unit, length] = units.find(([, length]) => minutes % length === 0) ?? units[2]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    minutes / length,
  )
}
