import type { Secrets } from '../../secrets/secrets.ts'
import type { AdditionalEndpoint } from './additional-endpoint.sql.ts'

/**
 * Returns the encryption context for an endpoint's webhook secret. Decryption requires the same context as
 * encryption. A secret that was copied to another endpoint's row therefore cannot be decrypted there.
 */
export const additionalSecretContext = (endpointId: string): string =>
  `webhook secret of endpoint ${endpointId}`

/**
 * Returns the decrypted secrets that sign webhook deliveries to the endpoint at `now`: the current secret and,
 * until it expires, the previous secret.
 */
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
