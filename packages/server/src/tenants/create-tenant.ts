import type { App } from '../app.ts'
import { act } from '../audit/act.ts'
import type { Tx } from '../db/db.ts'
import { withTenantInScope } from '../db/scope.ts'
import { GatewayError } from '../errors.ts'
import { newId } from '../id.ts'
import { ensureEndpoint } from '../webhooks/read-endpoint.ts'
import { findTenant, insertTenant } from './tenant.sql.ts'
import { isAbove, type Manager, type Role, type TenantRecord, type Tier } from './tenant.ts'
import { viewTenant } from './tenant-view.ts'

type NewTenant = { name: string; role: Role; tier: Tier; parentId: string | null }

/** A Client is created with its webhook secret. Only the operator's own command can create an Owner. */
export async function createTenant(
  app: Pick<App, 'db' | 'secrets'>,
  caller: Manager,
  wanted: NewTenant,
): Promise<TenantRecord> {
  const parentId = parentOf(caller, wanted)
  const id = newId()
  const run = async (tx: Tx) => {
    if (parentId !== null && (await findTenant(tx, parentId))?.role !== 'partner')
      throw new GatewayError('BAD_REQUEST', 'parent_id: is no partner')
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
  return withTenantInScope(id, () => act(app, caller, run))
}

/** Returns the id of the parent tenant. Throws if the caller may not create such a tenant. */
function parentOf(caller: Manager, { role, tier, parentId }: NewTenant): string | null {
  if (caller?.role === 'partner') {
    if (role !== 'client') throw new GatewayError('FORBIDDEN', 'a partner creates clients only')
    if (isAbove(tier, caller.tier))
      throw new GatewayError('FORBIDDEN', `a partner of the tier ${caller.tier} gives no higher one`)
    if (parentId !== null && parentId !== caller.tenantId)
      throw new GatewayError('FORBIDDEN', 'a partner creates clients below itself')
    return caller.tenantId
  }
  if (caller && role === 'owner')
    throw new GatewayError('FORBIDDEN', 'an owner is created on the server, not through the API')
  if (parentId !== null && role !== 'client')
    throw new GatewayError('BAD_REQUEST', `parent_id: a ${role} stands below nobody`)
  return parentId
}
