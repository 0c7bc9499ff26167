// Computes figures from the report's rows, which count payments by status. A payment belongs to the day it was
// created.

import type { Outputs } from '../api/trpc.ts'
import type { Status } from '../payments/payment-words.ts'
import { daysOf, type Period } from './period.ts'

export type Row = Outputs['reports']['payments']['items'][number]

export type Figures = {
  /** The number of payments with any status. */
  count: number
  paid: number
  /** The number of payments in a final status: paid, failed, expired or cancelled. */
  ended: number
  /** The amount received, in cents. */
  volume: number
  /** The part of `volume` that providers reversed, in cents. */
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

/** Returns the success rate from 0 to 1, or undefined if no payment has a final status. */
export const successRate = ({ paid, ended }: Figures): number | undefined =>
  ended === 0 ? undefined : paid / ended

const RUPIAH = 100

/** Returns the average paid amount in cents, rounded to whole rupiah. */
export const averagePaid = ({ paid, volume }: Figures): number | undefined =>
  paid === 0 ? undefined : Math.round(volume / paid / RUPIAH) * RUPIAH

/** Groups the rows by a column and sorts the groups by volume, largest first. */
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

/** Returns the figures for each day of the period. A day that is not in the report has no payments. */
export function figuresByDay(rows: readonly Row[], period: Period): DayFigures[] {
  const byDay = Map.groupBy(rows, row => row.day)
  return daysOf(period).map(day => ({ day, ...figuresOf(byDay.get(day) ?? []) }))
}
