// Runs the service's parts in the test's process, where tests can inspect data that is not available over HTTP. The
// service has a separate database and a clock controlled by the test. The provider sandbox is a separate process.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { onTestFinished } from 'vitest'
import type { App } from '../../src/app.ts'
import { compose } from '../../src/compose.ts'
import { type Demo, prepareDemo } from '../../src/demo/demo.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { atEnd } from './at-end.ts'
import { appConfig, serve } from './compose-app.ts'
import { testDatabase } from './database.ts'
import { demoTemplateName } from './database-url.ts'
import { demoTemplate, startSandbox } from './sandbox.ts'

export type TestApp = {
  app: App
  demo: Demo
  databaseUrl: string
  /**
   * The key that encrypts secrets in the database. Any other process that uses this database needs the same
   * key.
   */
  masterKey: Buffer
  /** The directory in which the service stores the emails that it sends (mail.ts). */
  dataDir: string
  /** Advances the service's clock. The sandbox's clock does not change. */
  advance(ms: number): void
  /**
   * Stops the service's clock until the end of the current test, or until the returned function is called. While
   * the clock is stopped, only `advance` moves it, so a slow machine cannot make a time limit of the service
   * expire.
   */
  stopClock(): () => void
}

/**
 * Starts the service and stops it at the end of the test file. With `worker: false`, the service runs no
 * background jobs or periodic tasks, so the test itself must run them.
 */
export async function testApp({
  worker = true,
  overrides = {},
  log = appConfig.log,
}: {
  worker?: boolean
  overrides?: Partial<App>
  log?: Logger
} = {}): Promise<TestApp> {
  const template = await demoTemplate()
  const { url } = await testDatabase(demoTemplateName)
  const sandboxUrl = await startSandbox({ isOfDemo: true })
  let aheadMs = 0
  let stoppedAtMs: number | undefined
  const dataDir = await mkdtemp(join(tmpdir(), 'gapura-app-'))
  await writeFile(join(dataDir, 'demo.json'), template.demo)
  const masterKey = Buffer.from(template.masterKey, 'base64')
  const config = { ...appConfig, databaseUrl: url, masterKey, dataDir, log }
  const { app, forJobs, close } = await compose(config, {
    clock: () => new Date((stoppedAtMs ?? Date.now()) + aheadMs),
    ...overrides,
  })
  const server = await serve(app)
  app.publicUrl = server.url
  // Replaces the addresses in the copied demo data with the addresses of this file's sandbox and service.
  const demo = (await prepareDemo(app, { dataDir, baseUrl: server.url, sandboxUrl })) as Demo
  const jobs = worker ? await startWorker(forJobs(), url, { alone: true }) : undefined
  atEnd(async () => {
    await server.stop()
    await jobs?.stop()
    await close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    app,
    demo,
    databaseUrl: url,
    masterKey,
    dataDir,
    advance(ms) {
      aheadMs += ms
    },
    stopClock() {
      stoppedAtMs = Date.now()
      const startClock = () => {
        stoppedAtMs = undefined
      }
      onTestFinished(startClock)
      return startClock
    },
  }
}
