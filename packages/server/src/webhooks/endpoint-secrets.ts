import type { Secrets } from '../secrets.ts'
import type { Endpoint } from './webhook.sql.ts'

/** The encryption context: a tenant's encrypted secret cannot be decrypted as that of another tenant. */
export const webhookSecretPlace = (tenantId: string): string => `webhook secret of ${tenantId}`

export type EndpointSecrets = {
  secret: string
  /** Previous secrets, latest expiry first. Each also signs until it expires. */
  previous: { secret: string; expiresAt: Date }[]
}

export async function openSecrets(
  secrets: Secrets,
  tenantId: string,
  { secretSealed, previousSecrets }: Pick<Endpoint, 'secretSealed' | 'previousSecrets'>,
): Promise<EndpointSecrets> {
  const open = (sealed: string) => secrets.open(sealed, webhookSecretPlace(tenantId))
  return {
    secret: await open(secretSealed),
    previous: await Promise.all(
      previousSecrets.map(async ({ sealed, expiresAt }) => ({ secret: await open(sealed), expiresAt })),
    ),
  }
}

/** The secrets that sign at `now`, newest first. */
export const signingSecrets = ({ secret, previous }: EndpointSecrets, now: Date): string[] => [
  secret,
  ...previous.filter(({ expiresAt }) => expiresAt > now).map(each => each.secret),
]
