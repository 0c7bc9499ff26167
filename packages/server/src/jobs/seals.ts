// Every ten seconds, each worker process seals new ledger entries (signs a hash of them). When it is due, the process
// also signs a statement of all balances. Only one process at a time does this.

import { setTimeout as pause } from 'node:timers/promises'
import type { KeyRing } from '../auth/tokens/token.ts'
import type { Db } from '../db/db.ts'
import { issueLedgerStatement } from '../ledger/issue-statement.ts'
import { ledgerMetrics } from '../ledger/ledger-metrics.ts'
import { sealLedger } from '../ledger/seal-ledger.ts'
import type { Logger } from '../logging/log.ts'
import type { Clock } from '../values/time.ts'

const PAUSE_MS = 10_000

export function startSeals(app: { db: Db; clock: Clock; log: Logger; keyRing: () => Promise<KeyRing> }): {
  stop(): Promise<void>
} {
  const stop = new AbortController()
  const done = () => ledgerMetrics.sealedAt.setToCurrentTime()
  const loop = async () => {
    // The time of the last success starts at startup, so that a process that never succeeds reports how long it has
    // been trying.
    done()
    while (!stop.signal.aborted) {
      try {
        const isAllSealed = await sealLedger(app)
        await issueLedgerStatement(app)
        if (isAllSealed) done()
      } catch (error) {
        app.log.error({ err: error }, 'the ledger could not be sealed; it will be retried')
      }
      await pause(PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const ended = loop()
  return {
    async stop() {
      stop.abort()
      await ended
    },
  }
}
