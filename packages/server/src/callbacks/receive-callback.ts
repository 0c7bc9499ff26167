import { batched } from '../db/batch/batched.ts'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { addLogFields, type Logger } from '../logging/log.ts'
import type { LoadAccount, LoadedAccount } from '../provider-accounts/load-account.ts'
import type { AnyProvider, CallbackRequest, Reply } from '../providers/provider.ts'
import type { Rejection } from '../providers/rejection.ts'
import { currentTraceparent } from '../tracing/span.ts'
import { isAllowedSource } from '../values/allowed-source.ts'
import { newId } from '../values/id.ts'
import type { Clock } from '../values/time.ts'
import { type Callback, callbackPriorities, insertCallbacks, insertRejectedCallback } from './callback.sql.ts'
import { digestOf } from './callback-message.ts'
import { callbackMetrics } from './callback-metrics.ts'
import { countUnreadableRepeat } from './unreadable-callback.sql.ts'
import { verifyWithValidCredentials } from './verify-callback.ts'

export type IncomingCallback = Pick<CallbackRequest, 'path' | 'headers' | 'body'> & {
  /** The sender's IP address. Undefined if the connection is already closed. */
  clientAddress: string | undefined
}

export type CallbackReply = Reply & { status: number }

type Deps = { db: Db; clock: Clock; log: Logger; accountOf: LoadAccount }

type CallbackToStore = Callback & { provider: string; trace: string | null }
type CallbackToReject = Parameters<typeof insertRejectedCallback>[1]

/**
 * The maximum number of callbacks per batch. A batch has one SQL statement and one commit. Callbacks that arrive
 * while a batch is being stored form the next batch.
 */
const BATCH_SIZE = 100
/**
 * The maximum number of bytes per batch. A callback is usually 1 or 2 KB but may be as large as 256 KB. The batch is
 * limited because one huge statement would delay the other callbacks.
 */
const BATCH_BYTES = 2 * 1024 * 1024

/**
 * The maximum number of concurrent database writes that store rejected callbacks. Further rejected callbacks are not
 * stored, so that a flood of forged callbacks leaves database connections for genuine ones.
 */
const MAX_REJECTED_IN_FLIGHT = 4

/**
 * Receives providers' callbacks: checks the sender's address and the signature, stores the raw body with a job that
 * applies the callback, and acknowledges the callback. If a verified callback cannot be parsed, it is stored but gets
 * an error response, so that the provider sends it again.
 */
export function callbackReceiver(
  app: Deps,
): (providerCode: string, accountId: string, called: IncomingCallback) => Promise<CallbackReply> {
  const priorityOf = callbackPriorities(app.db)
  const store = batched(
    async (callbacks: CallbackToStore[]) => {
      await insertCallbacks(app.db, callbacks, priorityOf)
      return callbacks.map(() => undefined)
    },
    {
      name: 'keep_callbacks',
      batchSize: BATCH_SIZE,
      weight: { of: ({ body }) => body.length, ofBatch: BATCH_BYTES },
    },
  )
  let rejecting = 0
  async function storeRejected(rejected: CallbackToReject): Promise<void> {
    if (rejecting >= MAX_REJECTED_IN_FLIGHT) return
    rejecting += 1
    try {
      await insertRejectedCallback(app.db, rejected)
    } finally {
      rejecting -= 1
    }
  }
  return (providerCode, accountId, called) =>
    receive(app, { store, storeRejected }, providerCode, accountId, called)
}

type CallbackStore = {
  store(callback: CallbackToStore): Promise<unknown>
  storeRejected(rejected: CallbackToReject): Promise<void>
}

async function receive(
  app: Deps,
  callbackStore: CallbackStore,
  providerCode: string,
  accountId: string,
  { clientAddress, ...called }: IncomingCallback,
): Promise<CallbackReply> {
  const loaded = await app.accountOf(accountId)
  if (!loaded || loaded.provider.code !== providerCode) {
    throw fault('account_of_provider_not_found', { id: accountId, provider: providerCode })
  }
  const { provider, account, callbackRules } = loaded
  addLogFields({ provider: providerCode })
  const request = { ...called, receivedAt: app.clock() }
  if (!isAllowedSource(callbackRules.callbackSources, clientAddress))
    return reject(
      app,
      callbackStore,
      loaded,
      request,
      `callbacks of this account are not accepted from ${clientAddress}`,
    )
  const verification = verifyWithValidCredentials(loaded, request)
  if (!verification.verified) return reject(app, callbackStore, loaded, request, verification.reason)
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
      'verified callback could not be parsed; it is stored but not acknowledged',
    )
    const waiting = { providerAccountId: accountId, digest: digestOf(request), at: request.receivedAt }
    if (!(await countUnreadableRepeat(app.db, waiting))) await storeCallback(callbackStore, loaded, request)
    return refusal
  }
  await storeCallback(callbackStore, loaded, request)
  callbackMetrics.received.inc({ provider: providerCode, outcome: 'kept' })
  return { status: 200, ...reading.acknowledgement }
}

async function storeCallback(
  { store }: CallbackStore,
  { provider, account }: LoadedAccount,
  request: CallbackRequest,
): Promise<void> {
  const id = newId()
  addLogFields({ callbackId: id })
  await store({
    id,
    provider: provider.code,
    providerAccountId: account.id,
    ...request,
    headers: redacted(request.headers, name => isProviderSecret(provider, name)),
    trace: currentTraceparent(),
  })
}

async function reject(
  app: Deps,
  { storeRejected }: CallbackStore,
  { provider, account }: LoadedAccount,
  request: CallbackRequest,
  reason: Rejection,
): Promise<never> {
  callbackMetrics.received.inc({ provider: provider.code, outcome: 'rejected' })
  app.log.warn({ provider: provider.code, providerAccountId: account.id, reason }, 'callback rejected')
  await storeRejected({
    providerAccountId: account.id,
    reason,
    path: request.path.slice(0, MAX_PATH_CHARS),
    headers: redacted(request.headers, name => isSenderCredential(name) || isProviderSecret(provider, name)),
    body: request.body,
  })
  throw fault('callback_refused', { reason })
}

const isProviderSecret = ({ secretHeaders }: AnyProvider, name: string): boolean =>
  secretHeaders?.includes(name) ?? false

/** The maximum length of a rejected callback's stored path. It is limited because the sender chooses the path. */
const MAX_PATH_CHARS = 512

/**
 * Returns whether a header may contain its sender's credentials. A client that calls the wrong URL may send its own
 * credentials, which must not be stored.
 */
const isSenderCredential = (name: string): boolean =>
  /^(authorization|cookie|proxy-authorization|x-api-key)$/.test(name)

const redacted = (
  headers: Record<string, string>,
  isSecret: (name: string) => boolean,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? '[redacted]' : value]),
  )
