import type { App } from '../app.ts'
import { enqueuePasswordReset } from './password-reset.sql.ts'

/**
 * Queues the look for the address instead of looking: so the answer cannot tell whether it is there, nor wait
 * for a mail server. Repeated for one address before the worker gets to it, it is one job.
 */
export async function requestPasswordReset(
  app: Pick<App, 'db' | 'secrets' | 'clock'>,
  { tenantId, email }: { tenantId: string; email: string },
): Promise<void> {
  const key = app.secrets.hash(`${tenantId} ${email.toLowerCase()}`).toString('base64url')
  await enqueuePasswordReset(app.db, { tenantId, email, requestedAt: app.clock(), key })
}
