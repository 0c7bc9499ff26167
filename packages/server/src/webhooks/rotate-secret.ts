import type { App } from '../app.ts'
import { type Actor, act } from '../audit/act.ts'
import { webhookSecretPlace } from './endpoint-secrets.ts'
import { type EndpointShown, ensureEndpoint, readEndpoint } from './read-endpoint.ts'
import { newWebhookSecret } from './sign.ts'
import { replaceSecret } from './webhook.sql.ts'

/** For a receiver to learn the new secret while the old one still verifies. */
const BOTH_SIGN_MS = 24 * 3_600_000

export async function rotateSecret(
  app: Pick<App, 'db' | 'secrets' | 'clock'>,
  actor: Actor & { tenantId: string },
): Promise<EndpointShown> {
  const { tenantId } = actor
  await ensureEndpoint(app, tenantId)
  const secret = await app.secrets.seal(newWebhookSecret(), webhookSecretPlace(tenantId))
  const previousUntil = new Date(app.clock().getTime() + BOTH_SIGN_MS)
  await act(app, actor, async tx => {
    await replaceSecret(tx, tenantId, secret, previousUntil)
    return {
      result: undefined,
      action: 'webhook.rotate_secret',
      tenantId,
      subjectId: null,
      before: null,
      after: { previous_secret_expires_at: previousUntil.toISOString() },
    }
  })
  return readEndpoint(app, tenantId)
}
