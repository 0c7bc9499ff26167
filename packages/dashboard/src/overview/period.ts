// The overview page's period as stored in the URL: either the last N days, or a start date and an end date.

import { isDay } from '../format/day.ts'

export type Period = { from: string; to: string }
type PeriodSearch = { days?: string | undefined; from?: string | undefined; to?: string | undefined }

export const spans = [7, 30, 90] as const
const DEFAULT_DAYS = 30
const DAY_MS = 86_400_000

/**
 * Returns whether the text is a date in this millennium. A date whose year the user is still typing, such as 0202, is
 * ignored.
 */
const isOurs = (text: string | undefined): text is string => isDay(text) && text.startsWith('2')

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

export const isChosen = ({ from, to }: PeriodSearch): boolean => isOurs(from) || isOurs(to)

export const spanOf = ({ days }: PeriodSearch): number =>
  spans.find(span => String(span) === days) ?? DEFAULT_DAYS

/**
 * Returns the overview page's period. `today` is the current date in Jakarta. If the start date is after the end
 * date, the dates are swapped, because the user may not have changed the second date yet.
 */
export function periodOf(search: PeriodSearch, today: string): Period {
  const to = isOurs(search.to) ? search.to : today
  const from = isOurs(search.from) ? search.from : dayAfter(to, 1 - spanOf(search))
  return from <= to ? { from, to } : { from: to, to: from }
}

export function daysOf({ from, to }: Period): string[] {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return Array.from({ length: Math.max(0, days) }, (_, index) => dayAfter(from, index))
}
