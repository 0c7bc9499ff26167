// Each morning, one worker process reconciles the previous day, separately for live and test payments.

import { setTimeout as pause } from 'node:timers/promises'
import { mailReconciliationDifferences } from '../daily-reconciliation/mail-differences.ts'
import { type ReconciliationDeps, reconcileDueDay } from '../daily-reconciliation/reconcile-due-day.ts'
import type { SendMail } from '../mail/send-mail.ts'
import type { InquiryLimits } from '../provider-accounts/inquiry-limits.ts'

const PAUSE_MS = 60_000

export function startReconciliation(
  app: ReconciliationDeps & { publicUrl: string; sendMail: SendMail },
  limits: InquiryLimits,
): { stop(): Promise<void> } {
  const stop = new AbortController()
  const loop = async () => {
    while (!stop.signal.aborted) {
      try {
        while (await reconcileDueDay(app, limits, stop.signal));
        await mailReconciliationDifferences(app)
      } catch (error) {
        if (!stop.signal.aborted)
          app.log.error(
            { err: error },
            'a day could not be reconciled, or the Owner could not be notified; it will be retried',
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
