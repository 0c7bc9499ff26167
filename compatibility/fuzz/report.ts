// Renders the results of a fuzzing run as a table and inserts it into docs/security.md.

import { type Counts, phases, type Tally } from './schemathesis.ts'

export type Result = { caller: string; tally: Tally }

const BEGIN = '<!-- Written by npm run test:fuzz:api -- --write -->'
const END = '<!-- End of what was written -->'

const none: Counts = { cases: 0, statuses: {}, failures: {} }
const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0)
const failuresIn = ({ failures }: Counts): number => sum(Object.values(failures))

export const countsOf = ({ tally }: Result): Counts[] => phases.map(phase => tally.phases[phase] ?? none)
export const casesOf = (results: Result[]): number => sum(results.flatMap(countsOf).map(({ cases }) => cases))
export const failuresOf = (results: Result[]): number => sum(results.flatMap(countsOf).map(failuresIn))

/**
 * Returns a table of the fuzzing results, with one row per credential. A row shows how many test cases ran in
 * each phase, and how many failures each check found.
 */
export function tableOf(results: Result[]): string {
  const rows = results.map(result => {
    const counts = countsOf(result)
    const byCheck = new Map<string, number>()
    for (const [check, count] of counts.flatMap(({ failures }) => Object.entries(failures)))
      byCheck.set(check, (byCheck.get(check) ?? 0) + count)
    const failed = [...byCheck].map(([check, count]) => `${count} ${check}`).join(', ')
    return [result.caller, ...counts.map(({ cases }) => String(cases)), accepted(counts), failed || '0']
  })
  const cells = [['credential', ...phases, 'answered 200', 'failures'], ...rows]
  const widths = (cells[0] as string[]).map((_, n) => Math.max(...cells.map(row => row[n]?.length ?? 0)))
  const lines = cells.map(row => `| ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`)
  return [lines[0], `| ${widths.map(width => '-'.repeat(width)).join(' | ')} |`, ...lines.slice(1)].join('\n')
}

const accepted = (counts: Counts[]): string => String(sum(counts.map(({ statuses }) => statuses['200'] ?? 0)))

/**
 * Returns the text of a documentation page with the table inserted between its markers. Throws if the page has no
 * markers.
 */
export function withTable(page: string, results: Result[], about: string): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin < 0 || end < begin)
    throw new Error('the documentation page has no markers that show where to insert the table of results')
  return `${page.slice(0, begin + BEGIN.length)}\n\n${about}\n\n${tableOf(results)}\n\n${page.slice(end)}`
}
