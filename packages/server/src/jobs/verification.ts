// Once a day, one worker process verifies the whole ledger in the background. Entries that are posted later are
// verified when they are sealed (hashed; see ledger/seal-ledger.ts).

import type { Logger } from '../logging/log.ts'
import type { Mailer } from '../mail/email-users.ts'
import type { Providers } from '../providers/provider.ts'
import { mailLedgerDifferences } from '../verification/mail-ledger-differences.ts'
import { verifyWholeLedger } from '../verification/verify-whole-ledger.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 60_000

export const startVerification = (
  app: Mailer & { log: Logger; providers: Providers; publicUrl: string },
): Periodic =>
  runPeriodically(
    PAUSE_MS,
    async stop => {
      await verifyWholeLedger(app, stop)
      await mailLedgerDifferences(app)
    },
    error => app.log.error({ err: error }, 'could not verify the ledger or notify the Owner; will retry'),
  )
