import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { findEndpointInBatch } from './endpoint.sql.ts'
import { decryptWebhookSecrets, type EndpointSecrets } from './endpoint-secrets.ts'

/** A tenant's callback URL, and the decrypted secrets that sign webhook deliveries. */
export type LoadedEndpoint = EndpointSecrets & { callbackUrl: string | null }
export type LoadEndpoint = (tenantId: string) => Promise<LoadedEndpoint | undefined>

export function endpointLoader(db: Db, secrets: Secrets): LoadEndpoint {
  return async tenantId => {
    const endpoint = await findEndpointInBatch(db, tenantId)
    if (!endpoint) return undefined
    return {
      callbackUrl: endpoint.callbackUrl,
      ...(await decryptWebhookSecrets(secrets, tenantId, endpoint)),
    }
  }
}
