// Decides which role migrates the database. The tables belong to a separate role, whose connection string is needed
// only for migrations. The service runs as a role that owns no tables. If this role does own the tables, the service
// logs a warning but starts, because an upgrade must not stop payments (docs/decisions/0031-database-roles.md).

import type pg from 'pg'
import { DatabaseClient } from '../primary/database-client.ts'
import { namingUrl } from '../url-variable.ts'
import { patience } from './lock-wait.ts'
import { migrate, pendingIn } from './migrate.ts'
import { MigrationError } from './migration-error.ts'
import { missingRights } from './runtime-rights.ts'

/**
 * Both URLs connect to PostgreSQL directly, without a connection pooler such as PgBouncer. `migrateDatabaseUrl`
 * connects as the role that owns the tables.
 */
export type DatabaseUrls = { directDatabaseUrl: string; migrateDatabaseUrl?: string | undefined }

type Say = (line: string) => void

const OWNER = 'GAPURA_MIGRATE_DATABASE_URL'

/**
 * Prepares the database when a process starts. The process migrates the database if it has the owner's
 * connection string or if its own database role owns the tables.
 */
export async function prepareDatabase(urls: DatabaseUrls, say: Say): Promise<void> {
  if (urls.migrateDatabaseUrl !== undefined) await migrateDatabase(urls, say)
  else {
    const { role, owns } = await standingOf(urls.directDatabaseUrl)
    if (owns) {
      say(
        `the service's database role ${role} owns the tables, so an attacker who controls the service could disable the ledger's constraints; create a separate role for migrations and set ${OWNER} (docs/guides/upgrade.md)`,
      )
      await migrateDatabase(urls, say)
    } else await assertUpToDate(urls.directDatabaseUrl, role)
  }
}

/**
 * Migrates the database and returns the names of the applied migrations. Throws MigrationError if migrations are
 * pending and none of the given URLs connects as a role that may apply them.
 */
export async function migrateDatabase(
  { directDatabaseUrl, migrateDatabaseUrl }: DatabaseUrls,
  say: Say,
): Promise<string[]> {
  const { role, owns } = await standingOf(directDatabaseUrl)
  if (migrateDatabaseUrl === undefined) {
    if (owns) return migrate(directDatabaseUrl, undefined, { patience, say })
    await assertUpToDate(directDatabaseUrl, role)
    return []
  }
  const owner = await namingUrl(OWNER, standingOf(migrateDatabaseUrl))
  if (owner.role === role)
    throw new MigrationError(
      `${OWNER} and DATABASE_URL use the same role, ${role}; use the owner of the tables only in ${OWNER}`,
    )
  return namingUrl(OWNER, migrate(migrateDatabaseUrl, undefined, { patience, say, runtimeRole: role }))
}

/**
 * Returns the database role with which the connection string logs in. `owns` is true if this role owns the tables or,
 * in an empty database, may create tables.
 */
async function standingOf(url: string): Promise<{ role: string; owns: boolean }> {
  return withClient(url, async client => {
    const { rows } = await client.query<{ role: string; owns: boolean }>(
      `select current_user as role, coalesce(
         (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('public.schema_migrations')),
         has_schema_privilege('public', 'create')) as owns`,
    )
    return rows[0] as (typeof rows)[number]
  })
}

const MISSING = new Set(['42P01', '42501'])

/** Throws MigrationError if a migration is pending or the role lacks a right that `migrate` grants. */
async function assertUpToDate(url: string, role: string): Promise<void> {
  const { pending, rights } = await withClient(url, async client => ({
    pending: await pendingIn(client),
    rights: await missingRights(client, role),
  })).catch(error => {
    if (MISSING.has((error as { code?: string }).code ?? ''))
      return { pending: ['its tables, or the privileges on them'], rights: [] }
    throw error
  })
  const advice = `run gapura-server migrate with ${OWNER} set to the URL of the role that owns the tables, then start again`
  if (pending.length > 0)
    throw new MigrationError(
      `the database lacks ${pending.join(', ')}, and the role ${role} is not allowed to apply migrations; ${advice}`,
    )
  if (rights.length > 0)
    throw new MigrationError(
      `the role ${role} lacks privileges in the database; for example, this statement is missing: ${rights[0]}; ${advice}`,
    )
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'gapura-migrate' })
  client.on('error', () => {}) // A connection error is ignored here, because the query in progress reports it.
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
