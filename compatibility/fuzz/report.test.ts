import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { casesOf, failuresOf, type Result, withTable } from './report.ts'

const counts = { cases: 7, statuses: { '200': 5, '400': 2 }, failures: { not_a_server_error: 1 } }
const results: Result[] = [
  { caller: 'test API key', tally: { phases: { fuzzing: counts, stateful: counts }, beyond: {} } },
]

test('a fuzzing run replaces only the previous table on the page', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/security.md'), 'utf8')
  const written = withTable(page, results, 'On a day.')
  expect(written).toContain(
    '| test API key | 0        | 0        | 7       | 7        | 10           | 2 not_a_server_error |',
  )
  expect(withTable(written, results, 'On a day.')).toBe(written)
  expect(written.split('\n').slice(0, 20)).toEqual(page.split('\n').slice(0, 20))
})

test('the fuzzing report adds up the test cases and failures from all phases', () => {
  expect([casesOf(results), failuresOf(results)]).toEqual([14, 2])
})
