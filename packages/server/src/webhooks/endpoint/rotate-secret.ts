import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { after, type Clock } from '../../values/time.ts'
import { newWebhookSecret } from '../delivery/sign.ts'
import { deletePreviousSecrets, lockEndpoint, replaceSecret } from './endpoint.sql.ts'
import { webhookSecretContext } from './endpoint-secrets.ts'
import { ensureEndpoint, readEndpoint, type ShownEndpoint } from './read-endpoint.ts'

/**
 * How long webhook deliveries are signed with both the old and the new secret, to give receivers time to switch
 * to the new one.
 */
const OVERLAP_MS = 24 * 3_600_000
/**
 * The maximum number of previous secrets that still sign webhooks. It is limited because each secret adds 47 characters
 * to a header of every webhook delivery, and receivers limit the size of headers.
 */
const MAX_PREVIOUS = 10

export async function rotateSecret(
  app: { db: Db; secrets: Secrets; clock: Clock },
  actor: Actor & { tenantId: string },
  { revokePrevious }: { revokePrevious: boolean },
): Promise<ShownEndpoint> {
  const { tenantId } = actor
  await ensureEndpoint(app, tenantId)
  const secret = await app.secrets.encrypt(newWebhookSecret(), webhookSecretContext(tenantId))
  await auditedTransaction(app, actor, async tx => {
    await lockEndpoint(tx, tenantId)
    const now = app.clock()
    const [earliest, ...others] = await deletePreviousSecrets(tx, tenantId, revokePrevious ? null : now)
    if (earliest && others.length + 1 >= MAX_PREVIOUS) throw tooManySecrets(earliest)
    const previousUntil = revokePrevious ? null : after(now, OVERLAP_MS)
    await replaceSecret(tx, tenantId, secret, previousUntil)
    return {
      result: undefined,
      action: 'webhook.rotate_secret',
      tenantId,
      subjectId: null,
      before: null,
      after: { previous_secret_expires_at: previousUntil?.toISOString() ?? null },
    }
  })
  return readEndpoint(app, tenantId)
}

const tooManySecrets = (earliest: Date) =>
  fault('too_many_webhook_secrets', { most: MAX_PREVIOUS, until: earliest.toISOString() })
