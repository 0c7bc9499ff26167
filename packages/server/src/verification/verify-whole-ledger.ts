import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { listPublicKeys } from '../auth/signing-key.sql.ts'
import type { Db } from '../db/db.ts'
import { keepDifferences } from '../ledger/difference.sql.ts'
import type { Difference } from '../ledger/difference.ts'
import { findLastStatement } from '../ledger/statement.sql.ts'
import { readStatement, type Statement } from '../ledger/statement.ts'
import { beginVerification, noteVerification } from './verification.sql.ts'
import { type Verified, verifyLedger } from './verify-ledger.ts'

/** Of the time that it takes, it leaves the database alone for four fifths: payments come first. */
const REST_PER_WORK = 4
/** More differences than that are counted, and not kept. */
const KEPT_AT_MOST = 1_000

/**
 * Today's verification of all entries, seals and payments, where it is due and no other process has it. Undefined: there
 * was nothing to do. Throws when the signal aborts it; it then begins anew, in this process or in another.
 */
export async function verifyWholeLedger(
  app: Pick<App, 'db' | 'log' | 'providers'>,
  signal: AbortSignal,
): Promise<Verified | undefined> {
  const day = await beginVerification(app.db)
  if (day === undefined) return
  const found: Difference[] = []
  let workedSince = performance.now()
  const verified = await verifyLedger(app, await lastStatement(app.db), {
    onDifference(difference) {
      if (found.length < KEPT_AT_MOST) found.push(difference)
    },
    async onPage(verified) {
      await noteVerification(app.db, day, verified, false)
      await pause((performance.now() - workedSince) * REST_PER_WORK, undefined, { signal })
      workedSince = performance.now()
    },
  })
  await keepDifferences(app.db, found)
  await noteVerification(app.db, day, verified, true)
  if (verified.differences > 0)
    app.log.error(
      { differences: verified.differences, first: found.slice(0, 10) },
      'the ledger contradicts itself: run gapura-server verify-ledger',
    )
  return verified
}

async function lastStatement(db: Db): Promise<Statement[]> {
  const last = await findLastStatement(db)
  return last ? [await readStatement(await listPublicKeys(db), last.statement)] : []
}
