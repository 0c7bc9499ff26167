// Compares docs/invariants.md with the database schema, the code and the tests. Everything that
// docs/invariants.md names must exist. Every invariant and guard that the tests name must be in
// docs/invariants.md.

import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { attacks } from './attacks.ts'

const server = join(import.meta.dirname, '../..')
const [page, schema] = await Promise.all([
  readFile(join(server, '../../docs/invariants.md'), 'utf8'),
  readFile(join(server, 'schema.sql'), 'utf8'),
])

type Invariant = { number: string; enforcedBy: string[]; testedBy: string[] }

const invariants: Invariant[] = page
  .split(/^### /m)
  .slice(1)
  .map(section => {
    const listed = (label: string) => {
      const [, line = ''] = new RegExp(`^- ${label}: (.*(?:\\n {2}.*)*)`, 'm').exec(section) ?? []
      return [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string)
    }
    return {
      number: section.slice(0, section.indexOf('.')),
      enforcedBy: listed('Enforced by'),
      testedBy: listed('Tested by'),
    }
  })

const isFile = (name: string) => name.endsWith('.ts')
/**
 * Returns the numbers of the money invariants (such as M1) that a test file mentions. The numbers appear in
 * test titles and in the list of attacks.
 */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/['"`]\[(M\d+)\]|invariant: '(M\d+)'/g)].map(found => (found[1] ?? found[2]) as string)

/** Maps each test file to the invariant numbers it mentions. */
const naming = new Map<string, Set<string>>()
for await (const path of glob('{src,test}/**/*.ts', { cwd: server })) {
  const names = namedIn(await readFile(join(server, path), 'utf8'))
  if (names.length > 0) naming.set(path, new Set(names))
}

test('every money invariant has a unique number, a guard in the database that enforces it, and a test', () => {
  const numbers = invariants.map(({ number }) => number)
  expect(new Set(numbers).size).toBe(numbers.length)
  expect([...numbers].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)))).toEqual(
    numbers.map((_, index) => `M${index + 1}`),
  )
  expect(
    invariants.filter(({ enforcedBy, testedBy }) => enforcedBy.length === 0 || testedBy.length === 0),
  ).toEqual([])
})

test('every constraint, index, trigger, and file named in docs/invariants.md exists', () => {
  const isKnown = (name: string) =>
    isFile(name)
      ? existsSync(join(server, name))
      : new RegExp(`(constraint|UNIQUE INDEX|TRIGGER) ${name} `).test(schema)
  expect(invariants.flatMap(({ enforcedBy }) => enforcedBy).filter(name => !isKnown(name))).toEqual([])
})

test.each(invariants)(
  'docs/invariants.md lists for the invariant $number exactly the test files that name this invariant',
  ({ number, testedBy }) => {
    const files = [...naming].filter(([, names]) => names.has(number)).map(([path]) => path)
    expect(files.sort()).toEqual([...testedBy].sort())
  },
)

test('docs/invariants.md contains every invariant that a test names', () => {
  const known = new Set(invariants.map(({ number }) => number))
  const unknown = [...naming].flatMap(([path, names]) =>
    [...names].filter(name => !known.has(name)).map(name => `${path}: ${name}`),
  )
  expect(unknown).toEqual([])
})

test('docs/invariants.md lists exactly the database guards that the attacks in the tests target', () => {
  const attacked = new Set(
    attacks.flatMap(({ invariant, guards }) => guards.map(guard => `${invariant} ${guard.split('.')[1]}`)),
  )
  const named = invariants.flatMap(({ number, enforcedBy }) =>
    enforcedBy.filter(name => !isFile(name)).map(name => `${number} ${name}`),
  )
  expect([...attacked].sort()).toEqual(named.sort())
})
