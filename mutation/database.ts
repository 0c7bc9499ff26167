// Replaces test/support/database.ts during mutation tests. Creating a database takes longer than most tests, so
// several runs of a test file share databases if the test runner permits it.

import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDb } from '../packages/server/src/db/db.ts'
import { atEnd } from '../packages/server/test/support/at-end.ts'
import { testDatabase as newDatabase, type TestDatabase } from '../packages/server/test/support/database.ts'
import { createDatabase, databaseUrl, templateName } from '../packages/server/test/support/database-url.ts'

export { emptyDatabase } from '../packages/server/test/support/database.ts'

/**
 * The databases for a test file, in the order in which the file requests them. `given` is the number that the
 * current run has requested so far.
 */
type Shared = { urls: string[]; given: number }

/** The databases are stored in a global variable, because this module is reloaded for each run of a test file. */
const store = globalThis as { __sharedDatabases__?: Shared | undefined }

/**
 * If isShared is true, all further runs share one set of new databases. Otherwise, each run gets its own databases.
 */
export function shareDatabases(isShared: boolean): void {
  store.__sharedDatabases__ = isShared ? { urls: [], given: 0 } : undefined
}

export function beginRun(): void {
  if (store.__sharedDatabases__) store.__sharedDatabases__.given = 0
}

export async function testDatabase(): Promise<TestDatabase> {
  const shared = store.__sharedDatabases__
  if (!shared) return newDatabase()
  const place = shared.given++
  shared.urls[place] ??= await makeDatabase()
  const url = shared.urls[place]
  const db = createDb(url, { max: 10 })
  const drop = () => db.destroy()
  atEnd(drop)
  return { url, db, drop }
}

/** Creates a database, which is removed together with the database server. */
async function makeDatabase(): Promise<string> {
  const server = inject('databaseUrls')
  const name = `shared_${randomBytes(8).toString('hex')}`
  await createDatabase(server.adminUrl, name, templateName)
  return databaseUrl(server.url, name)
}
