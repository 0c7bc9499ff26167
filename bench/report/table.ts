// Renders the results table for a terminal and for a page.

import { type Bound, isMet, type Line } from '../measure.ts'

const heads = ['measure', 'floor', 'product', 'ratio', 'rounds', 'to reach', 'met'] as const

export function table(lines: Line[]): string {
  const rows = [heads, ...lines.map(cellsOf)]
  const widths = heads.map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)))
  const drawn = rows.map(row =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
      .trimEnd(),
  )
  const rule = widths.map(width => '─'.repeat(width)).join('  ')
  return `${[drawn[0], rule, ...drawn.slice(1)].join('\n')}\n`
}

export function markdownTable(lines: Line[]): string {
  const row = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const rule = heads.map((_, column) => (column === 0 ? '---' : '--:'))
  return `${[row(heads), row(rule), ...lines.map(line => row(cellsOf(line)))].join('\n')}\n`
}

function cellsOf(line: Line): readonly string[] {
  const { what, unit, floor, product, ratio, bound } = line
  const met = isMet(line)
  return [
    what,
    floor === undefined ? '' : withUnit(floor, unit),
    withUnit(product, unit),
    ratio === undefined ? '' : ratio.toFixed(2),
    spreadOf(line),
    bound ? boundOf(bound, ratio === undefined ? unit : '') : '',
    met === undefined ? '' : met ? 'yes' : 'NO',
  ]
}

/**
 * Returns the lowest and the highest result of the benchmark rounds, which show how far the result of one
 * round can differ from the median.
 */
function spreadOf({ rounds: { floor, product } }: Line): string {
  const values = floor
    ? product.map(({ value }, round) => value / (floor[round]?.value ?? Number.NaN))
    : product.map(({ value }) => value)
  if (values.length < 2) return ''
  const digits = floor ? (value: number) => value.toFixed(2) : rounded
  return `${digits(Math.min(...values))} – ${digits(Math.max(...values))}`
}

const boundOf = (bound: Bound, unit: string): string =>
  'atLeast' in bound ? `≥ ${withUnit(bound.atLeast, unit)}` : `≤ ${withUnit(bound.atMost, unit)}`

const withUnit = (value: number, unit: string): string =>
  unit === '' || unit.startsWith('/') ? `${rounded(value)}${unit}` : `${rounded(value)} ${unit}`

const rounded = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString('en')
    : Number(value.toPrecision(value >= 10 ? 3 : 2)).toString()
