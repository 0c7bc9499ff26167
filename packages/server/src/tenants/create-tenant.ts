import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db, Tx } from '../db/db.ts'
import { withTenantInScope } from '../db/tenant-scope.ts'
import { fault } from '../faults/fault.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { newId } from '../values/id.ts'
import { ensureEndpoint } from '../webhooks/endpoint/read-endpoint.ts'
import { findTenant, insertTenant } from './tenant.sql.ts'
import { isAbove, type Manager, type Role, type TenantRecord, type Tier } from './tenant.ts'
import { viewTenant } from './tenant-view.ts'

type NewTenant = { name: string; role: Role; tier: Tier; parentId: string | null }

/**
 * Creates a tenant. A Client is created together with its webhook secret. Only the operator's command on the server can
 * create an Owner.
 */
export async function createTenant(
  app: { db: Db; secrets: Secrets },
  caller: Manager,
  wanted: NewTenant,
): Promise<TenantRecord> {
  const parentId = parentOf(caller, wanted)
  const id = newId()
  const run = async (tx: Tx) => {
    if (parentId !== null && (await findTenant(tx, parentId))?.role !== 'partner')
      throw fault('parent_not_partner', {}, { field: 'parent_id' })
    const tenant = await insertTenant(tx, { ...wanted, id, parentId, status: 'active' })
    if (tenant.role === 'client') await ensureEndpoint({ ...app, db: tx }, tenant.id)
    return {
      result: tenant,
      action: 'tenant.create',
      tenantId: tenant.id,
      subjectId: tenant.id,
      before: null,
      after: viewTenant(tenant),
    }
  }
  return withTenantInScope(id, () => auditedTransaction(app, caller, run))
}

/**
 * Returns the id of the new tenant's parent. Throws if the caller is not allowed to create a tenant with this role,
 * tier or parent.
 */
function parentOf(caller: Manager, { role, tier, parentId }: NewTenant): string | null {
  if (caller?.role === 'partner') {
    if (role !== 'client') throw fault('partner_creates_clients_only')
    if (isAbove(tier, caller.tier)) throw fault('partner_tier_exceeded', { tier: caller.tier })
    if (parentId !== null && parentId !== caller.tenantId) throw fault('partner_creates_below_itself')
    return caller.tenantId
  }
  if (caller && role === 'owner') throw fault('owner_created_on_server')
  if (parentId !== null && role !== 'client')
    throw fault('parent_not_allowed', { role }, { field: 'parent_id' })
  return parentId
}
