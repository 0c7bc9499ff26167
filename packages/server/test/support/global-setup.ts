import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/migrate.ts'
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
    await migrate(databaseUrl(server.url, templateName))
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('databaseUrls', { url: server.url, adminUrl: server.adminUrl })
  return server.stop
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrls: { url: string; adminUrl: string }
  }
}
