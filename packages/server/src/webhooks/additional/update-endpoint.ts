import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import type { Clock } from '../../values/time.ts'
import {
  type AdditionalEndpoint,
  type EndpointChoices,
  updateAdditionalEndpointRow,
} from './additional-endpoint.sql.ts'
import { viewListedEndpoint } from './additional-endpoint-view.ts'
import { throwIfUrlInUse } from './create-endpoint.ts'
import { getLockedEndpoint } from './get-endpoint.ts'

type Changes = { [Name in keyof EndpointChoices]?: EndpointChoices[Name] | undefined }

/**
 * Changes an additional webhook endpoint. The caller must have validated the URL. Pending deliveries use the new URL
 * and retry schedule.
 */
export async function updateEndpoint(
  app: { db: Db; clock: Clock },
  actor: Actor & { tenantId: string },
  id: string,
  { url, description, eventTypes, schedule, enabled }: Changes,
): Promise<AdditionalEndpoint> {
  const { tenantId } = actor
  return auditedTransaction(app, actor, async tx => {
    const before = await getLockedEndpoint(tx, tenantId, id)
    const changed = await updateAdditionalEndpointRow(tx, tenantId, before.id, {
      url: url ?? before.url,
      description: description ?? before.description,
      eventTypes: eventTypes ?? before.eventTypes,
      schedule: schedule ?? before.schedule,
      enabled: enabled ?? before.enabled,
    }).catch(throwIfUrlInUse)
    return {
      result: changed,
      action: 'webhook_endpoint.update',
      tenantId,
      subjectId: changed.id,
      before: viewListedEndpoint(before, app.clock()),
      after: viewListedEndpoint(changed, app.clock()),
    }
  })
}
