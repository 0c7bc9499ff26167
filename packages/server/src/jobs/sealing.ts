// Every ten seconds, each worker process seals new ledger entries (signs a hash of them). The process also signs a
// statement of all balances whenever a statement is due. Only one process at a time seals and signs.

import type { KeyRing } from '../auth/tokens/token.ts'
import type { Db } from '../db/db.ts'
import { issueLedgerStatement } from '../ledger/issue-statement.ts'
import { ledgerMetrics } from '../ledger/ledger-metrics.ts'
import { sealLedger } from '../ledger/seal-ledger.ts'
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
  // Initially, the time of the last success is the startup time. If sealing never succeeds, the process thus reports
  // for how long it has been trying.
  ledgerMetrics.sealedAt.setToCurrentTime()
  return runPeriodically(
    PAUSE_MS,
    async () => {
      const isAllSealed = await sealLedger(app)
      await issueLedgerStatement(app)
      if (isAllSealed) ledgerMetrics.sealedAt.setToCurrentTime()
    },
    error => app.log.error({ err: error }, 'the ledger could not be sealed; it will be retried'),
  )
}
