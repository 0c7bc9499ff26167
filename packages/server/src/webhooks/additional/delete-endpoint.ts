import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import type { Clock } from '../../values/time.ts'
import { type AdditionalEndpoint, deleteAdditionalEndpointRow } from './additional-endpoint.sql.ts'
import { viewListedEndpoint } from './additional-endpoint-view.ts'
import { getLockedEndpoint } from './get-endpoint.ts'

/** Deletes an additional webhook endpoint. No further attempts are made for its pending deliveries. */
export async function deleteEndpoint(
  app: { db: Db; clock: Clock },
  actor: Actor & { tenantId: string },
  id: string,
): Promise<AdditionalEndpoint> {
  const { tenantId } = actor
  return auditedTransaction(app, actor, async tx => {
    const endpoint = await getLockedEndpoint(tx, tenantId, id)
    await deleteAdditionalEndpointRow(tx, tenantId, endpoint.id)
    return {
      result: endpoint,
      action: 'webhook_endpoint.delete',
      tenantId,
      subjectId: endpoint.id,
      before: viewListedEndpoint(endpoint, app.clock()),
      after: null,
    }
  })
}
