import { setTimeout as pause } from 'node:timers/promises'
import { listPublicKeys } from '../auth/tokens/signing-key.sql.ts'
import type { Db } from '../db/db.ts'
import { storeLedgerDifferences } from '../ledger/ledger-difference.sql.ts'
import type { LedgerDifference } from '../ledger/ledger-difference.ts'
import { findLastStatement } from '../ledger/ledger-statement.sql.ts'
import { type LedgerStatement, verifyLedgerStatement } from '../ledger/ledger-statement.ts'
import type { Logger } from '../logging/log.ts'
import type { Providers } from '../providers/provider.ts'
import { claimVerification, storeVerificationProgress } from './verification.sql.ts'
import { type Verified, verifyLedger } from './verify-ledger.ts'

/**
 * After each page, the verification pauses for four times as long as the page took, because payments have priority
 * on the database.
 */
const REST_PER_WORK = 4
/** The maximum number of differences that are stored. Further differences are only counted. */
const KEPT_AT_MOST = 1_000

/**
 * Runs today's verification of all ledger entries, their seals (hashes), and all payments. Returns undefined if
 * today's verification is done or another process is running it. Throws if the signal aborts the verification or
 * another process takes it over. A later call then restarts the verification from the beginning.
 */
export async function verifyWholeLedger(
  app: { db: Db; log: Logger; providers: Providers },
  signal: AbortSignal,
): Promise<Verified | undefined> {
  const claimed = await claimVerification(app.db)
  if (!claimed) return
  const beat = async (verified: Verified, isOver: boolean) => {
    // Storing the progress fails if another process has restarted the verification. For example, this process may have
    // taken so long for a page that it seemed dead.
    if (!(await storeVerificationProgress(app.db, claimed, verified, isOver)))
      throw new Error(
        'this process stopped the ledger verification, because another process has restarted it',
      )
  }
  const found: LedgerDifference[] = []
  let workedSince = performance.now()
  const verified = await verifyLedger(app, await lastStatement(app.db), {
    onDifference(difference) {
      if (found.length < KEPT_AT_MOST) found.push(difference)
    },
    async onPage(verified) {
      await beat(verified, false)
      await pause((performance.now() - workedSince) * REST_PER_WORK, undefined, { signal })
      workedSince = performance.now()
    },
  })
  await storeLedgerDifferences(app.db, found)
  await beat(verified, true)
  if (verified.differences > 0)
    app.log.error(
      { differences: verified.differences, first: found.slice(0, 10) },
      'ledger verification found differences; run gapura-server verify-ledger to list all',
    )
  return verified
}

async function lastStatement(db: Db): Promise<LedgerStatement[]> {
  const last = await findLastStatement(db)
  return last ? [await verifyLedgerStatement(await listPublicKeys(db), last.statement)] : []
}
