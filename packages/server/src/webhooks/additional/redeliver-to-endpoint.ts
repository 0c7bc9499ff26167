import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import { isId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { ATTEMPTS_LISTED, ATTEMPTS_PER_DELIVERY, type SentDelivery } from '../delivery/delivery.sql.ts'
import { eventNotFound } from '../delivery/redeliver-event.ts'
import { findEndpointDelivery, reopenEndpointDelivery } from './endpoint-delivery.sql.ts'
import { getAdditionalEndpoint } from './get-endpoint.ts'

/**
 * Returns the delivery of a webhook event to an endpoint, with up to `latestAttempts` of its newest attempts. Throws
 * NOT_FOUND if the endpoint or the delivery does not exist.
 */
export async function getEndpointDelivery(
  app: { db: Db },
  tenantId: string,
  endpointId: string,
  eventId: string,
  latestAttempts = ATTEMPTS_PER_DELIVERY,
): Promise<SentDelivery> {
  const { id } = await getAdditionalEndpoint(app, tenantId, endpointId)
  const delivery = isId(eventId)
    ? await findEndpointDelivery(app.db, { tenantId, endpointId: id }, eventId, latestAttempts)
    : undefined
  if (!delivery) throw eventNotFound(eventId)
  return delivery
}

/**
 * Makes a webhook delivery to an additional endpoint due now. This is allowed if the delivery has ended (delivered or
 * permanently failed), or if its next retry is more than about half a minute away.
 */
export async function redeliverToEndpoint(
  app: { db: Db; clock: Clock },
  actor: Actor & { tenantId: string },
  endpointId: string,
  eventId: string,
): Promise<SentDelivery> {
  const { tenantId } = actor
  // This query reads no attempts, because the next statements need only the delivery's ID and status.
  const before = await getEndpointDelivery(app, tenantId, endpointId, eventId, 0)
  return auditedTransaction(app, actor, async tx => {
    const reopened = await reopenEndpointDelivery(tx, { tenantId, endpointId }, before.id, app.clock())
    if (!reopened) {
      const { enabled } = await getAdditionalEndpoint({ db: tx }, tenantId, endpointId)
      throw enabled
        ? fault('event_being_delivered', { id: eventId })
        : fault('webhook_endpoint_disabled', { id: endpointId })
    }
    const delivery = await getEndpointDelivery({ db: tx }, tenantId, endpointId, eventId, ATTEMPTS_LISTED)
    return {
      result: delivery,
      action: 'webhook_endpoint.redeliver',
      tenantId,
      subjectId: before.id,
      before: { endpoint_id: endpointId, status: before.status },
      after: { endpoint_id: endpointId, status: delivery.status },
    }
  })
}
