import { passwordCheckQueue } from './password-check-queue.ts'
import { hashPassword } from './password-hash.ts'

/** The user's tenant, and the Partner that manages this tenant. `partnerId` is null if none does. */
type TenantOfUser = { tenantId: string; partnerId: string | null }

/**
 * Hashes a user's new password. Tenants take turns in the queue, so that one tenant's new passwords hardly delay other
 * tenants' logins. A Partner and all its Clients count as one source, so that a Partner cannot fill the queue through
 * many Clients. If the queue is full, the source with the most waiting passwords gets SERVICE_UNAVAILABLE for one of
 * them.
 */
export const hashNewPassword = (password: string, { tenantId, partnerId }: TenantOfUser): Promise<string> =>
  passwordCheckQueue(true)({ source: partnerId ?? tenantId, account: tenantId }, () => hashPassword(password))
