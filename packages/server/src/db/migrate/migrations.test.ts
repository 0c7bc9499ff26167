// Checks that the previous version of the service keeps working while a migration is applied. This applies to each
// migration since the first release.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { breachesOf } from '../../../test/support/migration-rules.ts'
import { migrationsDirectory } from './migrate.ts'

/** Migrations before this number are not checked: they predate the first version in use or were reviewed one by one. */
const BEFORE_THE_RULES = '0020'
const names = readdirSync(migrationsDirectory).filter(name => name.slice(0, 4) > BEFORE_THE_RULES)

test.each(names)('%s can be applied while the previous version is running', async name => {
  expect(await breachesOf(readFileSync(join(migrationsDirectory, name), 'utf8'))).toEqual([])
})

describe('a migration is rejected that', () => {
  test.each([
    ['drops a column', 'drop-column', 'alter table payments drop column items'],
    ['drops a table', 'drop-table', 'drop table payments'],
    ['empties a table', 'drop-table', 'truncate payments'],
    ['renames a column', 'rename', 'alter table payments rename column items to lines'],
    ['renames a table', 'rename', 'alter table payments rename to orders'],
    ['changes the type of a column', 'column-type', 'alter table payments alter column amount type numeric'],
    ['makes a column required', 'set-not-null', 'alter table payments alter column items set not null'],
    ['adds a column that must be given', 'required-column', 'alter table payments add column x int not null'],
    [
      'rewrites a table for a default',
      'rewrite',
      'alter table payments add column x uuid default gen_random_uuid()',
    ],
    [
      'rewrites a table for a number',
      'rewrite',
      'alter table payments add column x int generated always as identity',
    ],
    ['rewrites a table', 'rewrite', 'vacuum full payments'],
    [
      'checks all rows under a lock',
      'validate-later',
      'alter table payments add constraint x check (amount > 0)',
    ],
    [
      'checks the rows of a new column',
      'validate-later',
      'alter table payments add column x int check (x > 0)',
    ],
    [
      'looks up all rows under a lock',
      'validate-later',
      'alter table payments add foreign key (x) references y',
    ],
    [
      'checks the rows under the lock that it has already',
      'validate-later',
      'alter table payments add constraint x check (amount > 0) not valid; alter table payments validate constraint x',
    ],
    ['builds an index under a lock', 'locking-index', 'create index x on payments (amount)'],
    ['builds one for a constraint', 'locking-index', 'alter table payments add unique (payment_code)'],
    ['builds one for a new column', 'locking-index', 'alter table payments add column x int unique'],
    [
      'builds an index concurrently among other things',
      'concurrently-by-itself',
      'create index concurrently x on payments (amount); select 1; select 2',
    ],
    ['updates the rows of a table at once', 'rows-at-once', 'update payments set items = null'],
    ['deletes rows of a table at once', 'rows-at-once', 'delete from payments'],
    ['locks a table by name', 'lock-table', 'lock table payments'],
  ])('%s', async (_, rule, sql) => {
    expect((await breachesOf(sql)).map(breach => breach.rule)).toEqual([rule])
  })
})

describe('a migration is accepted that', () => {
  test.each([
    [
      'does what it likes with a table of its own',
      'create table x (a int); create index y on x (a); update x set a = 1; alter table x add check (a > 0)',
    ],
    ['adds a column that may be absent', 'alter table payments add column x text'],
    [
      'adds a column with the same value for all',
      `alter table payments add column x text not null default 'a'`,
    ],
    [
      'adds a column with the time of the migration',
      'alter table payments add column x timestamptz not null default now()',
    ],
    ['adds a rule for new rows', 'alter table payments add constraint x check (amount > 0) not valid'],
    ['proves the rule of an earlier migration', 'alter table payments validate constraint x'],
    [
      'builds an index concurrently, again if need be',
      'drop index concurrently if exists x; create index concurrently x on payments (amount)',
    ],
    ['makes a constraint of such an index', 'alter table payments add constraint x unique using index x'],
    [
      'adds a trigger and a function',
      `create function f() returns trigger language sql as ''; create trigger t before insert on payments for each row execute function f()`,
    ],
    [
      'gives a reason for an exemption',
      '-- allow drop-column: nothing has read it since 0.2.0\nalter table payments drop column items',
    ],
  ])('%s', async (_, sql) => {
    expect(await breachesOf(sql)).toEqual([])
  })

  test('has a reason for each exemption from the rules, and uses no other exemption', async () => {
    const dropped = 'alter table payments drop column items'
    expect(await breachesOf(`-- allow rename: it is better so\n${dropped}`)).toHaveLength(1)
    expect(await breachesOf(`-- allow drop-column:\n${dropped}`)).toHaveLength(1)
  })
})
