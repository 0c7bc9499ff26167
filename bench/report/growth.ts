// Compares the result of a benchmark (called a measure) on a large data set with its result on a small data
// set.

import { type Line, median } from '../measure.ts'
import type { Curve } from './curve.ts'

/** The result of one measure (benchmark) on one data set. */
export type Measured = { name: string; title: string; payments: number; lines: Line[]; curves: Curve[] }

const AT_LEAST = 0.85

/**
 * Returns one line per benchmark that ran on several data sets: its result on the largest data set divided by its
 * result on the smallest.
 */
export function growthLines(measured: Measured[]): Line[] {
  return inSizes(measured).flatMap(sizes => {
    const [small, large] = [sizes.at(0), sizes.at(-1)]
    if (!small || !large || small.payments === large.payments) return []
    const { what, unit } = small.line
    // For a rate, the ratio is the value for the large data set divided by the value for the small one. For a
    // time, it is the inverse, because a smaller time is better.
    const isRate = unit.startsWith('/')
    const ratios = large.line.rounds.product.map(({ value }, round) => {
      const onSmall = small.line.rounds.product[round]?.value ?? Number.NaN
      return { value: isRate ? value / onSmall : onSmall / value }
    })
    return [
      {
        what: `${what}: ${told(large.payments)} payments; ${told(small.payments)}`,
        unit,
        floor: small.line.product,
        product: large.line.product,
        ratio: median(ratios.map(({ value }) => value)),
        bound: { atLeast: AT_LEAST },
        rounds: { product: ratios },
      },
    ]
  })
}

export function growthCurve(measured: Measured[]): Curve | undefined {
  const series = inSizes(measured)
    .filter(sizes => sizes.length > 1 && sizes[0]?.line.unit.startsWith('/'))
    .map(sizes => ({
      name: sizes[0]?.line.what ?? '',
      points: sizes.map(({ payments, line }): [number, number] => [payments, line.product]),
    }))
  if (series.length === 0) return undefined
  return {
    chart: 'growth',
    title: 'Throughput by database size',
    x: { label: 'payments in the database', scale: 'log' },
    y: { label: 'per second' },
    series,
  }
}

const told = (payments: number): string => payments.toLocaleString('en')

/**
 * Groups the benchmark results by line of the results table. Each group is sorted from the smallest data set
 * to the largest.
 */
function inSizes(measured: Measured[]): { payments: number; line: Line }[][] {
  const lines = new Map<string, { payments: number; line: Line }[]>()
  for (const { payments, lines: found } of measured.toSorted((a, b) => a.payments - b.payments))
    for (const line of found) lines.set(line.what, [...(lines.get(line.what) ?? []), { payments, line }])
  return [...lines.values()]
}
