import { expect, test } from 'vitest'
import { costTable, type Figures, searchTables } from './report.ts'

const figures = (given: Partial<Figures>): Figures => ({
  tenant: 'large tenant',
  kind: 'payment code',
  found: 1,
  read: { statements: 1, pages: 1_234 },
  warm: [9, 1, 2, 200].map(ms => ({ ms, postgresCpuMs: ms / 2 })),
  count: [],
  ...given,
})

test("the search table shows each search's median, p99 and minimum time, and its database page reads", () => {
  const [, row] = searchTables([figures({})]).split('--: |\n')
  expect(row?.trim()).toBe('| payment code | 1 | 5.5 ms | 200 ms | 1.0 ms | 2.8 ms | 1,234 | 1 |  |  |')
})

test('the benchmark report shows searches of a large and a small tenant in two separate tables', () => {
  const tables = searchTables([figures({}), figures({ tenant: 'small tenant', coldMs: 31 })])
  const [large, small] = tables.split('small tenant')
  expect(large).toMatch(/^large tenant\n/)
  expect([large, small].map(each => each?.match(/payment code/g)?.length)).toEqual([1, 1])
  expect(small).toMatch(/31 ms \|\n$/)
})

test('for each variant, the table of costs shows the median and the minimum CPU time of all rounds', () => {
  const rounds = [30, 10, 20].map(cpuUs => ({
    cpuUs,
    walBytes: cpuUs * 100,
    walBytesWithPages: cpuUs * 1_000,
  }))
  const table = costTable({
    'without the search': rounds,
    'with the search words, without their index': rounds,
    'with the search words and their index': rounds,
  })
  expect(table).toContain('| without the search | 20 µs | 10 µs | 2,000 | 20,000 |')
})
