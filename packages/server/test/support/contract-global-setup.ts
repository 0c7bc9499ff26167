// Starts Prism for a test run in which the journeys send their requests through Prism. Only CI installs Prism.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

const program = join(import.meta.dirname, '../../../../compatibility/openapi/prism-proxies.ts')

export default async function setup(project: TestProject) {
  const { url, stop } = await startPrism()
  project.provide('contractProxy', url)
  return stop
}

export async function startPrism(): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = fork(program, { execArgv: [] })
  const exited = once(child, 'exit')
  const gone = exited.then(() => {
    throw new Error('Prism did not start')
  })
  const [{ url }] = (await Promise.race([once(child, 'message'), gone])) as [{ url: string }]
  gone.catch(() => {})
  return {
    url,
    async stop() {
      child.kill()
      await exited
    },
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The address at which a test file can request a proxy; undefined in runs without Prism. */
    contractProxy: string | undefined
  }
}
