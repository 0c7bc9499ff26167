import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { enqueuePasswordReset } from './password-reset.sql.ts'

/**
 * Enqueues a job that looks up the email address, so that the response does not reveal whether a user has
 * this address. Repeated requests for the address share the job until it runs. The tenant ID is optional,
 * because no two tenants have a user with the same address.
 */
export async function requestPasswordReset(
  app: { db: Db; secrets: Secrets; clock: Clock },
  { tenantId, email, source }: { tenantId: string | null; email: string; source: string },
): Promise<void> {
  const key = app.secrets.hash(`${tenantId ?? ''} ${email.toLowerCase()}`).toString('base64url')
  await enqueuePasswordReset(app.db, { tenantId, email, source, requestedAt: app.clock(), key })
}
