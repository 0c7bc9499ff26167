import type { App } from '../app.ts'
import { coalesce } from '../coalesce.ts'
import { isDatabaseAway } from '../db/db.ts'
import { GatewayError } from '../errors.ts'
import { newId } from '../id.ts'
import { addLogFields } from '../log.ts'
import type { CallbackRequest, Reply } from '../providers/provider.ts'
import { currentTraceparent } from '../tracing/span.ts'
import { type Callback, insertCallbacks, insertRejectedCallback } from './callback.sql.ts'
import { callbackMetrics } from './callback-metrics.ts'

/** readBody: called once the account is known, so that nobody makes others wait with a body for none. */
export type Called = Pick<CallbackRequest, 'path' | 'headers'> & { readBody(): Promise<Buffer> }

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
 * Takes providers' callbacks: verifies each one's signature with the account's credentials, keeps it raw, queues
 * its job, and only then answers as the provider expects. What it says is looked at later.
 */
export function callbackReception(
  app: Deps,
): (providerCode: string, accountId: string, called: Called) => Promise<Reply> {
  const keep = coalesce(
    async (callbacks: Kept[]) => {
      await insertCallbacks(app.db, callbacks)
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
  { keep, keepRejected }: Keeping,
  providerCode: string,
  accountId: string,
  { readBody, ...called }: Called,
): Promise<Reply> {
  const loaded = await app.accountOf(accountId)
  if (!loaded || loaded.provider.code !== providerCode) {
    throw new GatewayError('NOT_FOUND', `provider account ${accountId} of ${providerCode} not found`)
  }
  const { provider, account } = loaded
  addLogFields({ provider: providerCode })
  const body = await readBody()
  const request = { ...called, body, receivedAt: app.clock() }
  const isSecret = (name: string) => provider.secretHeaders?.includes(name) ?? false
  const verification = provider.verifyCallback(account, request)
  if (!verification.verified) {
    const { reason } = verification
    callbackMetrics.received.inc({ provider: providerCode, outcome: 'rejected' })
    app.log.warn({ provider: providerCode, providerAccountId: accountId, reason }, 'callback rejected')
    await keepRejected({
      providerAccountId: accountId,
      reason,
      path: request.path.slice(0, MAX_PATH_CHARS),
      headers: redacted(request.headers, name => isStrangersSecret(name) || isSecret(name)),
      body: request.body,
    })
    throw new GatewayError('UNAUTHORIZED', `callback refused: ${reason}`)
  }
  if ('reply' in verification) {
    callbackMetrics.received.inc({ provider: providerCode, outcome: 'answered' })
    return verification.reply
  }
  const reading = provider.readCallback(account, request)
  const id = newId()
  addLogFields({ callbackId: id })
  await keep({
    id,
    provider: providerCode,
    providerAccountId: accountId,
    ...request,
    headers: redacted(request.headers, isSecret),
    trace: currentTraceparent(),
  })
  callbackMetrics.received.inc({ provider: providerCode, outcome: 'kept' })
  return 'unreadable' in reading ? reading.unreadable.refusal : reading.acknowledgement
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
