import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { newWebhookSecret } from '../delivery/sign.ts'
import { type Endpoint, findEndpointInBatch, insertEndpoint } from './endpoint.sql.ts'
import { webhookSecretContext } from './endpoint-secrets.ts'

type Deps = { db: Db; secrets: Secrets; clock: Clock }

export type ShownEndpoint = {
  callback_url: string | null
  secret: string
  previous_secret_expires_at: string | null
}

export async function readEndpoint(app: Deps, tenantId: string): Promise<ShownEndpoint> {
  const endpoint = await ensureEndpoint(app, tenantId)
  const now = app.clock()
  const activeUntil = endpoint.previousSecrets
    .map(each => each.expiresAt)
    .filter(expiresAt => expiresAt > now)
  return {
    callback_url: endpoint.callbackUrl,
    secret: await app.secrets.decrypt(endpoint.secretSealed, webhookSecretContext(tenantId)),
    previous_secret_expires_at:
      activeUntil.length > 0 ? new Date(Math.max(...activeUntil.map(Number))).toISOString() : null,
  }
}

/**
 * Returns a tenant's webhook endpoint (its callback URL and secret). If the tenant has no endpoint yet,
 * creates one with a new secret. Concurrent first calls create only one endpoint.
 */
export async function ensureEndpoint(app: { db: Db; secrets: Secrets }, tenantId: string): Promise<Endpoint> {
  const existing = await findEndpointInBatch(app.db, tenantId)
  if (existing) return existing
  const secret = await app.secrets.encrypt(newWebhookSecret(), webhookSecretContext(tenantId))
  await insertEndpoint(app.db, tenantId, secret)
  const endpoint = await findEndpointInBatch(app.db, tenantId)
  if (!endpoint) throw new Error(`the webhook endpoint of tenant ${tenantId} no longer exists`)
  return endpoint
}
