import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withFigures } from './report.ts'

const figures = {
  requests: 100,
  errors: ['503'],
  unpaid: 1,
  p50: { control: 4, attacked: 5 },
  p99: { control: 20, attacked: 30 },
  noise: 1.1,
}
const row = { title: 'an attack', figures }

test("writing the report of an attack run replaces only the previous run's figures in docs/overload.md", async () => {
  const page = await readFile(join(import.meta.dirname, '../docs/overload.md'), 'utf8')
  const written = withFigures(page, [row], 'On a machine.')
  expect(written).toContain(
    '| an attack | 100      | 2      | 4 ms            | 5 ms           | 20 ms        | 30 ms       | 1.50      |',
  )
  expect(withFigures(written, [row], 'On a machine.')).toBe(written)
  expect(written.split('\n').slice(0, 20)).toEqual(page.split('\n').slice(0, 20))
  expect(written.endsWith(page.slice(-200))).toBe(true)
})
