// Every ten seconds each worker process seals what was posted, and states what all balances came to where that is due;
// they take turns.

import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { sealLedger } from '../ledger/seal-ledger.ts'
import { stateLedger } from '../ledger/state-ledger.ts'

const PAUSE_MS = 10_000

export function startSeals(app: Pick<App, 'db' | 'clock' | 'log' | 'keyRing'>): { stop(): Promise<void> } {
  const stop = new AbortController()
  const loop = async () => {
    while (!stop.signal.aborted) {
      try {
        await sealLedger(app)
        await stateLedger(app)
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
