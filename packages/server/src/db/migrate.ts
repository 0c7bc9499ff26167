import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'

// Forward only: a migration that was applied anywhere is never edited, and none is undone. What turns out
// wrong is put right by the next one. Each file is one transaction and keeps no transaction commands itself, unless its
// first line says `-- outside a transaction`: `create index concurrently` stops nobody from writing meanwhile. Of such a
// file each statement ends at the end of a line, and all of it can be run again after it failed halfway.

export const migrationsDirectory = join(import.meta.dirname, '../../migrations')

export class MigrationError extends Error {
  override name = 'MigrationError'
}

type Migration = { name: string; sql: string; checksum: string }

// Any number will do as long as nothing else in the database locks the same: "gapura" in ASCII.
const advisoryLock = 0x676170757261n
const TURN_PAUSE_MS = 100

/**
 * Brings a database up to date and returns the names it applied. Processes that start at once take turns: the
 * first migrates, the others find nothing to do.
 */
export async function migrate(url: string, directory = migrationsDirectory): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'gapura-migrate' })
  client.on('error', () => {}) // told by the query under way
  await client.connect()
  try {
    // A role may have a limit for its statements; what a large table needs is longer.
    await client.query('set statement_timeout = 0')
    await takeTurn(client)
    // The queue comes first: our functions call it.
    await migrateQueue(url)
    await client.query(`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`)
    const pending = pendingAfter(await readApplied(client), await readMigrations(directory))
    for (const migration of pending) await apply(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** With a pool of ours: the queue's own is still closing when it is done, and nobody hears its errors. */
async function migrateQueue(url: string) {
  const pool = new pg.Pool({ connectionString: url, application_name: 'gapura-migrate', max: 1 })
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  try {
    await runMigrations({ pgPool: pool, logger: silent })
  } finally {
    await pool.end()
  }
}

// What matters of it is in the errors it throws.
const silent = new Logger(() => () => {})

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter(name => name.endsWith('.sql')).sort()
  const misnamed = names.find(name => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
  if (misnamed) throw new MigrationError(`migration ${misnamed} is not named NNNN_name.sql`)
  const twice = names.find((name, i) => names[i + 1]?.slice(0, 4) === name.slice(0, 4))
  if (twice) throw new MigrationError(`there are two migrations ${twice.slice(0, 4)}`)
  return Promise.all(names.map(name => readMigration(directory, name)))
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  // A checkout that converts line ends changes nothing the database sees.
  const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

async function readApplied(client: pg.Client): Promise<{ name: string; checksum: string }[]> {
  const { rows } = await client.query('select name, checksum from schema_migrations order by name')
  return rows
}

function pendingAfter(applied: { name: string; checksum: string }[], migrations: Migration[]): Migration[] {
  for (const { name, checksum } of applied) {
    const migration = migrations.find(migration => migration.name === name)
    if (!migration) throw new MigrationError(`the database has migration ${name}, which this version lacks`)
    if (migration.checksum !== checksum) {
      throw new MigrationError(
        `migration ${name} was changed after it was applied; put the change in a new one`,
      )
    }
  }
  const pending = migrations.filter(({ name }) => !applied.some(known => known.name === name))
  const last = applied.at(-1)?.name ?? ''
  const late = pending.find(({ name }) => name < last)
  if (late) throw new MigrationError(`migration ${late.name} comes before ${last}, which was applied already`)
  return pending
}

/**
 * Held by the session, so that it outlives each migration's transaction and ends with the process. Whoever waited for it
 * inside a statement would be waited for by an index that is made concurrently, for ever.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [advisoryLock])
    if (rows[0].taken) return
    await pause(TURN_PAUSE_MS)
  }
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration) {
  const isOutside = sql.startsWith('-- outside a transaction')
  try {
    if (isOutside) for (const each of sql.split(/(?<=;)\n/)) await client.query(each)
    await client.query('begin')
    if (!isOutside) await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    throw new MigrationError(`migration ${name}: ${describe(error, sql)}`, { cause: error })
  }
}

/** PostgreSQL tells the place as a character offset; an editor wants the line. */
function describe(error: unknown, sql: string): string {
  const { message, position } = error as { message: string; position?: string }
  if (!position) return message
  return `${message} (line ${sql.slice(0, Number(position)).split('\n').length})`
}
