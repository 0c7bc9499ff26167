import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import { packageDirectory } from '../../repository.ts'
import { DatabaseClient } from '../primary/database-client.ts'
import { type Patience, patience, repeatWhileLocked } from './lock-wait.ts'
import { MigrationError } from './migration-error.ts'
import { lockMigrations } from './migration-lock.ts'
import { giveRights, takeOver } from './runtime-rights.ts'

// Applies migrations. An applied migration is never edited or undone; a later migration corrects its mistakes. Each
// file runs in one transaction and contains no transaction commands. The exception is a file that builds an index
// concurrently, which is impossible in a transaction. Such a file must be safe to repeat.

export const migrationsDirectory = join(packageDirectory, 'migrations')

type Migration = { name: string; sql: string; checksum: string }

const applicationName = 'gapura-migrate'

/**
 * The maximum number of attempts to build an index concurrently. Attempts are limited, because each attempt
 * reads the whole table.
 */
const CONCURRENT_TRIES = 5

type Options = { patience: Patience; say: (line: string) => void; runtimeRole?: string | undefined }

/**
 * Applies all pending migrations and returns their names. If several processes migrate concurrently, only the first
 * process applies the migrations, and the others wait. If a migration has to wait, `say` is called with a log line that
 * names the cause.
 *
 * `runtimeRole` is the database role of the running service, which must not own any table. This function grants the
 * role its rights (runtime-rights.ts). If `runtimeRole` is undefined, the running service uses the same role as the
 * migrations.
 */
