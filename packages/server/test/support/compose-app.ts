// The settings with which tests create the service's parts (an App) and serve this App in the test process.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../../src/app.ts'
import { createHttp, type HttpOptions, type HttpServer } from '../../src/http/server.ts'
import { createLog } from '../../src/logging/log.ts'
import { CONNECTION_WAIT_MS } from './database-url.ts'

/**
 * The settings that all test apps share. In addition, each app needs a database, a master key and a data directory.
 */
export const appConfig = {
  publicUrl: 'http://127.0.0.1',
  webhookAllowPrivate: true,
  smtpUrl: undefined,
  mailFrom: 'Gapura <no-reply@example.com>',
  log: createLog('silent'),
  // The pools are small because most tests need few connections, and a connection costs PostgreSQL as much CPU time
  // as dozens of statements.
  connections: { requests: 6, jobs: 4, waitMs: CONNECTION_WAIT_MS },
}

const openapiFile = join(import.meta.dirname, '../../../../openapi/openapi.json')
/**
 * Turns off the load shedding that rejects requests while the database is slow, because tests could otherwise
 * fail on a busy machine.
 */
const patient = { callbacks: Number.POSITIVE_INFINITY, others: Number.POSITIVE_INFINITY }

/** Serves the app on a free port. `options` overrides the options that tests use by default. */
export const serve = async (
  app: App,
  { limits, ...options }: Partial<HttpOptions> = {},
): Promise<HttpServer> =>
  createHttp(app, {
    host: '127.0.0.1',
    metricsToken: undefined,
    openapi: await readFile(openapiFile, 'utf8'),
    readiness: () => ({ worker: true, stopping: false }),
    // Tests stop many servers. Each stopping server therefore closes its idle connections without delay.
    limits: { databaseSilence: patient, stoppingIdleTimeout: 0, ...limits },
    ...options,
  }).listen(0)
