// Renders the results of the search benchmark as Markdown tables.

import { median } from '../measure.ts'
import { percentile } from '../measures/work.ts'
import { type Cost, medianCost, type Variant } from './create-cost.ts'
import type { Read, Timed } from './searches.ts'

/** The results of one kind of search. The CPU time is PostgreSQL's, not the service's. */
export type Figures = {
  tenant: string
  kind: string
  found: number
  read: Read
  warm: Timed[]
  /** The time it takes to count all matches, as for a list requested with `count=true`. */
  count: Timed[]
  coldMs?: number
}

const heads = [
  'search for',
  'found',
  'median',
  'p99',
  'fastest',
  'CPU, median',
  'pages',
  'statements',
  'with count',
  'cold',
]

const ms = (value: number): string =>
  Number.isNaN(value) ? '' : `${value.toPrecision(value >= 100 ? 3 : 2)} ms`

function cellsOf({ kind, found, read, warm, count, coldMs = Number.NaN }: Figures): string[] {
  const times = warm.map(({ ms }) => ms)
  return [
    kind,
    String(found),
    ms(median(times)),
    ms(percentile(times, 0.99)),
    ms(Math.min(...times)),
    ms(median(warm.map(({ postgresCpuMs }) => postgresCpuMs))),
    read.pages.toLocaleString('en'),
    String(read.statements),
    ms(median(count.map(({ ms }) => ms))),
    ms(coldMs),
  ]
}

/** Returns the measured search times as text, with one table for each tenant. */
export function searchTables(figures: Figures[]): string {
  const tenants = [...new Set(figures.map(({ tenant }) => tenant))]
  return tenants
    .map(
      tenant => `${tenant}\n\n${table(heads, figures.filter(each => each.tenant === tenant).map(cellsOf))}`,
    )
    .join('\n')
}

const bytes = (value: number): string => Math.round(value).toLocaleString('en')

export function costTable(costs: Record<Variant, Cost[]>): string {
  const rows = Object.entries(costs).map(([variant, rounds]) => {
    const { cpuUs, walBytes, walBytesWithPages } = medianCost(rounds)
    const least = Math.min(...rounds.map(({ cpuUs }) => cpuUs))
    return [
      variant,
      `${cpuUs.toFixed(0)} µs`,
      `${least.toFixed(0)} µs`,
      bytes(walBytes),
      bytes(walBytesWithPages),
    ]
  })
  return table(
    ['insert of a payment', 'CPU, median', 'CPU, least', 'WAL, bytes', 'with whole pages, bytes'],
    rows,
  )
}

function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rule = heads.map((_, column) => (column === 0 ? '---' : '--:'))
  return `${[heads, rule, ...rows].map(line).join('\n')}\n`
}
