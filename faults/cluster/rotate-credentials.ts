// Replaces DOKU's secret key while orders and notifications are in flight. If the service uses the wrong key, DOKU
// returns 401 without reading the order, so the request can be retried. DOKU may still sign some notifications with the
// previous key.

import { randomBytes } from 'node:crypto'
import { compose } from '../../packages/server/src/compose.ts'
import { register } from '../../packages/server/src/demo/demo-accounts.ts'
import { createLog } from '../../packages/server/src/logging/log.ts'
import { updateProviderAccount } from '../../packages/server/src/provider-accounts/update-provider-account.ts'

type Place = { directory: string; baseUrl: string; sandboxUrl: string }

export async function rotateCredentials(
  databaseUrl: string,
  masterKey: Buffer,
  { directory, baseUrl, sandboxUrl }: Place,
): Promise<void> {
  const { app, close } = await compose({
    databaseUrl,
    masterKey,
    publicUrl: baseUrl,
    webhookAllowPrivate: true,
    smtpUrl: undefined,
    mailFrom: 'Gapura <no-reply@example.com>',
    dataDir: directory,
    log: createLog('silent'),
  })
  try {
    const { rows } = await app.db.raw<{ rows: { id: string }[] }>(
      "select id from provider_accounts where provider_code = 'doku' and mode = 'test'",
    )
    const loaded = await app.accountOf(rows[0]?.id ?? '')
    if (!loaded) throw new Error('no DOKU account in test mode')
    const { account, provider } = loaded
    const secret_key = `SK-${randomBytes(16).toString('hex')}`
    const replaced = { ...(account.credentials as Record<string, string>), secret_key }
    const callbackUrl = `${baseUrl}/v1/callbacks/doku/${account.id}`
    const issued = await register(sandboxUrl, 'doku', replaced, callbackUrl)
    await updateProviderAccount(app, null, provider, account.id, { credentials: { ...replaced, ...issued } })
  } finally {
    await close()
  }
}
