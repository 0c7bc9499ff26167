import { setTimeout as pause } from 'node:timers/promises'
import { keyRingLoader } from '../auth/tokens/key-ring.ts'
import type { Db } from '../db/db.ts'
import { issueLedgerStatement } from '../ledger/issue-statement.ts'
import { sealLedger } from '../ledger/seal-ledger.ts'
import { createLog } from '../logging/log.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { CommandError } from './command-error.ts'

/**
 * The maximum number of attempts to seal the ledger (store hashes of its entries). Several attempts may be necessary,
 * because a worker process holds a lock while it seals, and because one attempt seals a limited number of entries.
 */
const TRIES = 600
const PAUSE_MS = 100

/**
 * Seals all entries posted so far and signs a statement about the whole ledger immediately, for example at the end of a
 * month. Throws if entries are left without a seal, because the statement would not cover them.
 */
export async function stateLedgerNow(
  { db, secrets, publicUrl }: { db: Db; secrets: Secrets; publicUrl: string },
  tries = TRIES,
): Promise<string> {
  const clock = () => new Date()
  const keyRing = keyRingLoader(db, secrets, clock, publicUrl)
  const app = { db, clock, keyRing, log: createLog('silent') }
  for (let count = 0; count < tries; count++) {
    const sealing = await sealLedger(app)
    if (sealing === 'unsealable')
      throw new CommandError(
        'the ledger was not fully sealed, because entries are missing; no statement was signed; run: gapura-server verify-ledger',
      )
    const statement = sealing === 'complete' ? await issueLedgerStatement(app, 0) : undefined
    if (statement !== undefined) return statement
    await pause(PAUSE_MS)
  }
  throw new CommandError(
    'the ledger was not fully sealed, because a worker process is sealing it or too many entries are new; no statement was signed; try again',
  )
}
