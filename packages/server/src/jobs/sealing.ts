// Every ten seconds, each worker process seals new ledger entries with a hash that also covers the previous seal. If
// a new ledger statement (a hash over the last seals of all balances) is due, the process signs it, too. Only one
// process seals and signs at a time.

import type { KeyRing } from '../auth/tokens/token.ts'
import type { Db } from '../db/db.ts'
import { issueStatementIfDue } from '../ledger/issue-statement.ts'
import { ledgerMetrics } from '../ledger/ledger-metrics.ts'
import { type SealingPosition, sealLedger } from '../ledger/seal-ledger.ts'
import type { Logger } from '../logging/log.ts'
import type { Clock } from '../values/time.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 10_000

export function startSealing(app: {
  db: Db
  clock: Clock
  log: Logger
  keyRing: () => Promise<KeyRing>
}): Periodic {
  // The metric for the last successful sealing is initialized with the startup time. If sealing never succeeds, the
  // metric therefore shows how long the process has been trying.
  ledgerMetrics.sealedAt.setToCurrentTime()
  const position: SealingPosition = { after: undefined }
  return runPeriodically(
    PAUSE_MS,
    async stop => {
      const isAllSealed = await sealLedger(app, stop, position)
      const { type: outcome } = await issueStatementIfDue(app)
      // While another process holds the lock, only that process knows whether sealing and signing succeed. If it fails
      // each time, for example because seals were rewritten, this metric must not hide the failure.
      if (isAllSealed && outcome !== 'locked') ledgerMetrics.sealedAt.setToCurrentTime()
    },
    error => app.log.error({ err: error }, 'could not seal the ledger; will retry'),
  )
}
