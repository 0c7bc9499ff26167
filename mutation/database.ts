// Replaces test/support/database.ts during mutation tests. The runs of a test file share a database as long as the
// runner allows it, because creating one takes longer than most tests.

import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDb } from '../packages/server/src/db/db.ts'
import { atEnd } from '../packages/server/test/support/at-end.ts'
import { testDatabase as newDatabase, type TestDatabase } from '../packages/server/test/support/database.ts'
import { createDatabase, databaseUrl, templateName } from '../packages/server/test/support/database-url.ts'

export { emptyDatabase } from '../packages/server/test/support/database.ts'

/** The databases of a test file in the order it requests them. given: the number requested by the current run. */
type Shared = { urls: string[]; given: number }

/** This module is reloaded for each run. The global state is not. */
const store = globalThis as { __sharedDatabases__?: Shared | undefined }

/** From now on, runs share new databases if isShared is true; otherwise each run gets its own. */
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

/** The database is removed with the server. */
async function makeDatabase(): Promise<string> {
  const server = inject('databaseUrls')
  const name = `shared_${randomBytes(8).toString('hex')}`
  await createDatabase(server.adminUrl, name, templateName)
  return databaseUrl(server.url, name)
}
