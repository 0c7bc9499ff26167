// Computes figures from the rows of the payment report, in which payments are counted by status. A payment belongs to
// the day on which it was created.

import type { Outputs } from '../api/trpc.ts'
import type { Status } from '../payments/payment-words.ts'
import { daysOf, type Period } from './period.ts'

export type Row = Outputs['reports']['payments']['items'][number]

export type Figures = {
  /** The number of all payments, regardless of their status. */
  count: number
  paid: number
  /** The number of payments in a final status: paid, failed, expired or cancelled. */
  ended: number
  /** The amount received for paid payments, in cents. */
  volume: number
  /** The part of the amount received (`volume`) that was refunded to payers, in cents. */
  refunded: number
  /** The part of `volume` that was reversed by providers or taken back by chargebacks, in cents. */
  reversed: number
}

const ends: readonly (Status | undefined)[] = ['paid', 'failed', 'expired', 'cancelled']

export const figuresOf = (rows: readonly Row[]): Figures =>
  rows.reduce(
    (sum, { status, count, amount_paid, amount_refunded, amount_reversed }) => ({
      count: sum.count + count,
      paid: sum.paid + (status === 'paid' ? count : 0),
      ended: sum.ended + (ends.includes(status) ? count : 0),
      volume: sum.volume + amount_paid,
      refunded: sum.refunded + amount_refunded,
      reversed: sum.reversed + amount_reversed,
    }),
    { count: 0, paid: 0, ended: 0, volume: 0, refunded: 0, reversed: 0 },
  )

/**
 * Returns the success rate: the share of paid payments among all ended payments, from 0 to 1. Returns
 * undefined if no payment has ended.
 */
export const successRate = ({ paid, ended }: Figures): number | undefined =>
  ended === 0 ? undefined : paid / ended

/** Returns the net amount in cents: the amount received minus refunds and reversals. */
export const netOf = ({ volume, refunded, reversed }: Figures): number => volume - refunded - reversed

const RUPIAH = 100

/** Returns the average amount of paid payments in cents, rounded to whole rupiah. */
export const averagePaid = ({ paid, volume }: Figures): number | undefined =>
  paid === 0 ? undefined : Math.round(volume / paid / RUPIAH) * RUPIAH

/**
 * Groups the report's rows by a column. The group with the largest net amount (the amount received minus refunds
 * and reversals) comes first.
 */
export function figuresBy<Name extends 'method_type' | 'tenant'>(
  rows: readonly Row[],
  name: Name,
): { key: NonNullable<Row[Name]>; rows: Row[]; figures: Figures }[] {
  const groups = Map.groupBy(rows, row => row[name] as NonNullable<Row[Name]>)
  return [...groups]
    .map(([key, group]) => ({ key, rows: group, figures: figuresOf(group) }))
    .toSorted((one, other) => netOf(other.figures) - netOf(one.figures))
}

/** The figures for one day. `net` is the amount received minus refunds and reversals, in cents. */
export type DayFigures = Figures & { day: string; net: number }

/**
 * Returns the payment figures for each day in the period. If a day is not in the report, it had no payments,
 * so its figures are zero.
 */
export function figuresByDay(rows: readonly Row[], period: Period): DayFigures[] {
  const byDay = Map.groupBy(rows, row => row.day)
  return daysOf(period).map(day => {
    const figures = figuresOf(byDay.get(day) ?? [])
    return { day, ...figures, net: netOf(figures) }
  })
}
