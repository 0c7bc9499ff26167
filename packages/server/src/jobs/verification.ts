// Once a day, one worker process verifies the whole ledger in the background. Later entries are verified when they
// are sealed (ledger/seal-ledger.ts).

import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import type { SendMail } from '../mail/send-mail.ts'
import type { Providers } from '../providers/provider.ts'
import { mailLedgerDifferences } from '../verification/mail-ledger-differences.ts'
import { verifyWholeLedger } from '../verification/verify-whole-ledger.ts'

const PAUSE_MS = 60_000

export function startVerification(app: {
  db: Db
  log: Logger
  providers: Providers
  publicUrl: string
  sendMail: SendMail
}): {
  stop(): Promise<void>
} {
  const stop = new AbortController()
  const loop = async () => {
    while (!stop.signal.aborted) {
      try {
        await verifyWholeLedger(app, stop.signal)
        await mailLedgerDifferences(app)
      } catch (error) {
        if (!stop.signal.aborted)
          app.log.error(
            { err: error },
            'the ledger could not be verified, or the Owner could not be notified; it will be retried',
          )
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
