import { isDay } from './day.ts'

/**
 * Converts a date typed by a user, such as `26/11/2026`, to the format YYYY-MM-DD. Returns undefined if the text is
 * not a valid date.
 */
export function dayOfTyped(typed: string): string | undefined {
  const text = typed.trim()
  const [, day, month, year] = /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})$/.exec(text) ?? []
  const iso = year === undefined ? text : `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  return isDay(iso) ? iso : undefined
}

/** Converts a date from the format YYYY-MM-DD to the format in which users type dates. */
export const typedOfDay = (day: string): string => day.split('-').reverse().join('/')
