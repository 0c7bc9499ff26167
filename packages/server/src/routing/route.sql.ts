import type { Db } from '../db/db.ts'
import { joined } from '../db/joined.ts'
import { statement } from '../db/statement.ts'
import type { EntitledAccount, Routes } from './route.ts'
import { listRules } from './routing-rule.sql.ts'

const selectAccounts = statement<EntitledAccount & { tenantId: string }>(
  `select e.tenant_id as "tenantId", a.id, a.provider_code as "providerCode", a.mode, e.priority
   from unnest(:tenantIds::uuid[]) as given (tenant_id)
   join entitlements e on e.tenant_id = given.tenant_id
   join provider_accounts a on a.id = e.provider_account_id
   where a.enabled
   order by e.priority, a.id`,
)

const listAccounts = joined('list_entitled_accounts', async (db, tenantIds: string[]) => {
  const rows = await selectAccounts(db, { tenantIds: [...new Set(tenantIds)] })
  const ofTenant = Map.groupBy(rows, row => row.tenantId)
  return tenantIds.map(id => (ofTenant.get(id) ?? []).map(({ tenantId: _, ...account }) => account))
})

export async function listAccountNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.raw<{ rows: { id: string; name: string }[] }>(
    'select id, name from provider_accounts where id = any(:ids::uuid[])',
    { ids },
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The tenant's entitlements to enabled accounts, and its rules. */
export async function findRoutes(db: Db, tenantId: string): Promise<Routes> {
  const [accounts, rules] = await Promise.all([listAccounts(db, tenantId), listRules(db, tenantId)])
  return { accounts, rules }
}
