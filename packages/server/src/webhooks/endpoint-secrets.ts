import type { Secrets } from '../secrets.ts'
import type { Endpoint } from './webhook.sql.ts'

/** The same tenant's secret opens nowhere else. */
export const webhookSecretPlace = (tenantId: string): string => `webhook secret of ${tenantId}`

/** The secrets that sign now: the newest first, and while it lasts the one before it. */
export async function openSecrets(
  secrets: Secrets,
  tenantId: string,
  endpoint: Pick<Endpoint, 'secretSealed' | 'previousSecretSealed' | 'previousSecretExpiresAt'>,
  now: Date,
): Promise<string[]> {
  const place = webhookSecretPlace(tenantId)
  const current = await secrets.open(endpoint.secretSealed, place)
  const { previousSecretSealed: previous, previousSecretExpiresAt: until } = endpoint
  return previous !== null && until !== null && until > now
    ? [current, await secrets.open(previous, place)]
    : [current]
}
