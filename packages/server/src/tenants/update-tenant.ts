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
 * Provider callbacks are still accepted. A Partner cannot reactivate a Client that the Owner suspended, even if the
 * Partner had suspended it before.
 */
export async function updateTenant(
  app: { db: Db },
  caller: Manager,
  tenantId: string,
  changes: Changes,
): Promise<TenantRecord> {
  const { id, role } = await getManagedTenant(app, caller, tenantId)
  const isOwner = caller === null || caller.role === 'owner'
  if (changes.tier !== undefined && !isOwner) throw fault('tier_set_by_owner', {}, { field: 'tier' })
  if (changes.status === 'suspended' && id === caller?.tenantId) throw fault('own_tenant_suspended')
  return auditedTransaction(app, caller, async tx => {
    const before = await lockTenant(tx, id)
    const { name = before.name, tier = before.tier, status = before.status } = changes
    if (changes.status === 'active' && before.suspendedByOwner && !isOwner)
      throw fault('tenant_suspended_by_owner', { id })
    const suspendedByOwner =
      status === 'suspended' && (before.suspendedByOwner || (isOwner && changes.status === 'suspended'))
    const after = await updateTenantRow(tx, { id, name, tier, status, suspendedByOwner })
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
