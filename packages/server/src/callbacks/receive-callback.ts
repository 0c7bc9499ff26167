import type { App } from '../app.ts'
import { GatewayError } from '../errors.ts'
import { newId } from '../id.ts'
import type { CallbackRequest } from '../providers/provider.ts'
import { insertCallback, insertRejectedCallback } from './callback.sql.ts'

type Deps = Pick<App, 'db' | 'clock' | 'log' | 'accountOf'>

/**
 * Takes a provider's callback: verifies its signature with the account's credentials, keeps it raw, queues
 * its job, and only then answers as the provider expects. What it says is looked at later.
 */
export async function receiveCallback(
  app: Deps,
  providerCode: string,
  accountId: string,
  request: CallbackRequest,
): Promise<{ contentType: string; body: string }> {
  const loaded = await app.accountOf(accountId)
  if (!loaded || loaded.provider.code !== providerCode) {
    throw new GatewayError('NOT_FOUND', `provider account ${accountId} of ${providerCode} not found`)
  }
  const { provider, account } = loaded
  const reading = provider.readCallback(account, request)
  const headers = withoutSecrets(request.headers)
  if (!reading.verified) {
    app.log.warn(
      { provider: providerCode, providerAccountId: accountId, reason: reading.reason },
      'callback rejected',
    )
    await insertRejectedCallback(app.db, {
      providerAccountId: accountId,
      reason: reading.reason,
      headers,
      body: request.body,
    })
    throw new GatewayError('UNAUTHORIZED', `callback refused: ${reading.reason}`)
  }
  await insertCallback(app.db, {
    id: newId(),
    provider: providerCode,
    providerAccountId: accountId,
    headers: request.headers,
    body: request.body,
    receivedAt: app.clock(),
  })
  return provider.acknowledgement
}

/** Somebody who calls the wrong address may send credentials of his own; they are not ours to keep. */
function withoutSecrets(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /^(authorization|cookie|proxy-authorization|x-api-key)$/.test(name) ? '[redacted]' : value,
    ]),
  )
}
