// Figures out of the report's rows, which count payments by status. A payment is of the day on which it was created.

import type { Outputs } from '../api/trpc.ts'
import type { Status } from '../payments/payment-words.ts'
import { daysOf, type Period } from './period.ts'

export type Row = Outputs['reports']['payments']['items'][number]

export type Figures = {
  /** Payments of any status. */
  count: number
  paid: number
  /** Paid, failed, expired or cancelled: what pays no more, or has. */
  ended: number
  /** Cents that arrived. */
  volume: number
  /** Of them: cents that a provider took back. */
  reversed: number
}

const ends: readonly (Status | undefined)[] = ['paid', 'failed', 'expired', 'cancelled']

export const figuresOf = (rows: readonly Row[]): Figures =>
  rows.reduce(
    (sum, { status, count, amount_paid, amount_reversed }) => ({
      count: sum.count + count,
      paid: sum.paid + (status === 'paid' ? count : 0),
      ended: sum.ended + (ends.includes(status) ? count : 0),
      volume: sum.volume + amount_paid,
      reversed: sum.reversed + amount_reversed,
    }),
    { count: 0, paid: 0, ended: 0, volume: 0, reversed: 0 },
  )

/** 0 to 1; undefined while none has ended. */
export const successRate = ({ paid, ended }: Figures): number | undefined =>
  ended === 0 ? undefined : paid / ended

const RUPIAH = 100

/** To the rupiah. */
export const averagePaid = ({ paid, volume }: Figures): number | undefined =>
  paid === 0 ? undefined : Math.round(volume / paid / RUPIAH) * RUPIAH

/** Of each value of a column, the largest volume first. */
export function figuresBy<Name extends 'method_type' | 'tenant'>(
  rows: readonly Row[],
  name: Name,
): { key: NonNullable<Row[Name]>; rows: Row[]; figures: Figures }[] {
  const groups = Map.groupBy(rows, row => row[name] as NonNullable<Row[Name]>)
  return [...groups]
    .map(([key, group]) => ({ key, rows: group, figures: figuresOf(group) }))
    .toSorted((one, other) => other.figures.volume - one.figures.volume)
}

export type DayFigures = Figures & { day: string }

/** Each day of the period; nothing was paid on those that the report does not tell of. */
export function figuresByDay(rows: readonly Row[], period: Period): DayFigures[] {
  const byDay = Map.groupBy(rows, row => row.day)
  return daysOf(period).map(day => ({ day, ...figuresOf(byDay.get(day) ?? []) }))
}
