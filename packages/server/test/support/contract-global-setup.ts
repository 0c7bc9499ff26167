// Starts Prism, a proxy that validates requests and responses, for a contract test run. At the end, checks
// that the run received every required response. Only CI installs Prism.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { uncovered } from './contract-coverage.ts'
import { type ForkedServer, startForked } from './forked-server.ts'

const program = join(import.meta.dirname, '../../../../compatibility/openapi/prism-proxies.ts')

export default async function setup(project: TestProject) {
  const { url, stop } = await startPrism()
  const directory = await mkdtemp(join(tmpdir(), 'gapura-contract-'))
  const report = join(directory, 'reached')
  project.provide('contractProxy', url)
  project.provide('contractReached', report)
  return async () => {
    await stop()
    const lines = (await readFile(report, 'utf8').catch(() => '')).split('\n').filter(Boolean)
    await rm(directory, { recursive: true })
    const reports = lines.map(line => line.split('\t') as [file: string, response: string])
    const { testFiles } = await project.globTestFiles()
    // Only full runs are checked for missing responses, because a run of only some test files cannot cover
    // every response.
    if (testFiles.some(file => !reports.some(([each]) => each === file))) return
    const missing = uncovered(new Set(reports.map(([, response]) => response)))
    if (missing.length === 0) return
    console.error(
      `No test received these documented responses through the proxy Prism: ${missing.join(', ')}`,
    )
    // Sets the exit code instead of throwing, because an error would leave the database server running.
    process.exitCode = 1
  }
}

export const startPrism = (): Promise<ForkedServer> => startForked(program, 'Prism')

declare module 'vitest' {
  interface ProvidedContext {
    /** The address where a test file can request a Prism proxy. Undefined if the run does not use Prism. */
    contractProxy: string | undefined
    /** The file to which each test file appends the responses that it received through Prism. */
    contractReached: string
  }
}
