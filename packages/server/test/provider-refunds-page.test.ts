import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RefundTerms } from '../src/providers/refund-terms.ts'
import { providers } from '../src/providers/registry.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/provider-refunds.md'), 'utf8')

/**
 * Returns the expected cells of a channel's row in docs/provider-refunds.md, without the cell that names the
 * source.
 */
const cellsOf = ({ amounts, maxRefunds, windowDays, hours, minAmount }: RefundTerms): string[] => [
  amounts === 'full' ? 'full amount only' : 'any amount',
  amounts === 'full' || maxRefunds === 1 ? 'one refund' : `${maxRefunds ?? 'any number of'} refunds`,
  windowDays === undefined ? 'no time limit' : `within ${windowDays} days`,
  hours ? `${hours.from}–${hours.to} WIB` : 'at any hour',
  ...(minAmount === undefined ? [] : [`from ${minAmount}`]),
]

test("docs/provider-refunds.md lists every channel's refund terms (limits and time), with a source for each", () => {
  const declared = [...providers.values()].flatMap(({ code, methods }) =>
    methods
      .flatMap(({ channels }) => channels)
      .flatMap(({ code: channel, refund }) => (refund ? [[code, channel, ...cellsOf(refund)]] : [])),
  )
  const rows = page
    .split('\n')
    .filter(line => /^\| (midtrans|xendit|snap|doku|tripay|duitku) /.test(line))
    .map(line =>
      line
        .split('|')
        .map(cell => cell.trim())
        .slice(1, -1),
    )
  expect(rows.map(cells => cells.slice(0, -1))).toEqual(declared)
  for (const cells of rows) expect(cells.at(-1)).not.toBe('')
})
