import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { emptyDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/merchant.ts'
import type { Tx } from '../db.ts'
import { patience as defaultPatience } from './lock-wait.ts'
import { migrate } from './migrate.ts'

let directory: string
let database: TestDatabase

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gapura-migrations-'))
  database = await emptyDatabase()
})

afterEach(async () => {
  await database.drop()
  await rm(directory, { recursive: true })
})

const write = (name: string, sql: string) => writeFile(join(directory, name), sql)
const run = () => migrate(database.url, directory)
const exists = async (table: string) =>
  (await database.db.raw('select to_regclass(?) is not null as yes', [table])).rows[0].yes

test('migrations are applied in the order of their numbers, and each migration is applied only once', async () => {
  await write('0002_second.sql', 'alter table first add column b int;')
  await write('0001_first.sql', 'create table first (a int); create table more (a int);')
  expect(await run()).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await run()).toEqual([])
  await write('0003_third.sql', 'insert into first values (1, 2);')
  expect(await run()).toEqual(['0003_third.sql'])
  expect((await database.db.raw('select * from first')).rows).toEqual([{ a: 1, b: 2 }])
})

test('a failed migration is rolled back, earlier migrations stay applied, and the error names the failed line', async () => {
  await write('0001_good.sql', 'create table good (a int);')
  await write('0002_bad.sql', 'create table half (a int);\ninsert into half values (1);\nselect nonsense;\n')
  await expect(run()).rejects.toThrow('migration 0002_bad.sql: column "nonsense" does not exist (line 3)')
  expect({ good: await exists('good'), half: await exists('half') }).toEqual({ good: true, half: false })
  await write('0002_bad.sql', 'create table half (a int);')
  expect(await run()).toEqual(['0002_bad.sql'])
})

test('a migration is rolled back if recording it as applied fails', async () => {
  await write(
    '0001_unrecordable.sql',
    'create table half (a int); alter table schema_migrations rename to gone;',
  )
  await expect(run()).rejects.toThrow(
    'migration 0001_unrecordable.sql: relation "schema_migrations" does not exist',
  )
  expect(await exists('half')).toBe(false)
})

test('a migration file that was changed after it was applied is rejected', async () => {
  await write('0001_first.sql', 'create table first (a int);')
  await run()
  await write('0001_first.sql', 'create table first (a int, b int);')
  await expect(run()).rejects.toThrow('migration 0001_first.sql was changed after it was applied')
})

test('a migration does not count as changed if only its line endings were converted', async () => {
  await write('0001_first.sql', 'create table first (a int);\n-- end\n')
  await run()
  await write('0001_first.sql', 'create table first (a int);\r\n-- end\r\n')
  expect(await run()).toEqual([])
})

test('if a newer version has already migrated the database, migrating it with an older version is rejected', async () => {
  await write('0001_first.sql', 'create table first (a int);')
  await run()
  await rm(join(directory, '0001_first.sql'))
  await expect(run()).rejects.toThrow(
    'the database has migration 0001_first.sql, which this version does not have',
  )
})

test('a new migration with a lower number than an applied migration is rejected', async () => {
  await write('0002_second.sql', 'create table second (a int);')
  await run()
  await write('0001_first.sql', 'create table first (a int);')
  await expect(run()).rejects.toThrow('migration 0001_first.sql must come after 0002_second.sql')
  expect(await exists('first')).toBe(false)
})

test('a duplicate migration number and an out-of-order migration name are rejected', async () => {
  await write('0001_first.sql', '')
  await write('0001_again.sql', '')
  await expect(run()).rejects.toThrow('two migrations have the number 0001')
  await rm(join(directory, '0001_again.sql'))
  await write('2_second.sql', '')
  await expect(run()).rejects.toThrow('migration 2_second.sql must be named NNNN_name.sql')
})

