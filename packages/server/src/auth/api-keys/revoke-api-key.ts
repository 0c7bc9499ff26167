import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Manager } from '../../tenants/tenant.ts'
import { getVisibleTenant } from '../../tenants/visible-tenant.ts'
import { isId } from '../../values/id.ts'
import { type ApiKey, lockApiKey, revokeKey } from './key.sql.ts'
import { viewApiKey } from './key-view.ts'

export const apiKeyNotFound = (id: string) => fault('api_key_not_found', { id })

/**
 * Revokes an API key permanently. Every process rejects the key within a second. Revoking a revoked key changes
 * nothing.
 */
export async function revokeApiKey(
  app: { db: Db },
  caller: Manager,
  tenantId: string,
  id: string,
): Promise<ApiKey> {
  const tenant = await getVisibleTenant(app, caller, tenantId)
  return auditedTransaction(app, caller, async tx => {
    const before = isId(id) ? await lockApiKey(tx, tenant.id, id) : undefined
    if (!before) throw apiKeyNotFound(id)
    const revoked = await revokeKey(tx, tenant.id, before.id)
    return {
      result: revoked,
      action: 'api_key.revoke',
      tenantId: tenant.id,
      subjectId: revoked.id,
      before: viewApiKey(before),
      after: viewApiKey(revoked),
    }
  })
}
