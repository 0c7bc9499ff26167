import { expect, test } from 'vitest'
import type { Line } from '../measure.ts'
import { markdownTable, table } from './table.ts'

const figures = (...values: number[]) => values.map(value => ({ value }))

const get: Line = {
  what: 'get by id',
  unit: '/s',
  floor: 12_000,
  product: 10_800,
  ratio: 0.9,
  bound: { atLeast: 0.7 },
  rounds: { floor: figures(12_000, 10_000, 14_000), product: figures(10_800, 8_000, 13_300) },
}
const memory: Line = {
  what: 'resident memory, idle',
  unit: 'MB',
  product: 131.4,
  bound: { atMost: 130 },
  rounds: { product: figures(131.4) },
}

/**
 * Returns the cells of the table's rows, without its header row and without the rule (line) below the header
 * row.
 */
const cells = (lines: Line[]): string[][] =>
  table(lines)
    .trimEnd()
    .split('\n')
    .slice(2)
    .map(row => row.split(/ {2,}/))

test('the report table marks met and missed targets differently', () => {
  expect(cells([get])[0]?.at(-1)).toBe('yes')
  expect(cells([{ ...get, ratio: 0.69 }])[0]?.at(-1)).toBe('NO')
  expect(cells([{ ...get, ratio: Number.NaN }])[0]?.at(-1)).toBe('NO')
})

test("the report table shows, for each ratio, both programs' values, the range over the rounds and the target", () => {
  expect(cells([get])).toEqual([['get by id', '12,000/s', '10,800/s', '0.90', '0.80 – 0.95', '≥ 0.7', 'yes']])
})

test('without a reference program, the report table shows the target in the unit of the result', () => {
  expect(cells([memory])).toEqual([['resident memory, idle', '131 MB', '≤ 130 MB', 'NO']])
})

test('in the terminal, the columns of the report table are aligned', () => {
  const [heads = '', rule = '', ...rows] = table([get, memory]).trimEnd().split('\n')
  expect(rule.length).toBe(heads.length)
  const end = heads.indexOf('product') + 'product'.length
  expect(rows.map(row => row.slice(0, end).split(/ {2,}/).at(-1))).toEqual(['10,800/s', '131 MB'])
})

test('a “|” in a measurement’s name does not add a cell to the report table', () => {
  const rows = markdownTable([{ ...get, what: 'get | find' }, memory])
    .trimEnd()
    .split('\n')
  expect(rows).toHaveLength(4)
  for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(9)
})
