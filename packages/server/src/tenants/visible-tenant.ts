import type { App } from '../app.ts'
import { GatewayError } from '../errors.ts'
import { isId } from '../id.ts'
import { findTenant } from './tenant.sql.ts'
import type { Role, Tenant } from './tenant.ts'

export const tenantNotFound = (id: string) => new GatewayError('NOT_FOUND', `tenant ${id} not found`)

/**
 * The tenant, where the caller may manage it: the Owner every tenant, a Partner its own Clients, everybody
 * itself. Any other does not exist for the caller.
 */
export async function getVisibleTenant(
  app: Pick<App, 'db'>,
  caller: { tenantId: string; role: Role },
  id: string,
): Promise<Tenant> {
  const tenant = isId(id) ? await findTenant(app.db, id) : undefined
  if (!tenant) throw tenantNotFound(id)
  const visible =
    caller.role === 'owner' || tenant.id === caller.tenantId || tenant.parentId === caller.tenantId
  if (!visible) throw tenantNotFound(id)
  return tenant
}
