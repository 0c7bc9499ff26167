import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Manager } from '../../tenants/tenant.ts'
import { getVisibleTenant } from '../../tenants/visible-tenant.ts'
import { isId } from '../../values/id.ts'
import { findUser, type TenantUser } from '../users/user.sql.ts'

export const userNotFound = (id: string) => fault('user_not_found', { id })

/** Returns a user of a tenant that the caller may access. Throws NOT_FOUND for a removed user. */
export async function getTeamMember(
  app: { db: Db },
  caller: Manager,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<TenantUser> {
  const tenant = await getVisibleTenant(app, caller, tenantId)
  const user = isId(id) ? await findUser(app.db, tenant.id, id) : undefined
  if (!user || user.status === 'removed') throw userNotFound(id)
  return user
}
