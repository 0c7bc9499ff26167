import type { App } from '../app.ts'
import { coalesce } from '../coalesce.ts'
import { isDatabaseAway } from '../db/db.ts'
import { GatewayError } from '../errors.ts'
import { newId } from '../id.ts'
import type { CallbackRequest, Reply } from '../providers/provider.ts'
import { type Callback, insertCallbacks, insertRejectedCallback } from './callback.sql.ts'

type Deps = Pick<App, 'db' | 'clock' | 'log' | 'accountOf'>

type Kept = Callback & { provider: string }

/** Callbacks that come in together are kept by one statement and one commit; one such at a time makes the fewest. */
const KEPT_AT_ONCE = 100

/**
 * Takes providers' callbacks: verifies each one's signature with the account's credentials, keeps it raw, queues
 * its job, and only then answers as the provider expects. What it says is looked at later.
 */
export function callbackReception(
  app: Deps,
): (providerCode: string, accountId: string, called: Omit<CallbackRequest, 'receivedAt'>) => Promise<Reply> {
  const keep = coalesce(
    async (callbacks: Kept[]) => {
      await insertCallbacks(app.db, callbacks)
      return callbacks.map(() => undefined)
    },
    { batchSize: KEPT_AT_ONCE, isShared: isDatabaseAway },
  )
  return (providerCode, accountId, called) => receive(app, keep, providerCode, accountId, called)
}

async function receive(
  app: Deps,
  keep: (callback: Kept) => Promise<unknown>,
  providerCode: string,
  accountId: string,
  called: Omit<CallbackRequest, 'receivedAt'>,
): Promise<Reply> {
  const loaded = await app.accountOf(accountId)
  if (!loaded || loaded.provider.code !== providerCode) {
    throw new GatewayError('NOT_FOUND', `provider account ${accountId} of ${providerCode} not found`)
  }
  const { provider, account } = loaded
  const request = { ...called, receivedAt: app.clock() }
  const isSecret = (name: string) => provider.secretHeaders?.includes(name) ?? false
  const reading = provider.readCallback(account, request)
  if (!reading.verified) {
    app.log.warn(
      { provider: providerCode, providerAccountId: accountId, reason: reading.reason },
      'callback rejected',
    )
    await insertRejectedCallback(app.db, {
      providerAccountId: accountId,
      reason: reading.reason,
      path: request.path.slice(0, MAX_PATH_CHARS),
      headers: redacted(request.headers, name => isStrangersSecret(name) || isSecret(name)),
      body: request.body,
    })
    throw new GatewayError('UNAUTHORIZED', `callback refused: ${reading.reason}`)
  }
  if ('reply' in reading) return reading.reply
  await keep({
    id: newId(),
    provider: providerCode,
    providerAccountId: accountId,
    ...request,
    headers: redacted(request.headers, isSecret),
  })
  return reading.acknowledgement
}

/** Of a refused one's path; whoever sends it decides how long it is. */
const MAX_PATH_CHARS = 512

/** Somebody who calls the wrong address may send credentials of his own; they are not ours to keep. */
const isStrangersSecret = (name: string): boolean =>
  /^(authorization|cookie|proxy-authorization|x-api-key)$/.test(name)

const redacted = (
  headers: Record<string, string>,
  isSecret: (name: string) => boolean,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? '[redacted]' : value]),
  )
