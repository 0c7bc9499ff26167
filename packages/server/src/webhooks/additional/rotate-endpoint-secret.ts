import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { after, type Clock } from '../../values/time.ts'
import { newWebhookSecret } from '../delivery/sign.ts'
import { type AdditionalEndpoint, replaceAdditionalSecret } from './additional-endpoint.sql.ts'
import { additionalSecretContext } from './additional-endpoint-secrets.ts'
import { getLockedEndpoint } from './get-endpoint.ts'

/** How long webhook deliveries are signed with both the old and the new secret after a rotation. */
const OVERLAP_MS = 24 * 3_600_000

/**
 * Replaces the secret of an additional webhook endpoint. Deliveries are also signed with the old secret for one
 * day, unless `revokePrevious` is true. An endpoint can have only one previous secret, so another rotation within
 * that day must set `revokePrevious`.
 */
export async function rotateEndpointSecret(
  app: { db: Db; secrets: Secrets; clock: Clock },
  actor: Actor & { tenantId: string },
  id: string,
  { revokePrevious }: { revokePrevious: boolean },
): Promise<AdditionalEndpoint> {
  const { tenantId } = actor
  return auditedTransaction(app, actor, async tx => {
    const { id: endpointId, previousSecretExpiresAt: activeUntil } = await getLockedEndpoint(tx, tenantId, id)
    const now = app.clock()
    if (!revokePrevious && activeUntil && activeUntil > now)
      throw fault('previous_secret_active', { until: activeUntil.toISOString() })
    const previousUntil = revokePrevious ? null : after(now, OVERLAP_MS)
    const secretSealed = await app.secrets.encrypt(newWebhookSecret(), additionalSecretContext(endpointId))
    return {
      result: await replaceAdditionalSecret(tx, tenantId, endpointId, { secretSealed, previousUntil }),
      action: 'webhook_endpoint.rotate_secret',
      tenantId,
      subjectId: endpointId,
      before: null,
      after: { previous_secret_expires_at: previousUntil?.toISOString() ?? null },
    }
  })
}
