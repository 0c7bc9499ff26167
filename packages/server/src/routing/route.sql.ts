import { batchedRead } from '../db/batch/batched-read.ts'
import type { Db } from '../db/db.ts'
import type { EntitledAccount, Routes } from './route.ts'
import { listRulesInBatch } from './routing-rule.sql.ts'

const listAccounts = batchedRead<string, EntitledAccount>('list_entitled_accounts', {
  key: { tenant_id: ['uuid', tenantId => tenantId] },
  select: restrict => `
    select a.id, a.provider_code as "providerCode", a.mode, e.priority
    from ${restrict('entitlements')} e join provider_accounts a on a.id = e.provider_account_id
    where e.tenant_id = k.tenant_id and a.enabled
    order by e.priority, a.id`,
})

export async function listAccountNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.raw<{ rows: { id: string; name: string }[] }>(
    'select id, name from provider_accounts where id = any(:ids::uuid[])',
    { ids },
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * Returns the tenant's routing rules, and its entitlements (permissions to use provider accounts) for enabled
 * accounts.
 */
export async function findRoutesInBatch(db: Db, tenantId: string): Promise<Routes> {
  const [accounts, rules] = await Promise.all([listAccounts(db, tenantId), listRulesInBatch(db, tenantId)])
  return { accounts, rules }
}
