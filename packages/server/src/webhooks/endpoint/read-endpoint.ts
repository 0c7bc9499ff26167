import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { newWebhookSecret } from '../delivery/sign.ts'
import { type Endpoint, findEndpointInBatch, insertEndpoint } from '../webhook.sql.ts'
import { webhookSecretPlace } from './endpoint-secrets.ts'

type Deps = { db: Db; secrets: Secrets; clock: Clock }

export type EndpointShown = {
  callback_url: string | null
  secret: string
  previous_secret_expires_at: string | null
}

export async function readEndpoint(app: Deps, tenantId: string): Promise<EndpointShown> {
  const endpoint = await ensureEndpoint(app, tenantId)
  const now = app.clock()
  const until = endpoint.previousSecrets.map(each => each.expiresAt).filter(expiresAt => expiresAt > now)
  return {
    callback_url: endpoint.callbackUrl,
    secret: await app.secrets.decrypt(endpoint.secretSealed, webhookSecretPlace(tenantId)),
    previous_secret_expires_at:
      until.length > 0 ? new Date(Math.max(...until.map(Number))).toISOString() : null,
  }
}

/**
 * Returns a tenant's endpoint. At its first use the endpoint is created with its secret; of several concurrent calls,
 * only one creates it.
 */
export async function ensureEndpoint(app: { db: Db; secrets: Secrets }, tenantId: string): Promise<Endpoint> {
  const known = await findEndpointInBatch(app.db, tenantId)
  if (known) return known
  const secret = await app.secrets.encrypt(newWebhookSecret(), webhookSecretPlace(tenantId))
  await insertEndpoint(app.db, tenantId, secret)
  const endpoint = await findEndpointInBatch(app.db, tenantId)
  if (!endpoint) throw new Error(`the webhook endpoint of ${tenantId} is gone`)
  return endpoint
}
