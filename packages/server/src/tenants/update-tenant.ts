import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { getManagedTenant } from './managed-tenant.ts'
import { lockTenant, updateTenantRow } from './tenant.sql.ts'
import type { Manager, Tenant, TenantRecord } from './tenant.ts'
import { viewTenant } from './tenant-view.ts'

type Changes = { [Field in 'name' | 'tier' | 'status']?: Tenant[Field] | undefined }

/**
 * Updates a tenant. If the update suspends the tenant, its API keys and logins stop working within a second.
 * Provider callbacks are still accepted.
 */
export async function updateTenant(
  app: { db: Db },
  caller: Manager,
  tenantId: string,
  changes: Changes,
): Promise<TenantRecord> {
  const { id, role } = await getManagedTenant(app, caller, tenantId)
  if (changes.tier !== undefined && caller && caller.role !== 'owner')
    throw fault('tier_set_by_owner', {}, { field: 'tier' })
  if (changes.status === 'suspended' && id === caller?.tenantId) throw fault('own_tenant_suspended')
  return auditedTransaction(app, caller, async tx => {
    const before = await lockTenant(tx, id)
    const { name = before.name, tier = before.tier, status = before.status } = changes
    const after = await updateTenantRow(tx, { id, name, tier, status })
    if (!after) throw fault('last_active_tenant', { role })
    return {
      result: after,
      action: 'tenant.update',
      tenantId: id,
      subjectId: id,
      before: viewTenant(before),
      after: viewTenant(after),
    }
  })
}
