import type { Db } from '../db/db.ts'
import type { Secrets } from '../secrets.ts'
import { webhookSecretPlace } from './endpoint-secrets.ts'
import { findEndpoint } from './webhook.sql.ts'

/** Where a tenant's events go, with its secrets open. */
export type LoadedEndpoint = {
  callbackUrl: string | null
  secret: string
  /** The one before, which signs beside it for a while. */
  previous: { secret: string; until: Date } | null
}
export type LoadEndpoint = (tenantId: string) => Promise<LoadedEndpoint | undefined>

export function endpointLoader(db: Db, secrets: Secrets): LoadEndpoint {
  return async tenantId => {
    const row = await findEndpoint(db, tenantId)
    if (!row) return undefined
    const { callbackUrl, secretSealed, previousSecretSealed: sealed, previousSecretExpiresAt: until } = row
    const open = (text: string) => secrets.open(text, webhookSecretPlace(tenantId))
    return {
      callbackUrl,
      secret: await open(secretSealed),
      previous: sealed !== null && until !== null ? { secret: await open(sealed), until } : null,
    }
  }
}

/** Those that sign now, the newest first. */
export const signingSecrets = ({ secret, previous }: LoadedEndpoint, now: Date): string[] =>
  previous !== null && previous.until > now ? [secret, previous.secret] : [secret]
