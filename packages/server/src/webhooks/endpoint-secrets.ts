import type { Secrets } from '../secrets.ts'
import type { Endpoint } from './webhook.sql.ts'

/** The same tenant's secret opens nowhere else. */
export const webhookSecretPlace = (tenantId: string): string => `webhook secret of ${tenantId}`

export type EndpointSecrets = {
  secret: string
  /** Those before it, the last to expire first, which sign beside it until then. */
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

/** Those that sign now, the newest first. */
export const signingSecrets = ({ secret, previous }: EndpointSecrets, now: Date): string[] => [
  secret,
  ...previous.filter(({ expiresAt }) => expiresAt > now).map(each => each.secret),
]
