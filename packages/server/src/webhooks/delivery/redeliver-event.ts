import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import { isId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { findEndpointInBatch } from '../endpoint/endpoint.sql.ts'
import { noCallbackUrl } from '../endpoint/send-test-event.ts'
import { type Delivery, findDelivery, reopenEvent } from './delivery.sql.ts'

export const eventNotFound = (id: string) => fault('webhook_event_not_found', { id })

/**
 * Schedules one more attempt to deliver a webhook event to the callback URL. The event must be finished (delivered
 * or permanently failed).
 */
export async function redeliverEvent(
  app: { db: Db; clock: Clock },
  actor: Actor & { tenantId: string },
  eventId: string,
): Promise<Delivery> {
  const { tenantId } = actor
  // This query reads no attempts, because the next statements need only the event's status.
  const before = isId(eventId) ? await findDelivery(app.db, tenantId, eventId, 0) : undefined
  if (!before) throw eventNotFound(eventId)
  return auditedTransaction(app, actor, async tx => {
    const reopened = await reopenEvent(tx, tenantId, eventId, app.clock())
    // The event was not reopened because it is still pending, or because the tenant has no callback URL. The endpoint
    // is read to find out which, because the status in `before` may be outdated.
    if (!reopened && !(await findEndpointInBatch(tx, tenantId))?.callbackUrl) throw noCallbackUrl()
    if (!reopened) throw fault('event_being_delivered', { id: eventId })
    const delivery = (await findDelivery(tx, tenantId, eventId)) as Delivery
    return {
      result: delivery,
      action: 'webhook.redeliver',
      tenantId,
      subjectId: eventId,
      before: { status: before.status },
      after: { status: delivery.status },
    }
  })
}
