import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDb, type Db } from '../../src/db/db.ts'
import { atEnd } from './at-end.ts'
import {
  CONNECTION_WAIT_MS,
  createDatabase,
  databaseUrl,
  dropDatabase,
  templateName,
} from './database-url.ts'

export type TestDatabase = {
  /** The database URL for a connection with the service's role. */
  url: string
  db: Db
  /** Connects as the tables' owner, for statements that the service may not run. */
  ownerUrl: string
  owner: Db
  drop(): Promise<void>
}

/**
 * Creates a migrated database for one test file, empty or with the demo data. The database is
 * dropped after the file's last test.
 */
export async function testDatabase(template = templateName): Promise<TestDatabase> {
  const database = await copyOf(template)
  atEnd(database.drop)
  return database
}

/** Creates a migrated, otherwise empty database, which the caller must drop. */
export const migratedDatabase = () => copyOf(templateName)

/** Creates a database without our tables, owned by the service's role. The caller must drop it. */
export const emptyDatabase = () => copyOf('template1', 'gapura')

async function copyOf(template: string, owningRole?: string): Promise<TestDatabase> {
  const server = inject('databaseUrls')
  const name = `test_${randomBytes(8).toString('hex')}`
  await createDatabase(server.adminUrl, name, template, owningRole)
  const url = databaseUrl(server.url, name)
  const ownerUrl = databaseUrl(server.ownerUrl, name)
  const db = createDb(url, { max: 10, waitMs: CONNECTION_WAIT_MS })
  const owner = createDb(ownerUrl, { max: 2, waitMs: CONNECTION_WAIT_MS })
  const drop = async () => {
    await Promise.all([db.destroy(), owner.destroy()])
    await dropDatabase(server.adminUrl, name)
  }
  return { url, db, ownerUrl, owner, drop }
}

/** Runs `work` on the database of `db`, but with the role that owns the tables. */
export async function asOwner<T>(db: Db, work: (owner: Db) => Promise<T>): Promise<T> {
  const { rows } = await db.raw<{ rows: [{ name: string }] }>('select current_database() as name')
  const owner = createDb(databaseUrl(inject('databaseUrls').ownerUrl, rows[0].name), {
    max: 1,
    waitMs: CONNECTION_WAIT_MS,
  })
  try {
    return await work(owner)
  } finally {
    await owner.destroy()
  }
}
