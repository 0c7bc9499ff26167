import type { Db } from '../db/db.ts'
import type { EntitledAccount, Routes } from './route.ts'
import { listRules } from './routing-rule.sql.ts'

/** The tenant's entitlements to enabled accounts, and its rules. */
export async function findRoutes(db: Db, tenantId: string): Promise<Routes> {
  const [accounts, rules] = await Promise.all([
    db.raw<{ rows: EntitledAccount[] }>(
      `select a.id, a.provider_code as "providerCode", a.mode, e.priority
       from entitlements e join provider_accounts a on a.id = e.provider_account_id
       where e.tenant_id = ? and a.enabled
       order by e.priority, a.id`,
      [tenantId],
    ),
    listRules(db, tenantId),
  ])
  return { accounts: accounts.rows, rules }
}
