import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { getVisibleTenant } from '../../tenants/visible-tenant.ts'
import { isId } from '../../values/id.ts'
import { type ApiKey, type KeyLimits, lockApiKey, updateKeyLimits } from './key.sql.ts'
import { viewApiKey } from './key-view.ts'
import { type KeyManager, requireGrantableScopes } from './require-grantable-scopes.ts'
import { apiKeyNotFound } from './revoke-api-key.ts'
import { effectiveScopes } from './scope.ts'

/**
 * Changes an API key's scopes (allowed operations) or allowed addresses. Every process applies the change within a
 * second.
 */
export async function updateApiKey(
  app: { db: Db },
  caller: KeyManager,
  { tenantId, id }: { tenantId: string; id: string },
  changes: { [Name in keyof KeyLimits]?: KeyLimits[Name] | undefined },
): Promise<ApiKey> {
  const tenant = await getVisibleTenant(app, caller, tenantId)
  return auditedTransaction(app, caller, async tx => {
    const before = isId(id) ? await lockApiKey(tx, tenant.id, id) : undefined
    if (!before) throw apiKeyNotFound(id)
    if (changes.scopes)
      requireGrantableScopes(caller, changes.scopes, {
        present: effectiveScopes(before.scopes),
        field: 'scopes',
      })
    const changed = await updateKeyLimits(tx, tenant.id, before.id, {
      scopes: changes.scopes ?? before.scopes,
      allowedIps: changes.allowedIps ?? before.allowedIps,
    })
    return {
      result: changed,
      action: 'api_key.update',
      tenantId: tenant.id,
      subjectId: changed.id,
      before: viewApiKey(before),
      after: viewApiKey(changed),
    }
  })
}
