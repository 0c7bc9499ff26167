// Each morning, one worker process compares the previous day's payments with the providers' records, separately for
// live and test payments.

import { mailReconciliationDifferences } from '../daily-reconciliation/mail-differences.ts'
import { type ReconciliationDeps, reconcileDueDay } from '../daily-reconciliation/reconcile-due-day.ts'
import type { SendMail } from '../mail/send-mail.ts'
import type { InquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 60_000

export const startReconciliation = (
  app: ReconciliationDeps & { publicUrl: string; sendMail: SendMail },
  limits: InquiryLimits,
): Periodic =>
  runPeriodically(
    PAUSE_MS,
    async stop => {
      while (await reconcileDueDay(app, limits, stop));
      await mailReconciliationDifferences(app)
    },
    error => app.log.error({ err: error }, 'could not reconcile a day or notify the Owner; will retry'),
  )
