// The figures of a run as a table, and its place in docs/overload.md.

import type { Figures } from './merchants.ts'

export type Row = { title: string; calm: Figures; attacked: Figures }

const BEGIN = '<!-- Written by npm run test:adversary -- --write -->'
const END = '<!-- End of what was written -->'

/** Throws where the page has no place for them. */
export function withFigures(page: string, rows: Row[], about: string): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin < 0 || end < begin) throw new Error('the page has no place for the figures')
  return `${page.slice(0, begin + BEGIN.length)}\n\n${about}\n\n${tableOf(rows)}\n\n${page.slice(end)}`
}

function tableOf(rows: Row[]): string {
  const cells = [
    ['attack', 'requests', 'errors', 'p99 calm', 'p99 attacked', 'ratio'],
    ...rows.map(({ title, calm, attacked }) => [
      title,
      String(attacked.requests),
      String(attacked.errors.length + attacked.unpaid),
      `${calm.p99.toFixed(0)} ms`,
      `${attacked.p99.toFixed(0)} ms`,
      (attacked.p99 / calm.p99).toFixed(2),
    ]),
  ]
  const widths = (cells[0] as string[]).map((_, n) => Math.max(...cells.map(row => row[n]?.length ?? 0)))
  const lines = cells.map(row => `| ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`)
  const rule = `| ${widths.map(width => '-'.repeat(width)).join(' | ')} |`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}
