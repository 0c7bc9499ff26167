import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { getVisibleTenant } from '../../tenants/visible-tenant.ts'
import { isId, newId } from '../../values/id.ts'
import { displayPrefix, newApiKey } from './api-key.ts'
import { type ApiKey, expireKey, insertApiKey, lockApiKey, revokeKey } from './key.sql.ts'
import { viewApiKey } from './key-view.ts'
import { type KeyManager, requireGrantableScopes } from './require-grantable-scopes.ts'
import { apiKeyNotFound } from './revoke-api-key.ts'

/**
 * Creates a new API key with the old key's name, mode, scopes and allowed addresses. The old key still works for
 * `graceMinutes`. A second rotation of the old key fails.
 */
export async function rotateApiKey(
  app: { db: Db; secrets: Secrets },
  caller: KeyManager,
  tenantId: string,
  { id, graceMinutes }: { id: string; graceMinutes: number },
): Promise<ApiKey & { key: string }> {
  const tenant = await getVisibleTenant(app, caller, tenantId)
  return auditedTransaction(app, caller, async tx => {
    const old = isId(id) ? await lockApiKey(tx, tenant.id, id) : undefined
    if (!old) throw apiKeyNotFound(id)
    if (old.revokedAt !== null) throw fault('api_key_revoked', { id })
    if (old.expiresAt !== null) throw fault('api_key_rotated', { id })
    // Rotating a key reveals the new key to the caller, who could then use the key's scopes. The caller must
    // therefore be allowed to grant these scopes.
    requireGrantableScopes(caller, old.scopes, {})
    const ended =
      graceMinutes > 0
        ? await expireKey(tx, tenant.id, old.id, graceMinutes)
        : await revokeKey(tx, tenant.id, old.id)
    const key = newApiKey(old.mode)
    const made = await insertApiKey(tx, {
      id: newId(),
      tenantId: tenant.id,
      mode: old.mode,
      name: old.name,
      keyHash: app.secrets.hash(key),
      displayPrefix: displayPrefix(key),
      createdBy: caller?.userId ?? null,
      scopes: old.scopes,
      allowedIps: old.allowedIps,
    })
    return {
      result: { ...made, key },
      action: 'api_key.rotate',
      tenantId: tenant.id,
      subjectId: old.id,
      before: viewApiKey(old),
      after: { ...viewApiKey(ended), replaced_by: made.id },
    }
  })
}
