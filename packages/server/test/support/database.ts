import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDb, type Db } from '../../src/db/db.ts'
import { atEnd } from './at-end.ts'
import { createDatabase, databaseUrl, dropDatabase, templateName } from './database-url.ts'

export type TestDatabase = { url: string; db: Db; drop(): Promise<void> }

/** A database of the test file's own, migrated and otherwise empty, dropped after the file's last test. */
export async function testDatabase(): Promise<TestDatabase> {
  const database = await copyOf(templateName)
  atEnd(database.drop)
  return database
}

/** One without any table of ours, which the caller drops. */
export const emptyDatabase = () => copyOf('template1')

async function copyOf(template: string): Promise<TestDatabase> {
  const server = inject('databaseUrls')
  const name = `test_${randomBytes(8).toString('hex')}`
  await createDatabase(server.adminUrl, name, template)
  const url = databaseUrl(server.url, name)
  const db = createDb(url, { max: 10 })
  const drop = async () => {
    await db.destroy()
    await dropDatabase(server.adminUrl, name)
  }
  return { url, db, drop }
}
