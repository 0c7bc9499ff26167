import type { App } from '../app.ts'
import { type Actor, act } from '../audit/act.ts'
import { reopenFailedEvents } from './delivery.sql.ts'
import type { DeliveryStatus } from './event.ts'
import { noCallbackUrl } from './send-test-event.ts'
import { findEndpoint } from './webhook.sql.ts'

export const redeliverableStatuses = [
  'permanently_failed',
  'not_configured',
] as const satisfies DeliveryStatus[]

/** Locks of one batch are held for a moment, however many events there are. */
const BATCH = 1_000

/**
 * One more attempt of every event since then that nobody received. Each batch is an act of its own: who
 * breaks off in the middle has done whole batches, and what is left can be asked for again.
 */
export async function redeliverFailed(
  app: Pick<App, 'db' | 'clock'>,
  actor: Actor & { tenantId: string },
  { since, statuses }: { since: Date; statuses: readonly DeliveryStatus[] },
): Promise<number> {
  const { tenantId } = actor
  if (!(await findEndpoint(app.db, tenantId))?.callbackUrl) throw noCallbackUrl()
  const events = { since, before: app.clock(), statuses }
  let redelivered = 0
  let lastId: string | null = null
  do {
    const batch = await act(app, actor, async tx => {
      const reopened = await reopenFailedEvents(tx, tenantId, events, lastId, BATCH)
      return {
        result: reopened,
        action: 'webhook.redeliver_failed',
        tenantId,
        subjectId: null,
        before: null,
        after: { since: since.toISOString(), statuses, redelivered: reopened.count },
      }
    })
    redelivered += batch.count
    lastId = batch.lastId
  } while (lastId !== null)
  return redelivered
}
