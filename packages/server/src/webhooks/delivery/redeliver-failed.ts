import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import type { Mode } from '../../values/mode.ts'
import type { Clock } from '../../values/time.ts'
import { findEndpointInBatch } from '../endpoint/endpoint.sql.ts'
import { noCallbackUrl } from '../endpoint/send-test-event.ts'
import type { DeliveryStatus } from '../event.ts'
import { reopenFailedEvents } from './delivery.sql.ts'

export const redeliverableStatuses = [
  'permanently_failed',
  'not_configured',
] as const satisfies DeliveryStatus[]

/**
 * The number of webhook events redelivered per transaction. It is limited so that each transaction holds its locks
 * only briefly.
 */
const BATCH = 1_000

/**
 * Schedules one more attempt for every undelivered webhook event created at or after `since` in the given mode
 * (null means both). Each batch is a separate transaction. After an interruption, a repeated call continues with
 * the remaining events.
 */
export async function redeliverFailed(
  app: { db: Db; clock: Clock },
  actor: Actor & { tenantId: string },
  { since, statuses, mode }: { since: Date; statuses: readonly DeliveryStatus[]; mode: Mode | null },
): Promise<number> {
  const { tenantId } = actor
  if (!(await findEndpointInBatch(app.db, tenantId))?.callbackUrl) throw noCallbackUrl()
  const events = { since, before: app.clock(), statuses, mode }
  let redelivered = 0
  let lastId: string | null = null
  do {
    const batch = await auditedTransaction(app, actor, async tx => {
      const reopened = await reopenFailedEvents(tx, tenantId, events, lastId, BATCH)
      return {
        result: reopened,
        action: 'webhook.redeliver_failed',
        tenantId,
        subjectId: null,
        before: null,
        after: { since: since.toISOString(), statuses, mode: mode ?? 'all', redelivered: reopened.count },
      }
    })
    redelivered += batch.count
    lastId = batch.lastId
  } while (lastId !== null)
  return redelivered
}
