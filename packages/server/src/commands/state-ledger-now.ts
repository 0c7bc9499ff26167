import { setTimeout as pause } from 'node:timers/promises'
import { keyRingLoader } from '../auth/tokens/key-ring.ts'
import type { Db } from '../db/db.ts'
import { issueLedgerStatement } from '../ledger/issue-statement.ts'
import { sealLedger } from '../ledger/seal-ledger.ts'
import { createLog } from '../logging/log.ts'
import type { Secrets } from '../secrets/secrets.ts'

/**
 * The maximum number of attempts to acquire the lock for sealing the ledger (storing hashes of its entries).
 * Several attempts may be necessary, because a worker process holds this lock while it seals the ledger.
 */
const TRIES = 100
const PAUSE_MS = 100

/**
 * Signs a statement about the whole ledger immediately, for example at the end of a month, instead of waiting for
 * the next scheduled statement.
 */
export async function stateLedgerNow({
  db,
  secrets,
  publicUrl,
}: {
  db: Db
  secrets: Secrets
  publicUrl: string
}): Promise<string> {
  const clock = () => new Date()
  const keyRing = keyRingLoader(db, secrets, clock, publicUrl)
  const app = { db, clock, keyRing, log: createLog('silent') }
  for (let tries = 0; tries < TRIES; tries++) {
    await sealLedger(app)
    const statement = await issueLedgerStatement(app, 0)
    if (statement !== undefined) return statement
    await pause(PAUSE_MS)
  }
  throw new Error('a worker process is sealing the ledger; try again')
}
