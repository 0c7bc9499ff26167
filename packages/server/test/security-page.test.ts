// Tests that every test named in docs/security.md exists.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const server = join(import.meta.dirname, '..')
const page = readFileSync(join(server, '../../docs/security.md'), 'utf8')
const rows = page.split('\n').filter(line => line.startsWith('|'))

test('docs/security.md names at least one test for each of the ten risks in the OWASP API Security Top 10', () => {
  const risks = rows.filter(row => /^\| API\d+ /.test(row))
  expect(risks.map(row => /API\d+/.exec(row)?.[0])).toEqual(
    Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
  )
  for (const row of risks) expect(testsIn(row), row).not.toEqual([])
})

test('every test file named in docs/security.md exists', () => {
  expect(testsIn(page).length).toBeGreaterThan(20)
  expect(testsIn(page).filter(file => !existsSync(join(server, file)))).toEqual([])
})

function testsIn(text: string): string[] {
  return [...text.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(found => found[1] as string)
}
