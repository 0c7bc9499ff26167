import { randomBytes } from 'node:crypto'
import type { App } from '../../src/app.ts'
import { compose } from '../../src/compose.ts'
import { startHttp } from '../../src/http/server.ts'
import { createLog } from '../../src/logging/log.ts'
import type { TestApp } from './app.ts'
import { atEnd } from './at-end.ts'

/** Simulates a second process of the same service. The two share only the database, the secrets and the clock. */
export async function secondProcess({
  app: { secrets, clock, publicUrl },
  databaseUrl,
  dataDir,
}: TestApp): Promise<{ app: App; url: string }> {
  const { app, close } = await compose(
    {
      databaseUrl,
      masterKey: randomBytes(32),
      publicUrl: 'http://127.0.0.1',
      webhookAllowPrivate: true,
      smtpUrl: undefined,
      mailFrom: 'Gapura <no-reply@example.com>',
      dataDir,
      log: createLog('silent'),
    },
    { secrets, clock },
  )
  // The URL is set after compose(), as in testApp: tokens of both processes have the URL above as their issuer, but
  // providers get this URL.
  app.publicUrl = publicUrl
  const server = await startHttp(app, {
    host: '127.0.0.1',
    port: 0,
    metricsToken: undefined,
    openapi: '{}',
    readiness: () => ({ worker: true, stopping: false }),
  })
  atEnd(async () => {
    await server.stop()
    await close()
  })
  return { app, url: server.url }
}
