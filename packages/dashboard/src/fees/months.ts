// The months that fee statements can cover, in the format `2026-11`.

import { useLanguage } from '../language/language.tsx'

const SHOWN_MONTHS = 24

export const isMonth = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(text)

/** Returns 24 months, newest first: the month of a day such as `2026-11-22`, and the months before it. */
export function monthsUntil(day: string): string[] {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return Array.from({ length: SHOWN_MONTHS }, (_, before) => {
    const at = new Date(Date.UTC(year, month - 1 - before, 1))
    return at.toISOString().slice(0, 7)
  })
}

/** Returns a function that names a month in the reader's language, for example `November 2026`. */
export function useMonthName(): (month: string) => string {
  const [language] = useLanguage()
  const format = new Intl.DateTimeFormat(language === 'id' ? 'id-ID' : 'en-GB', {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  })
  return month => format.format(new Date(`${month}-01T00:00:00Z`))
}
