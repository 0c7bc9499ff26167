import type { TestProject } from 'vitest/node'
import { startThrowaway } from '../../src/db/embedded/throwaway.ts'
import { migrateDatabase } from '../../src/db/migrate/prepare-database.ts'
import { createDatabase, databaseUrl, templateName } from './database-url.ts'

/**
 * Starts one PostgreSQL server for the whole run with one migrated database, which is copied for each test file. Only
 * tests of the service need it; runs of other packages start none.
 */
export default async function setup(project: TestProject) {
  if (!project.vitest.projects.some(({ name }) => ['server', 'journeys', 'isolated'].includes(name)))
    return undefined
  const server = await startThrowaway()
  try {
    await createDatabase(server.adminUrl, templateName, 'template1')
    const urls = {
      directDatabaseUrl: databaseUrl(server.url, templateName),
      migrateDatabaseUrl: databaseUrl(server.ownerUrl, templateName),
    }
    await migrateDatabase(urls, () => {})
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('databaseUrls', { url: server.url, ownerUrl: server.ownerUrl, adminUrl: server.adminUrl })
  return server.stop
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrls: { url: string; ownerUrl: string; adminUrl: string }
  }
}
