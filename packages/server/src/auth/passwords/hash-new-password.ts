import { passwordCheckQueue } from './password-check-queue.ts'
import { hashPassword } from './password-hash.ts'

/**
 * Hashes a password that a user sets. The queue takes turns among tenants, so that one tenant's new passwords hardly
 * delay other tenants' logins. If the queue is full, a waiting call of the tenant with the most waiting passwords
 * throws SERVICE_UNAVAILABLE.
 */
export const hashNewPassword = (password: string, tenantId: string): Promise<string> =>
  passwordCheckQueue(true)({ source: tenantId, account: tenantId }, () => hashPassword(password))
