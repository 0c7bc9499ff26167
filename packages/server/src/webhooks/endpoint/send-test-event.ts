import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Clock } from '../../values/time.ts'
import { type Delivery, findDelivery } from '../delivery/delivery.sql.ts'
import { insertEvents } from '../event.sql.ts'
import { testEvent } from '../event.ts'
import { findEndpointInBatch } from './endpoint.sql.ts'

export const noCallbackUrl = () => fault('callback_url_missing')

/**
 * Sends a webhook test event. It is delivered like any other event, so a successful test shows that real events
 * will arrive.
 */
export async function sendTestEvent(
  app: { db: Db; clock: Clock },
  actor: Actor & { tenantId: string },
): Promise<Delivery> {
  const { tenantId } = actor
  return auditedTransaction(app, actor, async tx => {
    const endpoint = await findEndpointInBatch(tx, tenantId)
    if (!endpoint?.callbackUrl) throw noCallbackUrl()
    const event = testEvent(tenantId, app.clock())
    await insertEvents(tx, [event])
    return {
      result: (await findDelivery(tx, tenantId, event.id)) as Delivery,
      action: 'webhook.test',
      tenantId,
      subjectId: event.id,
      before: null,
      after: { callback_url: endpoint.callbackUrl },
    }
  })
}
