import { codeOf, LOCK_TIMEOUT } from '../db/database-errors.ts'
import type { Db } from '../db/db.ts'
import { inOuterTransaction } from '../db/outer-transaction.ts'
import { fault } from '../faults/fault.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { after, type Clock } from '../values/time.ts'
import { claimRequest, getRequest, type RequestKey, storeResponse } from './management-request.sql.ts'

const STORED_MS = 24 * 3_600_000

type Deps = { db: Db; clock: Clock; secrets: Secrets }

/**
 * Runs a management request at most once per idempotency key. If a request with the same key succeeded in the
 * last 24 hours, returns its stored response. If a request fails, nothing is stored. A concurrent request
 * with the same key waits for the first one, up to the lock timeout.
 *
 * `run` must make its changes in the given transaction, so that they commit together with the key and the
 * response.
 */
export async function runOnce<Response>(
  app: Deps,
  key: RequestKey,
  request: string,
  run: (db: Db) => Promise<Response>,
): Promise<{ response: Response; isReplayed: boolean }> {
  // The request can contain a password, so the hash uses a secret key. Otherwise, an attacker with the hash could
  // test password guesses.
  const requestHash = app.secrets.hash(request)
  const context = `management request ${key.tenantId} ${key.userId} ${key.key}`
  const now = app.clock()
  return app.db.transaction(async tx => {
    const claim = { requestHash, now, expiresAt: after(now, STORED_MS) }
    const isFirst = await claimRequest(tx, key, claim).catch(error => {
      if (codeOf(error) !== LOCK_TIMEOUT) throw error
      throw fault('idempotency_key_in_progress', {}, { retryAfterSeconds: 1, cause: error })
    })
    if (isFirst) {
      const response = await inOuterTransaction(tx, () => run(tx))
      await storeResponse(tx, key, await app.secrets.encrypt(JSON.stringify(response), context))
      return { response, isReplayed: false }
    }
    const stored = await getRequest(tx, key)
    if (!stored.requestHash.equals(requestHash)) throw fault('idempotency_key_reused')
    const response = JSON.parse(await app.secrets.decrypt(stored.responseSealed, context))
    return { response, isReplayed: true }
  })
}
