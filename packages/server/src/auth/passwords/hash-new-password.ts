import { passwordCheckQueue } from './password-check-queue.ts'
import { hashPassword } from './password-hash.ts'

/**
 * Hashes a user's new password. Tenants take turns in the queue, so that one tenant's new passwords hardly delay other
 * tenants' logins. If the queue is full, one call of the tenant with the most queued calls fails with
 * SERVICE_UNAVAILABLE.
 */
export const hashNewPassword = (password: string, tenantId: string): Promise<string> =>
  passwordCheckQueue(true)({ source: tenantId, account: tenantId }, () => hashPassword(password))
