import pg from 'pg'

/**
 * The name of the migrated database from which other databases are copied. This database can be copied only while no
 * client is connected to it.
 */
export const templateName = 'gapura_template'
/** The name of the database that also has the demo data (demo-template.ts). */
export const demoTemplateName = 'gapura_demo_template'

/**
 * How long a test waits for a database connection. The limit is long, because a busy machine may be ten times
 * slower than usual.
 */
export const CONNECTION_WAIT_MS = 120_000

/** The URLs of the run's PostgreSQL server for three roles: the service, the tables' owner, and the superuser. */
export type DatabaseUrls = { url: string; ownerUrl: string; adminUrl: string }

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export async function createDatabase(
  adminUrl: string,
  name: string,
  template: string,
  owner = 'gapura_owner',
) {
  await asAdmin(
    adminUrl,
    // Copies the files, because PostgreSQL's default strategy copies through the write-ahead log and takes five times
    // as long.
    `create database ${name} owner ${owner} template ${template} strategy file_copy`,
    // A migration revoked this privilege on the original database. The copy does not inherit the original database's
    // privileges, so the privilege must be revoked again.
    `revoke temporary on database ${name} from public`,
  )
}

/** Drops a database, even if a test left a connection to it open. */
export async function dropDatabase(adminUrl: string, name: string) {
  await asAdmin(adminUrl, `drop database ${name} with (force)`)
}

async function asAdmin(adminUrl: string, ...statements: string[]) {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    for (const sql of statements) await client.query(sql)
  } finally {
    await client.end()
  }
}
