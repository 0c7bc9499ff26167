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

/** Renews the claim at regular intervals. The returned function stops the renewals. */
function renewLease(app: Deps, key: RequestKey, claimId: string): () => Promise<void> {
  let renewal = Promise.resolve()
  const renew = async () => {
    await updateClaim(app.db, key, claimId, { expiresAt: after(app.clock(), LEASE_MS) })
  }
  const timer = setInterval(() => {
    renewal = renewal.then(renew).catch(error => warn(app, error, 'could not renew an idempotency key'))
  }, RENEWAL_MS)
  return async () => {
    clearInterval(timer)
    await renewal
  }
}

/** If the response cannot be stored, the request still succeeds, because its change has been made. */
async function storeAfterRun(app: Deps, key: RequestKey, claimId: string, response: unknown): Promise<void> {
  try {
    const responseSealed = await encryptResponse(app, key, response)
    const expiresAt = after(app.clock(), STORED_MS)
    await updateClaim(app.db, key, claimId, { responseSealed, expiresAt })
  } catch (error) {
    warn(app, error, 'could not store the response for an idempotency key')
  }
}

/** Lets the key be used again at once after a failed request. */
async function release(app: Deps, key: RequestKey, claimId: string): Promise<void> {
  await updateClaim(app.db, key, claimId, { expiresAt: app.clock() }).catch(error =>
    warn(app, error, 'could not release an idempotency key'),
  )
}

const warn = ({ log }: Deps, error: unknown, message: string) => log.warn({ err: error }, message)
