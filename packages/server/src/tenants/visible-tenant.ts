import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { isId } from '../values/id.ts'
import { findTenant } from './tenant.sql.ts'
import { sees, type TenantRecord, type Viewer } from './tenant.ts'

export const tenantNotFound = (id: string) => fault('tenant_not_found', { id })

/**
 * Returns the tenant if the caller may see it: the Owner sees all tenants, a Partner its own Clients, and every
 * tenant itself. Any other tenant is reported as not found.
 */
export async function getVisibleTenant(app: { db: Db }, viewer: Viewer, id: string): Promise<TenantRecord> {
  const tenant = isId(id) ? await findTenant(app.db, id) : undefined
  if (!tenant || !sees(viewer, tenant)) throw tenantNotFound(id)
  return tenant
}
