import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { getManagedTenant } from '../tenants/managed-tenant.ts'
import { lockTenant } from '../tenants/tenant.sql.ts'
import type { Manager } from '../tenants/tenant.ts'
import { findTenantLimitsInBatch, upsertTenantLimits } from './limits.sql.ts'
import type { OwnLimits } from './limits.ts'
import { viewOwnLimits } from './limits-view.ts'

/** Changes a tenant's limits. The change takes effect in every process within a second. */
export async function changeTenantLimits(
  app: { db: Db },
  caller: Manager,
  tenantId: string,
  changes: Partial<OwnLimits>,
): Promise<void> {
  const { id } = await getManagedTenant(app, caller, tenantId)
  await auditedTransaction(app, caller, async tx => {
    await lockTenant(tx, id)
    const before = await findTenantLimitsInBatch(tx, id)
    const after = { ...before, ...changes }
    await upsertTenantLimits(tx, id, after)
    return {
      result: undefined,
      action: 'tenant_limits.update',
      tenantId: id,
      subjectId: id,
      before: viewOwnLimits(before),
      after: viewOwnLimits(after),
    }
  })
}
