import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startTemporaryDatabase } from '../../src/db/embedded/throwaway.ts'
import { migrateDatabase } from '../../src/db/migrate/prepare-database.ts'
import { createDatabase, type DatabaseUrls, databaseUrl, templateName } from './database-url.ts'
import { startForked } from './forked-server.ts'

const sharedHost = join(import.meta.dirname, 'shared-host.ts')

const ofService = new Set(['server', 'isolated', 'random'])

/**
 * Starts what all of the service's test files share: a PostgreSQL server and the process in shared-host.ts. Each
 * file gets a copy of the server's migrated database. If only other packages are tested, nothing is started.
 */
export default async function setup(project: TestProject) {
  if (!project.vitest.projects.some(({ name }) => ofService.has(name))) return undefined
  const host = await startForked(sharedHost, 'the process that all test files share (shared-host.ts)')
  const server = await startTemporaryDatabase()
  const stop = () => Promise.all([host.stop(), server.stop()])
  try {
    await createDatabase(server.adminUrl, templateName, 'template1')
    const urls = {
      directDatabaseUrl: databaseUrl(server.url, templateName),
      migrateDatabaseUrl: databaseUrl(server.ownerUrl, templateName),
    }
    await migrateDatabase(urls, () => {})
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('databaseUrls', { url: server.url, ownerUrl: server.ownerUrl, adminUrl: server.adminUrl })
  project.provide('sharedHost', host.url)
  return stop
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrls: DatabaseUrls
    /** The URL of the process that all test files share (shared-host.ts). */
    sharedHost: string
  }
}
