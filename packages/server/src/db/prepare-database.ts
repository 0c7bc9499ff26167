// As whom the database is brought up to date. The service works as a role that owns nothing; whoever owns the tables
// migrates, with a connection string of its own that a running service need not have. One role for both still works, and
// is warned of: an upgrade must not stop payments (docs/decisions/0031-two-database-roles.md).

import pg from 'pg'
import { patience } from './lock-wait.ts'
import { migrate, pendingIn } from './migrate.ts'
import { MigrationError } from './migration-error.ts'

/** Both without a pooler between. migrate: as the owner of the tables. */
export type DatabaseUrls = { directDatabaseUrl: string; migrateDatabaseUrl?: string | undefined }

type Say = (line: string) => void

const OWNER = 'GAPURA_MIGRATE_DATABASE_URL'

/** For a process that starts. Without the owner's connection string it migrates only what its own role owns. */
export async function prepareDatabase(urls: DatabaseUrls, say: Say): Promise<void> {
  if (urls.migrateDatabaseUrl !== undefined) await migrateDatabase(urls, say)
  else {
    const { role, owns } = await standingOf(urls.directDatabaseUrl)
    if (owns) {
      say(
        `the role ${role} owns the tables that it works on: whoever gets hold of the service can switch off the rules of the ledger. Make a role for migrations and set ${OWNER} (docs/guides/upgrade.md)`,
      )
      await migrateDatabase(urls, say)
    } else await assertUpToDate(urls.directDatabaseUrl, role)
  }
}

/** Returns the names of the migrations that it applied. */
export async function migrateDatabase(
  { directDatabaseUrl, migrateDatabaseUrl }: DatabaseUrls,
  say: Say,
): Promise<string[]> {
  const { role } = await standingOf(directDatabaseUrl)
  if (migrateDatabaseUrl === undefined) return migrate(directDatabaseUrl, undefined, { patience, say })
  const owner = await standingOf(migrateDatabaseUrl)
  if (owner.role === role)
    throw new MigrationError(
      `${OWNER} and DATABASE_URL name the same role, ${role}; the one has to be the owner of the tables, and the other not`,
    )
  return migrate(migrateDatabaseUrl, undefined, { patience, say, runtimeRole: role })
}

/** owns: the tables, or where there are none yet, the right to make them. */
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

async function assertUpToDate(url: string, role: string): Promise<void> {
  const pending = await withClient(url, pendingIn).catch(error => {
    if (MISSING.has((error as { code?: string }).code ?? '')) return ['its tables, or the rights to them']
    throw error
  })
  if (pending.length === 0) return
  throw new MigrationError(
    `the database lacks ${pending.join(', ')}, and the role ${role} may not change it; run gapura-server migrate with ${OWNER}, then start again`,
  )
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'gapura-migrate' })
  client.on('error', () => {}) // told by the query under way
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
