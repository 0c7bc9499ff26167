import pg from 'pg'

/** The migrated database that others are copied from; no one may be connected to it. */
export const templateName = 'gapura_template'

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
  await asAdmin(adminUrl, `create database ${name} owner ${owner} template ${template}`)
  // Of a database as a whole nothing is copied; what a migration revoked of the template is revoked again.
  await asAdmin(adminUrl, `revoke temporary on database ${name} from public`)
}

/** Also when a test left a connection open. */
export async function dropDatabase(adminUrl: string, name: string) {
  await asAdmin(adminUrl, `drop database ${name} with (force)`)
}

async function asAdmin(adminUrl: string, sql: string) {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
