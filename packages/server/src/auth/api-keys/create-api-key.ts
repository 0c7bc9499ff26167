import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { getVisibleTenant } from '../../tenants/visible-tenant.ts'
import { newId } from '../../values/id.ts'
import type { Mode } from '../../values/mode.ts'
import { displayPrefix, newApiKey } from './api-key.ts'
import { type ApiKey, insertApiKey } from './key.sql.ts'
import { viewApiKey } from './key-view.ts'
import { type KeyManager, requireGrantableScopes } from './require-grantable-scopes.ts'
import { defaultScopes, type KeyScope } from './scope.ts'

type NewKey = {
  name: string
  mode: Mode
  /**
   * The scopes of the new key. If `scopes` is undefined, the key gets every scope that the caller can give
   * it.
   */
  scopes?: KeyScope[] | undefined
  allowedIps?: string[]
}

/** Creates an API key and returns it. The key cannot be read again, because the database stores only its hash. */
export async function createApiKey(
  app: { db: Db; secrets: Secrets },
  caller: KeyManager,
  tenantId: string,
  { name, mode, scopes: chosen, allowedIps = [] }: NewKey,
): Promise<ApiKey & { key: string }> {
  const tenant = await getVisibleTenant(app, caller, tenantId)
  if (chosen) requireGrantableScopes(caller, chosen, { field: 'scopes' })
  const scopes = chosen ?? (caller ? defaultScopes(caller.permissions) : [])
  const key = newApiKey(mode)
  return auditedTransaction(app, caller, async tx => {
    const made = await insertApiKey(tx, {
      id: newId(),
      tenantId: tenant.id,
      mode,
      name,
      keyHash: app.secrets.hash(key),
      displayPrefix: displayPrefix(key),
      createdBy: caller?.userId ?? null,
      scopes,
      allowedIps,
    })
    return {
      result: { ...made, key },
      action: 'api_key.create',
      tenantId: tenant.id,
      subjectId: made.id,
      before: null,
      after: viewApiKey(made),
    }
  })
}