test('if several processes migrate at the same time, each migration is applied once, and all processes succeed', async () => {
  await run() // creates the tables of the job queue first, so that the five processes below do not wait for each other to create them
  await write('0001_first.sql', 'create table first (a int); select pg_sleep(0.1);')
  await write('0002_second.sql', 'insert into first values (1);')
  const applied = await Promise.all(Array.from({ length: 5 }, run))
  expect(applied.flat()).toEqual(['0001_first.sql', '0002_second.sql'])
  expect((await database.db.raw('select count(*) from first')).rows).toEqual([{ count: 1n }])
})

test('processes that migrate an empty database at the same time all succeed', async () => {
  // This migration does not end until two other processes wait for the migration lock. Its query recognizes
  // such a process by the statement that tries to acquire the lock.
  await write(
    '0001_first.sql',
    `create table first (a int);
do $$ begin
  while 2 > (select count(*) from pg_stat_activity
    where datname = current_database() and query like '%pg_try_advisory_lock%' and pid <> pg_backend_pid())
  loop perform pg_sleep(0.01); perform pg_stat_clear_snapshot(); end loop;
end $$;
`,
  )
  await write(
    '0002_index.sql',
    'drop index concurrently if exists first_a;\ncreate index concurrently first_a on first (a);\n',
  )
  await write('0003_third.sql', 'create table third (a int);')
  const said: string[] = []
  const runSaying = () =>
    migrate(database.url, directory, { patience: defaultPatience, say: line => said.push(line) })
  const applied = await Promise.all([runSaying(), runSaying(), runSaying()])
  expect(applied.flat()).toEqual(['0001_first.sql', '0002_index.sql', '0003_third.sql'])
  const waits = 'waits for another process that is migrating or distributing the database'
  expect(said).toEqual([waits, waits])
  const { rows } = await database.db.raw(
    `select indisvalid as valid from pg_index where indexrelid = 'first_a'::regclass`,
  )
  expect(rows).toEqual([{ valid: true }])
})

test('a concurrent index build that PostgreSQL canceled because of a deadlock is retried', async () => {
  await write('0001_first.sql', 'create table first (a int); create sequence tries;')
  await write(
    '0002_index.sql',
    `drop index concurrently if exists first_a;
create index concurrently first_a on first (a);
do $$ begin if nextval('tries') < 3 then raise exception 'deadlock detected' using errcode = '40P01'; end if; end $$;
`,
  )
  const applied = await migrate(database.url, directory, {
    patience: { lockTimeoutMs: 1_000, pauseMs: 1, tries: 3 },
    say: () => {},
  })
  expect(applied).toEqual(['0001_first.sql', '0002_index.sql'])
})

test('a migration can add a job to the job queue', async () => {
  await write('0001_first.sql', `select graphile_worker.add_job('anything');`)
  await run()
  expect((await database.db.raw('select task_identifier from graphile_worker.jobs')).rows).toHaveLength(1)
})

test('a migration can take longer than the statement timeout of its role or of the database', async () => {
  const [{ name }] = (await database.db.raw('select current_database() as name')).rows
  await database.db.raw(`alter database ?? set statement_timeout = '200ms'`, [name])
  await write('0001_slow.sql', 'select pg_sleep(0.5);')
  expect(await run()).toEqual(['0001_slow.sql'])
})

