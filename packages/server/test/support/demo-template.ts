// Creates the demo data once per test run, in a database that is copied for each test file.

import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '../../src/compose.ts'
import { type Demo, prepareDemo } from '../../src/demo/demo.ts'
import { appConfig } from './compose-app.ts'
import {
  createDatabase,
  type DatabaseUrls,
  databaseUrl,
  demoTemplateName,
  templateName,
} from './database-url.ts'
import { weakHash } from './password.ts'

/**
 * `demo` is the content of demo.json. `masterKey` is the key that encrypts the stored secrets, so the service
 * must use it with each copy of the database.
 */
export type DemoTemplate = { masterKey: string; demo: string }

/**
 * Creates the demo data in a database and in a sandbox. A copy of the database is therefore usable only with
 * a copy of the sandbox's data.
 */
export async function makeDemoTemplate(urls: DatabaseUrls, sandboxUrl: string): Promise<DemoTemplate> {
  await createDatabase(urls.adminUrl, demoTemplateName, templateName)
  const masterKey = randomBytes(32)
  const dataDir = await mkdtemp(join(tmpdir(), 'gapura-demo-'))
  const { app, close } = await compose({
    ...appConfig,
    databaseUrl: databaseUrl(urls.url, demoTemplateName),
    masterKey,
    dataDir,
  })
  try {
    const demo = (await prepareDemo(app, { dataDir, baseUrl: 'http://127.0.0.1', sandboxUrl })) as Demo
    for (const { tenant_id, password } of [demo.owner, demo.partner, demo.client, demo.client2])
      await app.db.raw('update users set password_hash = ? where tenant_id = ?', [
        await weakHash(password),
        tenant_id,
      ])
    // Creates the first signing key for access tokens now, so that each copy of this database contains the
    // key.
    await app.keyRing()
    return {
      masterKey: masterKey.toString('base64'),
      demo: await readFile(join(dataDir, 'demo.json'), 'utf8'),
    }
  } finally {
    // Closes the connections, because a database can be copied only while no client is connected to it.
    await close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
