import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { type Manager, manages, type TenantRecord } from './tenant.ts'
import { getVisibleTenant } from './visible-tenant.ts'

/**
 * Returns the tenant if the caller may change it. Throws `tenant_managed_by_owner` if the caller can see the tenant
 * but only the Owner can change it, as with a Partner's own tenant.
 */
export async function getManagedTenant(app: { db: Db }, caller: Manager, id: string): Promise<TenantRecord> {
  const tenant = await getVisibleTenant(app, caller, id)
  if (!manages(caller, tenant)) throw fault('tenant_managed_by_owner', { id })
  return tenant
}
