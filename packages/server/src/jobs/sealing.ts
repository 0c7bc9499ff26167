// Every ten seconds, each worker process tries to seal the new ledger entries. A seal is a hash that covers the new
// entries and the previous seal. When a ledger statement is due, the process also signs a hash over the last seals of
// all balances. Only one process seals at a time.

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
  // The metric for the last successful sealing (hashing) of the ledger starts with the time of the process's startup.
  // If sealing never succeeds, the metric therefore shows how long the process has been trying.
  ledgerMetrics.sealedAt.setToCurrentTime()
  const position: SealingPosition = { after: undefined }
  return runPeriodically(
    PAUSE_MS,
    async stop => {
      const sealing = await sealLedger(app, stop, position)
      const { type: signing } = await issueStatementIfDue(app)
      // The metric shows when sealing and signing last succeeded. While another process holds the sealing lock, only
      // that process knows whether they succeed, so this process does not update the metric.
      if (sealing === 'complete' && signing !== 'locked') ledgerMetrics.sealedAt.setToCurrentTime()
    },
    error => app.log.error({ err: error }, 'could not seal the ledger; will retry'),
  )
}
