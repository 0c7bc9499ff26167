// Renders the figures from a run as a table and inserts it into docs/overload.md.

import type { Figures } from './merchants.ts'

export type Row = { title: string; figures: Figures }

const BEGIN = '<!-- Written by npm run test:adversary -- --write -->'
const END = '<!-- End of what was written -->'

/**
 * Returns the text of a documentation page with the table of figures inserted between its markers. Throws if the
 * page has no markers.
 */
export function withFigures(page: string, rows: Row[], about: string): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin < 0 || end < begin)
    throw new Error('the documentation page has no markers that show where to insert the table of figures')
  return `${page.slice(0, begin + BEGIN.length)}\n\n${about}\n\n${tableOf(rows)}\n\n${page.slice(end)}`
}

function tableOf(rows: Row[]): string {
  const cells = [
    [
      'attack',
      'requests',
      'errors',
      'median, control',
      'median, attack',
      'p99, control',
      'p99, attack',
      'p99 ratio',
    ],
    ...rows.map(({ title, figures: { requests, errors, unpaid, p50, p99 } }) => [
      title,
      String(requests),
      String(errors.length + unpaid),
      ...[p50.control, p50.attacked, p99.control, p99.attacked].map(ms => `${ms.toFixed(0)} ms`),
      (p99.attacked / p99.control).toFixed(2),
    ]),
  ]
  const widths = (cells[0] as string[]).map((_, n) => Math.max(...cells.map(row => row[n]?.length ?? 0)))
  const lines = cells.map(row => `| ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`)
  const rule = `| ${widths.map(width => '-'.repeat(width)).join(' | ')} |`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}