describe('a migration that needs a locked table retries with pauses', () => {
  const patience = { lockTimeoutMs: 1_500, pauseMs: 100, tries: 100 }
  let said: string[]
  const runSaying = (tries = patience.tries) =>
    migrate(database.url, directory, {
      patience: { ...patience, tries },
      say: line => said.push(line),
    })
  const isWaiting = () => until('the migration waits', async () => said.length > 0)
  let reader: Tx
  beforeEach(async () => {
    said = []
    await write('0001_first.sql', 'create table first (a int);')
    await run()
    reader = await database.db.transaction()
    await reader.raw(`set local application_name = 'dump'; select from first`)
  })
  afterEach(async () => {
    if (!reader.isCompleted()) await reader.rollback()
  })

  test('a migration that waits for a lock delays later statements only briefly', async () => {
    await write('0002_second.sql', 'create table second (a int); alter table first add column b int;')
    const migrated = runSaying()
    await isWaiting()
    // The migration is ahead of this statement in the queue for the lock. The statement therefore waits until the
    // migration's current attempt to acquire the lock ends.
    await database.db.raw('select from first')
    await reader.commit()
    expect(await migrated).toEqual(['0002_second.sql'])
    expect(said).toEqual([
      expect.stringMatching(
        /^migration 0002_second\.sql waits for table first, held by dump \(process \d+\) since 2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
      ),
    ])
  })

  test('a migration that waits too long for a lock names the session that holds it', async () => {
    await write('0002_second.sql', 'create table second (a int); alter table first add column b int;')
    await expect(runSaying(1)).rejects.toThrow(
      /^migration 0002_second\.sql: canceling statement due to lock timeout; it waited for table first, held by dump/,
    )
    expect(await exists('second')).toBe(false)
  })

  test('if a migration and a transaction wait for each other, the migration gives up and is retried', async () => {
    await database.db.raw('create table other (a int)')
    // In a deadlock, PostgreSQL cancels the session that has waited longest. The test needs the reader to be
    // canceled, so the reader starts waiting first.
    await write(
      '0002_second.sql',
      `lock table other;
do $$ begin
  while not exists (select from pg_locks where relation = 'other'::regclass and not granted)
    and exists (select from pg_locks where relation = 'first'::regclass)
  loop perform pg_sleep(0.01); end loop;
end $$;
alter table first add column b int;
`,
    )
    const migrated = migrate(database.url, directory, {
      patience: { ...defaultPatience, pauseMs: 100 },
      say: line => said.push(line),
    })
    await until('the migration holds its first lock', async () => {
      const { rows } = await database.db.raw(
        `select from pg_locks where relation = 'other'::regclass and granted`,
      )
      return rows.length > 0
    })
    await reader.raw('select from other')
    await reader.commit()
    expect(await migrated).toEqual(['0002_second.sql'])
  })
})

test('a migration that PostgreSQL canceled because of a deadlock is retried', async () => {
  await write('0001_first.sql', 'create sequence tries;')
  await write(
    '0002_second.sql',
    `create table second (a int);
do $$ begin if nextval('tries') < 3 then raise exception 'deadlock detected' using errcode = '40P01'; end if; end $$;
`,
  )
  const applied = await migrate(database.url, directory, {
    patience: { lockTimeoutMs: 1_000, pauseMs: 1, tries: 3 },
    say: () => {},
  })
  expect(applied).toEqual(['0001_first.sql', '0002_second.sql'])
})

test('a migration can build an index during writes, and rebuilds it after an interruption', async () => {
  await write('0001_first.sql', 'create table first (a int);')
  await run()
  await write(
    '0002_index.sql',
    '-- Built beside what goes on.\ndrop index concurrently if exists first_a;\ncreate unique index concurrently first_a on first (a);\n',
  )
  await database.db.raw('insert into first values (1), (1)')
  await expect(run()).rejects.toThrow('migration 0002_index.sql: could not create unique index "first_a"')
  await database.db.raw('delete from first')

  const writer = await database.db.transaction()
  await writer.raw('insert into first values (2)')
  const built = run()
  await until('the migration waits for the writer', async () => {
    const { rows } = await database.db.raw(
      `select from pg_stat_activity where application_name = 'gapura-migrate' and wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  })
  await database.db.raw('insert into first values (3)')
  await writer.commit()
  expect(await built).toEqual(['0002_index.sql'])
  const { rows } = await database.db.raw(
    `select indisvalid as valid from pg_index where indexrelid = 'first_a'::regclass`,
  )
  expect(rows).toEqual([{ valid: true }])
  expect(await run()).toEqual([])
})
