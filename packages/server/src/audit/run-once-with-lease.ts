import type { Logger } from '../logging/log.ts'
import { after } from '../values/time.ts'
import { type RequestKey, updateClaim } from './management-request.sql.ts'
import {
  claimOrConflict,
  encryptResponse,
  hashRequest,
  type OnceDeps,
  type OnceResult,
  readResponse,
  STORED_MS,
} from './run-once.ts'

/** How long an idempotency key stays claimed after the process that runs its request has crashed. */
const LEASE_MS = 60_000

/**
 * How often the process renews its claim. It is a third of the lease, so that the claim survives a failed renewal.
 */
const RENEWAL_MS = 20_000

type Deps = OnceDeps & { log: Logger }

/**
 * Like `runOnce`, but for a request that cannot run in one transaction: it calls a provider, or it makes its change in
 * several transactions. The process claims the key for a minute, and renews this lease until the request is done. The
 * response is stored after the request. A concurrent request with the same key is rejected with IDEMPOTENCY_CONFLICT.
 *
 * If the process crashes during the request, a repeated request runs once the lease has expired.
 */
export async function runOnceWithLease<Response>(
  app: Deps,
  key: RequestKey,
  request: string,
  run: () => Promise<Response>,
): Promise<OnceResult<Response>> {
  const requestHash = hashRequest(app, request)
  const now = app.clock()
  const expiresAt = after(now, LEASE_MS)
  if (!(await claimOrConflict(app.db, key, { requestHash, now, expiresAt })))
    return { response: await readResponse<Response>(app, app.db, key, requestHash), isReplayed: true }
  const endLease = renewLease(app, key, expiresAt)
  try {
    const response = await run()
    await storeAfterRun(app, key, await endLease(), response)
    return { response, isReplayed: false }
  } catch (error) {
    await release(app, key, await endLease())
    throw error
  }
}

/**
 * Renews the claim at regular intervals. The returned function stops this and returns until when the key is claimed.
 */
function renewLease(app: Deps, key: RequestKey, firstUntil: Date): () => Promise<Date> {
  let claimedUntil = firstUntil
  let renewal = Promise.resolve()
  const renew = async () => {
    const expiresAt = after(app.clock(), LEASE_MS)
    if (await updateClaim(app.db, key, claimedUntil, { expiresAt })) claimedUntil = expiresAt
  }
  const timer = setInterval(() => {
    renewal = renewal.then(renew).catch(error => warn(app, error, 'could not renew an idempotency key'))
  }, RENEWAL_MS)
  return async () => {
    clearInterval(timer)
    await renewal
    return claimedUntil
  }
}

/** If the response cannot be stored, the request still succeeds, because its change has been made. */
async function storeAfterRun(
  app: Deps,
  key: RequestKey,
  claimedUntil: Date,
  response: unknown,
): Promise<void> {
  try {
    const responseSealed = await encryptResponse(app, key, response)
    const expiresAt = after(app.clock(), STORED_MS)
    await updateClaim(app.db, key, claimedUntil, { responseSealed, expiresAt })
  } catch (error) {
    warn(app, error, 'could not store the response for an idempotency key')
  }
}

/** Lets the key be used again at once after a failed request. */
async function release(app: Deps, key: RequestKey, claimedUntil: Date): Promise<void> {
  await updateClaim(app.db, key, claimedUntil, { expiresAt: app.clock() }).catch(error =>
    warn(app, error, 'could not release an idempotency key'),
  )
}

const warn = ({ log }: Deps, error: unknown, message: string) => log.warn({ err: error }, message)
