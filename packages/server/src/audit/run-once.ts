import { codeOf, LOCK_TIMEOUT } from '../db/database-errors.ts'
import type { Db } from '../db/db.ts'
import { inOuterTransaction } from '../db/outer-transaction.ts'
import { fault } from '../faults/fault.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { after, type Clock } from '../values/time.ts'
import {
  type Claim,
  claimRequest,
  findRequest,
  type RequestKey,
  updateClaim,
} from './management-request.sql.ts'

/** How long a response is stored. */
export const STORED_MS = 24 * 3_600_000

export type OnceDeps = { db: Db; clock: Clock; secrets: Secrets }

/** `isReplayed` is true if the response is the stored response of an earlier request. */
export type OnceResult<Response> = { response: Response; isReplayed: boolean }

/**
 * Runs a management request at most once per idempotency key. If a request with the same key succeeded in the
 * last 24 hours, returns its stored response. If a request fails, nothing is stored. A concurrent request
 * with the same key waits for the first one, up to the lock timeout.
 *
 * The function `run` must make its changes in the transaction that it receives, so that they commit together with the
 * idempotency key and the response.
 */
export async function runOnce<Response>(
  app: OnceDeps,
  key: RequestKey,
  request: string,
  run: (db: Db) => Promise<Response>,
): Promise<OnceResult<Response>> {
  const requestHash = hashRequest(app, request)
  const now = app.clock()
  return app.db.transaction(async tx => {
    const claim = { requestHash, now, expiresAt: after(now, STORED_MS) }
    const claimId = await claimOrConflict(tx, key, claim)
    if (claimId !== undefined) {
      const response = await inOuterTransaction(tx, () => run(tx))
      const responseSealed = await encryptResponse(app, key, response)
      await updateClaim(tx, key, claimId, { responseSealed, expiresAt: claim.expiresAt })
      return { response, isReplayed: false }
    }
    return { response: await readResponse<Response>(app, tx, key, requestHash), isReplayed: true }
  })
}

/**
 * Returns the hash by which a repeated request is recognized. The hash uses a secret key, because the request can
 * contain a password. Without the key, an attacker with the hash could test password guesses.
 */
export const hashRequest = ({ secrets }: Pick<OnceDeps, 'secrets'>, request: string): Buffer =>
  secrets.hash(request)

/**
 * Claims an idempotency key for a request. Returns the claim's ID, or undefined if an earlier request has
 * the key. Throws IDEMPOTENCY_CONFLICT if a concurrent transaction holds the key for longer than the lock timeout.
 */
export async function claimOrConflict(db: Db, key: RequestKey, claim: Claim): Promise<string | undefined> {
  return claimRequest(db, key, claim).catch(error => {
    if (codeOf(error) !== LOCK_TIMEOUT) throw error
    throw inProgress(error)
  })
}

/**
 * Returns the stored response to the first request with this idempotency key. Throws IDEMPOTENCY_CONFLICT if no
 * response is stored yet.
 */
export async function readResponse<Response>(
  app: OnceDeps,
  db: Db,
  key: RequestKey,
  requestHash: Buffer,
): Promise<Response> {
  const stored = await findRequest(db, key)
  if (stored && !stored.requestHash.equals(requestHash)) throw fault('idempotency_key_reused')
  if (!stored?.responseSealed) throw inProgress()
  return JSON.parse(await app.secrets.decrypt(stored.responseSealed, contextOf(key)))
}

export const encryptResponse = (app: OnceDeps, key: RequestKey, response: unknown): Promise<string> =>
  app.secrets.encrypt(JSON.stringify(response), contextOf(key))

const contextOf = ({ tenantId, userId, key }: RequestKey) => `management request ${tenantId} ${userId} ${key}`

const inProgress = (cause?: unknown) =>
  fault('idempotency_key_in_progress', {}, { retryAfterSeconds: 1, cause })
