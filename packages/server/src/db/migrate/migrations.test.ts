// Checks the SQL of each migration since the first release. While a migration is applied, the previous
// version of the service still runs, so the SQL must not contain a command that would break this version.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { breachesOf } from '../../../test/support/migration-rules.ts'
import { migrationStatements, migrationsDirectory } from './migrate.ts'

/**
 * Migrations up to this number are not checked, because they predate the first version in use or were reviewed by hand.
 */
const BEFORE_THE_RULES = '0020'
const names = readdirSync(migrationsDirectory).filter(name => name.slice(0, 4) > BEFORE_THE_RULES)

test.each(names)(
  'the migration %s can be applied while the previous version of the service is running',
  async name => {
    expect(await breachesOf(readFileSync(join(migrationsDirectory, name), 'utf8'))).toEqual([])
  },
)

test('a migration that builds an index concurrently is split into statements, but function bodies stay whole', () => {
  const statements = [
    'create index concurrently a on payments (id);',
    'create function f() returns void language plpgsql as $$\nbegin\n  perform 1;\nend $$;',
    'drop index concurrently b;',
  ]
  expect(migrationStatements(`${statements.join('\n')}\n`).map(each => each.trim())).toEqual(statements)
})

test('no migration has changed since its checksum was added to migrations.sha256, and each one has a checksum', () => {
  const checksums = readdirSync(migrationsDirectory)
    .map(name => `${sha256Of(readFileSync(join(migrationsDirectory, name)))}  migrations/${name}\n`)
    .join('')
  expect(checksums).toBe(readFileSync(join(migrationsDirectory, '../migrations.sha256'), 'utf8'))
})
const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex')

describe('the check detects a migration that would break the previous version', () => {
  test.each([
    ['drops a column', 'drop-column', 'alter table payments drop column items'],
    ['drops a table', 'drop-table', 'drop table payments'],
    ['empties a table', 'drop-table', 'truncate payments'],
    ['renames a column', 'rename', 'alter table payments rename column items to lines'],
    ['renames a table', 'rename', 'alter table payments rename to orders'],
    ['changes the type of a column', 'column-type', 'alter table payments alter column amount type numeric'],
    ['makes a column required', 'set-not-null', 'alter table payments alter column items set not null'],
    [
      'adds a required column without a default',
      'required-column',
      'alter table payments add column x int not null',
    ],
    [
      'rewrites a table to add a volatile default',
      'rewrite',
      'alter table payments add column x uuid default gen_random_uuid()',
    ],
    [
      'rewrites a table to number its rows',
      'rewrite',
      'alter table payments add column x int generated always as identity',
    ],
    ['rewrites a table', 'rewrite', 'vacuum full payments'],
    [
      'checks all rows while it holds a lock',
      'validate-later',
      'alter table payments add constraint x check (amount > 0)',
    ],
    [
      'checks the rows of a new column while it holds a lock',
      'validate-later',
      'alter table payments add column x int check (x > 0)',
    ],
    [
      'looks up the foreign key of all rows while it holds a lock',
      'validate-later',
      'alter table payments add foreign key (x) references y',
    ],
    [
      'validates a constraint in the transaction that adds the constraint',
      'validate-later',
      'alter table payments add constraint x check (amount > 0) not valid; alter table payments validate constraint x',
    ],
    ['builds an index while it locks the table', 'locking-index', 'create index x on payments (amount)'],
    [
      'builds an index for a constraint while it locks the table',
      'locking-index',
      'alter table payments add unique (payment_code)',
    ],
    [
      'builds an index for a new column while it locks the table',
      'locking-index',
      'alter table payments add column x int unique',
    ],
    [
      'builds an index concurrently together with other statements',
      'concurrently-by-itself',
      'create index concurrently x on payments (amount); select 1; select 2',
    ],
    ['updates the rows of a table at once', 'rows-at-once', 'update payments set items = null'],
    ['deletes rows of a table at once', 'rows-at-once', 'delete from payments'],
    ['locks a table by name', 'lock-table', 'lock table payments'],
  ])('the migration check rejects a migration that %s', async (_, rule, sql) => {
    expect((await breachesOf(sql)).map(breach => breach.rule)).toEqual([rule])
  })
})

describe("the migration check accepts a migration with which the service's previous version still works", () => {
  test.each([
    [
      'changes a table that the migration itself creates',
      'create table x (a int); create index y on x (a); update x set a = 1; alter table x add check (a > 0)',
    ],
    ['adds an optional column', 'alter table payments add column x text'],
    ['adds a column with a constant default', `alter table payments add column x text not null default 'a'`],
    [
      'adds a column whose default is the time of the migration',
      'alter table payments add column x timestamptz not null default now()',
    ],
    [
      'adds a constraint for new rows only',
      'alter table payments add constraint x check (amount > 0) not valid',
    ],
    ['validates the constraint of an earlier migration', 'alter table payments validate constraint x'],
    [
      'builds an index concurrently and can be repeated',
      'drop index concurrently if exists x; create index concurrently x on payments (amount)',
    ],
    [
      'turns an existing index into a constraint',
      'alter table payments add constraint x unique using index x',
    ],
    [
      'adds a trigger and a function',
      `create function f() returns trigger language sql as ''; create trigger t before insert on payments for each row execute function f()`,
    ],
    [
      'states the reason for an exemption',
      '-- allow drop-column: nothing has read it since 0.2.0\nalter table payments drop column items',
    ],
  ])(
    "the check for migrations that would break the service's previous version accepts a migration that %s",
    async (_, sql) => {
      expect(await breachesOf(sql)).toEqual([])
    },
  )

  test('an exemption that lets a migration break a rule must state a reason and covers only that rule', async () => {
    const dropped = 'alter table payments drop column items'
    expect(await breachesOf(`-- allow rename: it is better so\n${dropped}`)).toHaveLength(1)
    expect(await breachesOf(`-- allow drop-column:\n${dropped}`)).toHaveLength(1)
  })
})
