import { randomBytes } from 'node:crypto'
import type { App } from '../../src/app.ts'
import { compose } from '../../src/compose.ts'
import type { TestApp } from './app.ts'
import { atEnd } from './at-end.ts'
import { appConfig, serve } from './compose-app.ts'

/**
 * Simulates a second process of the same service. The two processes share only the database, the secrets, and the
 * clock.
 */
export async function secondProcess({
  app: { secrets, clock, publicUrl },
  databaseUrl,
  dataDir,
}: TestApp): Promise<{ app: App; url: string }> {
  const { app, close } = await compose(
    { ...appConfig, databaseUrl, masterKey: randomBytes(32), dataDir },
    { secrets, clock },
  )
  // The URL is set only after compose(), as in testApp. The access tokens of both processes then have the same issuer,
  // the URL in `appConfig`. Providers get the callback URL of the first process.
  app.publicUrl = publicUrl
  const server = await serve(app)
  atEnd(async () => {
    await server.stop()
    await close()
  })
  return { app, url: server.url }
}
