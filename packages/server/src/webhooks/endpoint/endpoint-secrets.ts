import type { Secrets } from '../../secrets/secrets.ts'
import type { Endpoint } from './endpoint.sql.ts'

/**
 * Returns the encryption context for a tenant's webhook secret. Decryption requires the same context, so a secret
 * copied to another tenant's row cannot be decrypted.
 */
export const webhookSecretContext = (tenantId: string): string => `webhook secret of ${tenantId}`

export type EndpointSecrets = {
  secret: string
  /**
   * The secrets that rotations replaced, latest expiry first. Until a replaced secret expires, deliveries are
   * also signed with it.
   */
  previous: { secret: string; expiresAt: Date }[]
}

export async function decryptWebhookSecrets(
  secrets: Secrets,
  tenantId: string,
  { secretSealed, previousSecrets }: Pick<Endpoint, 'secretSealed' | 'previousSecrets'>,
): Promise<EndpointSecrets> {
  const decrypt = (sealed: string) => secrets.decrypt(sealed, webhookSecretContext(tenantId))
  return {
    secret: await decrypt(secretSealed),
    previous: await Promise.all(
      previousSecrets.map(async ({ sealed, expiresAt }) => ({ secret: await decrypt(sealed), expiresAt })),
    ),
  }
}

/** Returns the secrets that sign webhook deliveries at `now`, newest first. */
export const signingSecrets = ({ secret, previous }: EndpointSecrets, now: Date): string[] => [
  secret,
  ...previous.filter(({ expiresAt }) => expiresAt > now).map(each => each.secret),
]
