// The days that the overview tells of, as they stand in the address: the last so many, or from one to another.

import { isDay } from '../format/day.ts'

export type Period = { from: string; to: string }
type PeriodSearch = { days?: string | undefined; from?: string | undefined; to?: string | undefined }

export const spans = [7, 30, 90] as const
const DEFAULT_DAYS = 30
const DAY_MS = 86_400_000

/** A year that is still being typed, such as 0202, is none. */
const isOurs = (text: string | undefined): text is string => isDay(text) && text.startsWith('2')

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

export const isChosen = ({ from, to }: PeriodSearch): boolean => isOurs(from) || isOurs(to)

export const spanOf = ({ days }: PeriodSearch): number =>
  spans.find(span => String(span) === days) ?? DEFAULT_DAYS

/** today: of Jakarta. Two days in the wrong order are taken in the right one: whoever sets one end is not done yet. */
export function periodOf(search: PeriodSearch, today: string): Period {
  const to = isOurs(search.to) ? search.to : today
  const from = isOurs(search.from) ? search.from : dayAfter(to, 1 - spanOf(search))
  return from <= to ? { from, to } : { from: to, to: from }
}

export function daysOf({ from, to }: Period): string[] {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return Array.from({ length: Math.max(0, days) }, (_, index) => dayAfter(from, index))
}
