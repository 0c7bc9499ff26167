import type { Secrets } from '../../secrets/secrets.ts'
import type { AdditionalEndpoint } from './additional-endpoint.sql.ts'

/**
 * Returns the encryption context of an endpoint's secret. Because of this context, the secret cannot be decrypted for
 * another endpoint.
 */
export const additionalSecretContext = (endpointId: string): string =>
  `webhook secret of endpoint ${endpointId}`

/** Decrypts the secrets that sign deliveries to the endpoint at `now`, newest first. */
export async function additionalSigningSecrets(
  secrets: Secrets,
  {
    id,
    secretSealed,
    previousSecretSealed,
    previousSecretExpiresAt,
  }: Pick<AdditionalEndpoint, 'id' | 'secretSealed' | 'previousSecretSealed' | 'previousSecretExpiresAt'>,
  now: Date,
): Promise<string[]> {
  const isPreviousActive = previousSecretExpiresAt !== null && previousSecretExpiresAt > now
  const active = [secretSealed, ...(isPreviousActive && previousSecretSealed ? [previousSecretSealed] : [])]
  return Promise.all(active.map(sealed => secrets.decrypt(sealed, additionalSecretContext(id))))
}
