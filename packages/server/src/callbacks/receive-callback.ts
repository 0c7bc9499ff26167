import type { App } from '../app.ts'
import { coalesce } from '../coalesce.ts'
import { isDatabaseAway } from '../db/db.ts'
import { GatewayError } from '../errors.ts'
import { newId } from '../id.ts'
import { addLogFields } from '../log.ts'
import type { LoadedAccount } from '../provider-accounts/load-account.ts'
import type { AnyProvider, CallbackRequest, Reply } from '../providers/provider.ts'
import { currentTraceparent } from '../tracing/span.ts'
import { type Callback, callbackPriorities, insertCallbacks, insertRejectedCallback } from './callback.sql.ts'
import { callbackMetrics } from './callback-metrics.ts'
import { digestOf } from './message.ts'
import { isAllowedSource } from './source-address.ts'
import { repeatsUnreadable } from './unreadable-callback.sql.ts'
import { verifyWithValidCredentials } from './verify-callback.ts'

export type Called = Pick<CallbackRequest, 'path' | 'headers' | 'body'> & {
  /** IP address; undefined where the caller is gone. */
  clientAddress: string | undefined
}

export type CallbackReply = Reply & { status: number }

type Deps = Pick<App, 'db' | 'clock' | 'log' | 'accountOf'>

type Kept = Callback & { provider: string; trace: string | null }
type Rejected = Parameters<typeof insertRejectedCallback>[1]

/** Callbacks that come in together are kept by one statement and one commit; one such at a time makes the fewest. */
const KEPT_AT_ONCE = 100
/** A message is a kilobyte or two, and may be 256: a statement of many such would hold up all others. */
const KEPT_BYTES = 2 * 1024 * 1024

/** Of a flood of forgeries some are kept to be looked at; the others take no connection from what is genuine. */
const REJECTED_AT_ONCE = 4

/**
 * Takes providers' callbacks: checks each one's source address, verifies it with the account's credentials, stores it
 * raw, queues its job, and only then answers as the provider expects. It is applied later. One that cannot be
 * understood is stored, too, and answered so that the provider sends it again.
 */
export function callbackReception(
  app: Deps,
): (providerCode: string, accountId: string, called: Called) => Promise<CallbackReply> {
  const priorityOf = callbackPriorities(app.db)
  const keep = coalesce(
    async (callbacks: Kept[]) => {
      await insertCallbacks(app.db, callbacks, priorityOf)
      return callbacks.map(() => undefined)
    },
    {
      name: 'keep_callbacks',
      batchSize: KEPT_AT_ONCE,
      weight: { of: ({ body }) => body.length, ofBatch: KEPT_BYTES },
      isShared: isDatabaseAway,
    },
  )
  let rejecting = 0
  async function keepRejected(rejected: Rejected): Promise<void> {
    if (rejecting >= REJECTED_AT_ONCE) return
    rejecting += 1
    try {
      await insertRejectedCallback(app.db, rejected)
    } finally {
      rejecting -= 1
    }
  }
  return (providerCode, accountId, called) =>
    receive(app, { keep, keepRejected }, providerCode, accountId, called)
}

type Keeping = {
  keep(callback: Kept): Promise<unknown>
  keepRejected(rejected: Rejected): Promise<void>
}

async function receive(
  app: Deps,
  keeping: Keeping,
  providerCode: string,
  accountId: string,
  { clientAddress, ...called }: Called,
): Promise<CallbackReply> {
  const loaded = await app.accountOf(accountId)
  if (!loaded || loaded.provider.code !== providerCode) {
    throw new GatewayError('NOT_FOUND', `provider account ${accountId} of ${providerCode} not found`)
  }
  const { provider, account, callbackRules } = loaded
  addLogFields({ provider: providerCode })
  const request = { ...called, receivedAt: app.clock() }
  if (!isAllowedSource(callbackRules.callbackSources, clientAddress))
    return reject(
      app,
      keeping,
      loaded,
      request,
      `callbacks of this account are not accepted from ${clientAddress}`,
    )
  const verification = verifyWithValidCredentials(loaded, request)
  if (!verification.verified) return reject(app, keeping, loaded, request, verification.reason)
  const { replacedAt } = verification
  if (replacedAt !== null)
    app.log.info(
      { provider: providerCode, providerAccountId: accountId, credentialsReplacedAt: replacedAt },
      'callback verified with previous credentials',
    )
  if ('reply' in verification) {
    callbackMetrics.received.inc({ provider: providerCode, outcome: 'answered' })
    return { status: 200, ...verification.reply }
  }
  const reading = provider.readCallback(account, request)
  if ('unreadable' in reading) {
    const { reason, refusal } = reading.unreadable
    callbackMetrics.received.inc({ provider: providerCode, outcome: 'unreadable' })
    app.log.error(
      { provider: providerCode, providerAccountId: accountId, reason },
      'verified callback could not be understood; it is stored and not acknowledged',
    )
    const waiting = { providerAccountId: accountId, digest: digestOf(request), at: request.receivedAt }
    if (!(await repeatsUnreadable(app.db, waiting))) await store(keeping, loaded, request)
    return refusal
  }
  await store(keeping, loaded, request)
  callbackMetrics.received.inc({ provider: providerCode, outcome: 'kept' })
  return { status: 200, ...reading.acknowledgement }
}

async function store(
  { keep }: Keeping,
  { provider, account }: LoadedAccount,
  request: CallbackRequest,
): Promise<void> {
  const id = newId()
  addLogFields({ callbackId: id })
  await keep({
    id,
    provider: provider.code,
    providerAccountId: account.id,
    ...request,
    headers: redacted(request.headers, name => isSecretOf(provider, name)),
    trace: currentTraceparent(),
  })
}

async function reject(
  app: Deps,
  { keepRejected }: Keeping,
  { provider, account }: LoadedAccount,
  request: CallbackRequest,
  reason: string,
): Promise<never> {
  callbackMetrics.received.inc({ provider: provider.code, outcome: 'rejected' })
  app.log.warn({ provider: provider.code, providerAccountId: account.id, reason }, 'callback rejected')
  await keepRejected({
    providerAccountId: account.id,
    reason,
    path: request.path.slice(0, MAX_PATH_CHARS),
    headers: redacted(request.headers, name => isStrangersSecret(name) || isSecretOf(provider, name)),
    body: request.body,
  })
  throw new GatewayError('UNAUTHORIZED', `callback refused: ${reason}`)
}

const isSecretOf = ({ secretHeaders }: AnyProvider, name: string): boolean =>
  secretHeaders?.includes(name) ?? false

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
