// Starts Prism for a test run in which the journeys send their requests through Prism. Only CI installs Prism.

import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type ForkedServer, startForked } from './forked-server.ts'

const program = join(import.meta.dirname, '../../../../compatibility/openapi/prism-proxies.ts')

export default async function setup(project: TestProject) {
  const { url, stop } = await startPrism()
  project.provide('contractProxy', url)
  return stop
}

export const startPrism = (): Promise<ForkedServer> => startForked(program, 'Prism')

declare module 'vitest' {
  interface ProvidedContext {
    /** The address at which a test file can request a proxy; undefined in runs without Prism. */
    contractProxy: string | undefined
  }
}
