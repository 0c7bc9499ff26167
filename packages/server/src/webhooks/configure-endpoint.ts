import type { App } from '../app.ts'
import { webhookSecretPlace } from './deliver-webhook.ts'
import { newWebhookSecret } from './sign.ts'
import { type Endpoint, findEndpoint, insertEndpoint, setCallbackUrl } from './webhook.sql.ts'

type Deps = Pick<App, 'db' | 'secrets'>

export type EndpointShown = {
  callback_url: string | null
  secret: string
  previous_secret_expires_at: string | null
}

/** The tenant's endpoint; the first look at it makes its secret. */
export async function readEndpoint(app: Deps, tenantId: string): Promise<EndpointShown> {
  const endpoint = (await findEndpoint(app.db, tenantId)) ?? (await makeEndpoint(app, tenantId))
  return {
    callback_url: endpoint.callbackUrl,
    secret: await app.secrets.open(endpoint.secretSealed, webhookSecretPlace(tenantId)),
    previous_secret_expires_at: endpoint.previousSecretExpiresAt?.toISOString() ?? null,
  }
}

/** callbackUrl: checked by the caller; null stops delivery. */
export async function configureEndpoint(
  app: Deps,
  tenantId: string,
  callbackUrl: string | null,
): Promise<EndpointShown> {
  if (!(await findEndpoint(app.db, tenantId))) await makeEndpoint(app, tenantId)
  await setCallbackUrl(app.db, tenantId, callbackUrl)
  return readEndpoint(app, tenantId)
}

/** Of several that make one at the same time the first counts. */
async function makeEndpoint(app: Deps, tenantId: string): Promise<Endpoint> {
  await insertEndpoint(
    app.db,
    tenantId,
    await app.secrets.seal(newWebhookSecret(), webhookSecretPlace(tenantId)),
  )
  const endpoint = await findEndpoint(app.db, tenantId)
  if (!endpoint) throw new Error(`the webhook endpoint of ${tenantId} is gone`)
  return endpoint
}
