import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '../../src/db/prepare-database.ts'
import { startThrowaway } from '../../src/db/throwaway.ts'
import { createDatabase, databaseUrl, templateName } from './database-url.ts'

/**
 * One server for the whole run, and one migrated database in it, of which each test file gets a copy. Only the
 * service needs it; a run of another package's tests starts none.
 */
export default async function setup(project: TestProject) {
  if (!project.vitest.projects.some(({ name }) => name === 'server' || name === 'journeys')) return undefined
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
