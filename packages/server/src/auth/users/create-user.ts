import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import { getManagedTenant } from '../../tenants/managed-tenant.ts'
import type { Manager } from '../../tenants/tenant.ts'
import { newId } from '../../values/id.ts'
import { hashPassword } from '../passwords/password-hash.ts'
import { insertUser, type TenantUser } from './user.sql.ts'
import { viewUser } from './user-view.ts'

/**
 * Creates a dashboard user. An e-mail address belongs to one user of one tenant. If several requests use the same
 * address at once, only the first one succeeds.
 */
export async function createUser(
  app: { db: Db },
  caller: Manager,
  tenantId: string,
  { email, password }: { email: string; password: string },
): Promise<TenantUser> {
  const tenant = await getManagedTenant(app, caller, tenantId)
  const passwordHash = await hashPassword(password)
  return auditedTransaction(app, caller, async tx => {
    const user = await insertUser(tx, { id: newId(), tenantId: tenant.id, email, passwordHash })
    if (!user) throw fault('email_in_use', { email }, { field: 'email' })
    return {
      result: user,
      action: 'user.create',
      tenantId: tenant.id,
      subjectId: user.id,
      before: null,
      after: viewUser(user),
    }
  })
}
