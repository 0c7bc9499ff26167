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

/** If a process crashes while it runs a request, the request's idempotency key stays claimed for this long. */
const LEASE_MS = 60_000

/**
 * The time in milliseconds after which the process renews its claim on the idempotency key. It is a third of the lease,
 * so that the claim survives a failed renewal.
 */
const RENEWAL_MS = 20_000

type Deps = OnceDeps & { log: Logger }

/**
 * Runs a request at most once per idempotency key, like `runOnce`, but for a request that cannot run in one
 * transaction. Such a request calls a provider, or makes its change in several transactions. The process reserves the
 * key for a minute (the lease), and renews the lease until the request has ended. Then the process stores the response.
 * A concurrent request with the same key is rejected with IDEMPOTENCY_CONFLICT.
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
  const claimId = await claimOrConflict(app.db, key, { requestHash, now, expiresAt })
  if (claimId === undefined)
    return { response: await readResponse<Response>(app, app.db, key, requestHash), isReplayed: true }
  const endLease = renewLease(app, key, claimId)
  try {
    const response = await run()
    await endLease()
    await storeAfterRun(app, key, claimId, response)
    return { response, isReplayed: false }
  } catch (error) {
    await endLease()
    await release(app, key, claimId)
    throw error
  }
}

/**
 * Renews a request's claim on its idempotency key at regular intervals. Returns a function that stops the
 * renewals.
 */
function renewLease(app: Deps, key: RequestKey, claimId: string): () => Promise<void> {
  let renewal = Promise.resolve()
  const renew = async () => {
    await updateClaim(app.db, key, claimId, { expiresAt: after(app.clock(), LEASE_MS) })
  }
  const timer = setInterval(() => {
    renewal = renewal
      .then(renew)
      .catch(error => warn(app, error, 'could not renew the lease of an idempotency key'))
  }, RENEWAL_MS)
  return async () => {
    clearInterval(timer)
    await renewal
  }
}

/**
 * Stores the response after the request has made its change. If the response cannot be stored, the request
 * still succeeds, because the change is already made.
 */
async function storeAfterRun(app: Deps, key: RequestKey, claimId: string, response: unknown): Promise<void> {
  try {
    const responseSealed = await encryptResponse(app, key, response)
    const expiresAt = after(app.clock(), STORED_MS)
    await updateClaim(app.db, key, claimId, { responseSealed, expiresAt })
  } catch (error) {
    warn(app, error, 'could not store the response for an idempotency key')
  }
}

/** Releases the idempotency key after a failed request, so that it can be used again immediately. */
async function release(app: Deps, key: RequestKey, claimId: string): Promise<void> {
  await updateClaim(app.db, key, claimId, { expiresAt: app.clock() }).catch(error =>
    warn(app, error, 'could not release an idempotency key'),
  )
}

const warn = ({ log }: Deps, error: unknown, message: string) => log.warn({ err: error }, message)
