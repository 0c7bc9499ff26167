import type { Db } from '../db/db.ts'
import type { EntitledAccount, Routes, RoutingRule } from './route.ts'

/** The tenant's entitlements to enabled accounts, and its rules. */
export async function findRoutes(db: Db, tenantId: string): Promise<Routes> {
  const [accounts, rules] = await Promise.all([
    db.raw<{ rows: EntitledAccount[] }>(
      `select a.id, a.provider_code as "providerCode", a.mode, e.priority
       from entitlements e join provider_accounts a on a.id = e.provider_account_id
       where e.tenant_id = ? and a.enabled`,
      [tenantId],
    ),
    db.raw<{ rows: RoutingRule[] }>(
      `select position, method_type as "methodType", channel, min_amount as "minAmount", max_amount as "maxAmount",
              provider_account_id as "providerAccountId", weight
       from routing_rules where tenant_id = ?`,
      [tenantId],
    ),
  ])
  return { accounts: accounts.rows, rules: rules.rows }
}

export async function insertEntitlement(
  db: Db,
  tenantId: string,
  providerAccountId: string,
  priority: number,
): Promise<void> {
  await db.raw('insert into entitlements (tenant_id, provider_account_id, priority) values (?, ?, ?)', [
    tenantId,
    providerAccountId,
    priority,
  ])
}
