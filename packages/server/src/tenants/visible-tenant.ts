import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { isId } from '../values/id.ts'
import { findTenant } from './tenant.sql.ts'
import { sees, type TenantRecord, type Viewer } from './tenant.ts'

export const tenantNotFound = (id: string) => fault('tenant_not_found', { id })

/**
 * Returns the tenant if the caller may see it; otherwise throws "not found". The Owner sees all tenants, a Partner
 * sees its own Clients, and every tenant sees itself.
 */
export async function getVisibleTenant(app: { db: Db }, viewer: Viewer, id: string): Promise<TenantRecord> {
  const tenant = isId(id) ? await findTenant(app.db, id) : undefined
  if (!tenant || !sees(viewer, tenant)) throw tenantNotFound(id)
  return tenant
}
