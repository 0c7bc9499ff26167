import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { setCallbackUrl } from './endpoint.sql.ts'
import { ensureEndpoint, readEndpoint, type ShownEndpoint } from './read-endpoint.ts'

/**
 * Sets a tenant's callback URL, which the caller must have validated. Null removes the URL, so webhooks are no
 * longer delivered to it.
 */
export async function configureEndpoint(
  app: { db: Db; secrets: Secrets; clock: Clock },
  actor: Actor & { tenantId: string },
  callbackUrl: string | null,
): Promise<ShownEndpoint> {
  const { tenantId } = actor
  await ensureEndpoint(app, tenantId)
  await auditedTransaction(app, actor, async tx => {
    const before = await setCallbackUrl(tx, tenantId, callbackUrl)
    return {
      result: undefined,
      action: 'webhook.set_url',
      tenantId,
      subjectId: null,
      before: { callback_url: before },
      after: { callback_url: callbackUrl },
    }
  })
  return readEndpoint(app, tenantId)
}
