import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { enqueuePasswordReset } from './password-reset.sql.ts'

/**
 * Enqueues a job that looks up the address, so the response neither reveals whether it exists nor waits for a mail
 * server. Repeated requests for the same address share one job until that job runs.
 */
export async function requestPasswordReset(
  app: { db: Db; secrets: Secrets; clock: Clock },
  { tenantId, email }: { tenantId: string; email: string },
): Promise<void> {
  const key = app.secrets.hash(`${tenantId} ${email.toLowerCase()}`).toString('base64url')
  await enqueuePasswordReset(app.db, { tenantId, email, requestedAt: app.clock(), key })
}
