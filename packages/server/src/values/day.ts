// Converts between days and points in time. All days are Jakarta days, and Jakarta has no daylight saving time. The
// time zones of the caller and the server have no effect.

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { after, wibClock } from './time.ts'

const DAY_MS = 86_400_000

/** A time range: `from` is inclusive, `before` is exclusive. */
export type Period = { from: Date; before: Date }

const NO_DAY = rule('format_wrong', { format: 'date' })

/**
 * The schema for a calendar day. Rejects the year 0, because it exists neither in the calendar nor in
 * PostgreSQL.
 */
export const day = z.iso.date(NO_DAY).refine(date => !date.startsWith('0000'), NO_DAY)

export const startOfDay = (date: string): Date => new Date(`${date}T00:00:00+07:00`)

/** Returns the time range from the start of the first day to the end of the last day. */
export const periodOfDays = (from: string, to: string): Period => ({
  from: startOfDay(from),
  before: after(startOfDay(to), DAY_MS),
})

export const daysOf = ({ from, before }: Period): number => (before.getTime() - from.getTime()) / DAY_MS

export const dayOf = (at: Date): string => wibClock(at).slice(0, 10)

export const daysBefore = (date: string, days: number): string =>
  dayOf(after(startOfDay(date), -days * DAY_MS))

const time = z.iso.datetime({ offset: true })

/** A day or a point in time, as accepted by filters. */
export const moment = z.union([day, time], rule('moment_malformed'))

/**
 * Returns the time range from the start of `from` to the end of `to`. Each of these parameters may be a day or a point
 * in time.
 */
export function periodBetween(from: string | undefined, to: string | undefined): Period {
  return {
    from: from === undefined ? new Date(0) : day.safeParse(from).success ? startOfDay(from) : new Date(from),
    before:
      to === undefined
        ? END_OF_TIME
        : day.safeParse(to).success
          ? periodOfDays(to, to).before
          : new Date(Date.parse(to) + 1),
  }
}

/** The latest time that an id of ours can contain. Our ids are version 7 UUIDs. */
const END_OF_TIME = new Date(2 ** 48 - 1)
