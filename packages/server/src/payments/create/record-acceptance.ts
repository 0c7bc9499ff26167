// Records that the provider accepted a charge. Some providers return the payment instructions only once, so this write
// is retried while the database is unavailable.

import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseUnavailable, isStatementAborted } from '../../db/database-errors.ts'
import { after, type Clock } from '../../values/time.ts'
import type { Payment } from '../payment.ts'
import type { EventToRecord, Recorded, RecordInBatch } from '../record/event-batch.ts'
import { CHARGE_ENDS_AFTER_MS } from './idempotency.ts'

/** How long to wait before a retry. The delay starts at `first` and doubles each time, up to `longest`. */
const RETRY_STEPS_MS = { first: 100, longest: 1_000 }

/**
 * Records that the provider accepted the charge. If the database is unavailable, retries until the charge counts as
 * ended, because status inquiries then find its outcome instead. Recording an acceptance twice is harmless.
 */
export async function recordAcceptance(
  app: { recordInBatch: RecordInBatch; clock: Clock },
  payment: Payment,
  accepted: EventToRecord,
): Promise<Recorded> {
  const endsAt = after(payment.updatedAt, CHARGE_ENDS_AFTER_MS)
  // The remaining time for retries has an upper limit and is measured with a monotonic clock. Otherwise, if the wall
  // clock were set back, the retries could delay a shutdown.
  const remainingMs = Math.min(endsAt.getTime() - app.clock().getTime(), CHARGE_ENDS_AFTER_MS)
  const retryUntilMs = performance.now() + remainingMs
  for (let delayMs = RETRY_STEPS_MS.first; ; delayMs = Math.min(2 * delayMs, RETRY_STEPS_MS.longest)) {
    try {
      return await app.recordInBatch(accepted)
    } catch (error) {
      const mayRetry = isDatabaseUnavailable(error) || isStatementAborted(error)
      if (!mayRetry || performance.now() + delayMs > retryUntilMs) throw error
      await pause(delayMs)
    }
  }
}
