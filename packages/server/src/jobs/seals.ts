// Every ten seconds each worker process seals what was posted, and states what all balances came to where that is due;
// they take turns.

import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { ledgerMetrics } from '../ledger/ledger-metrics.ts'
import { sealLedger } from '../ledger/seal-ledger.ts'
import { stateLedger } from '../ledger/state-ledger.ts'

const PAUSE_MS = 10_000

export function startSeals(app: Pick<App, 'db' | 'clock' | 'log' | 'keyRing'>): { stop(): Promise<void> } {
  const stop = new AbortController()
  const done = () => ledgerMetrics.sealedAt.setToCurrentTime()
  const loop = async () => {
    // Of one that never gets it done, too, it is told since when.
    done()
    while (!stop.signal.aborted) {
      try {
        const isAllSealed = await sealLedger(app)
        await stateLedger(app)
        if (isAllSealed) done()
      } catch (error) {
        app.log.error({ err: error }, 'the ledger could not be sealed; it is tried again')
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