export async function migrate(
  url: string,
  directory = migrationsDirectory,
  { runtimeRole, ...waiting }: Options = { patience, say: () => {} },
): Promise<string[]> {
  const patiently = (what: string, attempt: () => Promise<void>, tries = waiting.patience.tries) => {
    const bounded = { ...waiting, patience: { ...waiting.patience, tries } }
    return repeatWhileLocked({ url, name: applicationName }, what, bounded, attempt)
  }
  const { lockTimeoutMs } = waiting.patience
  const client = new DatabaseClient({ connectionString: url, application_name: applicationName })
  client.on('error', () => {}) // Without this listener, a connection error would end the process. The query in progress reports the error.
  await client.connect()
  try {
    await limit(client, lockTimeoutMs)
    await lockMigrations(client, waiting.say)
    if (runtimeRole !== undefined)
      await patiently('the hand-over', () => takeOver(client, runtimeRole, waiting.say))
    // The job queue is migrated first because our SQL functions call its functions.
    await patiently('the job queue', () => migrateQueue(url, lockTimeoutMs))
    await client.query(`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`)
    const pending = pendingAfter(await readApplied(client), await readMigrations(directory))
    for (const migration of pending) {
      const { name, sql } = migration
      const applied = isConcurrent(sql)
        ? patiently(
            `migration ${name}`,
            () => applyConcurrently(client, migration, lockTimeoutMs),
            Math.min(CONCURRENT_TRIES, waiting.patience.tries),
          )
        : patiently(`migration ${name}`, () => apply(client, migration))
      await applied.catch(error => {
        throw new MigrationError(`migration ${name}: ${describe(error, sql)}`, { cause: error })
      })
    }
    if (runtimeRole !== undefined) await patiently('the rights', () => giveRights(client, runtimeRole))
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/**
 * Returns the names of the migrations that have not been applied yet. The function only reads, so it works with a
 * database role that is not allowed to write.
 */
export async function pendingIn(client: pg.ClientBase, directory = migrationsDirectory): Promise<string[]> {
  const pending = pendingAfter(await readApplied(client), await readMigrations(directory))
  return pending.map(({ name }) => name)
}

/**
 * Removes the statement timeout of the migration's database session, because migrating a large table can take a
 * long time. Also sets the session's lock timeout to `lockTimeoutMs`.
 */
async function limit(client: pg.ClientBase, lockTimeoutMs: number) {
  await client.query(`set statement_timeout = 0; set lock_timeout = ${lockTimeoutMs}`)
}

/**
 * Migrates the job queue with a connection pool that this function creates and closes. If the job queue created the
 * pool, the pool would still be closing when the function returns, and the pool's errors would not be handled.
 */
async function migrateQueue(url: string, lockTimeoutMs: number) {
  const pool = new pg.Pool({
    Client: DatabaseClient,
    connectionString: url,
    application_name: applicationName,
    max: 1,
    onConnect: client => limit(client, lockTimeoutMs),
  })
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  try {
    await runMigrations({ pgPool: pool, logger: silent })
  } finally {
    await pool.end()
  }
}

// A logger that discards everything. Graphile Worker needs no other logger while its tables are migrated,
// because it throws its errors.
const silent = new Logger(() => () => {})

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter(name => name.endsWith('.sql')).sort()
  const misnamed = names.find(name => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
  if (misnamed) throw new MigrationError(`migration ${misnamed} must be named NNNN_name.sql`)
  const twice = names.find((name, i) => names[i + 1]?.slice(0, 4) === name.slice(0, 4))
  if (twice) throw new MigrationError(`two migrations have the number ${twice.slice(0, 4)}`)
  return Promise.all(names.map(name => readMigration(directory, name)))
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  // Line endings are normalized, so that the checksum is the same if Git converts line endings at checkout.
  const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

async function readApplied(client: pg.ClientBase): Promise<{ name: string; checksum: string }[]> {
  const { rows } = await client.query('select name, checksum from schema_migrations order by name')
  return rows
}

function pendingAfter(applied: { name: string; checksum: string }[], migrations: Migration[]): Migration[] {
  for (const { name, checksum } of applied) {
    const migration = migrations.find(migration => migration.name === name)
    if (!migration)
      throw new MigrationError(
        `the database has migration ${name}, which this version does not have; upgrade to a newer version`,
      )
    if (migration.checksum !== checksum) {
      throw new MigrationError(
        `migration ${name} was changed after it was applied; make the change in a new migration`,
      )
    }
  }
  const pending = migrations.filter(({ name }) => !applied.some(known => known.name === name))
  const last = applied.at(-1)?.name ?? ''
  const late = pending.find(({ name }) => name < last)
  if (late)
    throw new MigrationError(`migration ${late.name} must come after ${last}, which is already applied`)
  return pending
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration) {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    // If the connection broke, the rollback fails too. Its error is ignored, so that the original error is
    // reported.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const isConcurrent = (sql: string): boolean => /^(create (unique )?|drop )index concurrently\b/im.test(sql)

/**
 * Runs each statement of a migration separately and without a lock timeout: `create index concurrently` blocks no other
 * statement while it waits for open transactions. An aborted attempt leaves an invalid index, which the migration file
 * drops before it builds the index again.
 */
async function applyConcurrently(
  client: pg.Client,
  { name, sql, checksum }: Migration,
  lockTimeoutMs: number,
): Promise<void> {
  await limit(client, 0)
  for (const statement of migrationStatements(sql)) await client.query(statement)
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
  await limit(client, lockTimeoutMs)
}

/** Splits a migration into its statements. The body of a function, between `$$`, can also contain semicolons. */
export function migrationStatements(sql: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const part of sql.split(/(?<=;)[^\S\n]*$/m)) {
    statement += part
    const isInBody = statement.split('$$').length % 2 === 0
    if (isInBody) continue
    if (statement.trim() !== '') statements.push(statement)
    statement = ''
  }
  return statements
}

/**
 * Describes the error with the number of the line that caused it. PostgreSQL reports the position as a character
 * offset, but editors need a line number.
 */
function describe(error: unknown, sql: string): string {
  const { message, position } = error as { message: string; position?: string }
  if (!position) return message
  return `${message} (line ${sql.slice(0, Number(position)).split('\n').length})`
}
