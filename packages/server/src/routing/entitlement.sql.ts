import type { Db, Tx } from '../db/db.ts'
import type { Mode } from '../values/mode.ts'

/** A tenant's permission to use a provider account. Accounts with a lower priority number are tried first. */
export type Entitlement = { providerAccountId: string; priority: number }

export type EntitledAccountRow = Entitlement & {
  providerCode: string
  name: string
  mode: Mode
  enabled: boolean
}

const select = `
  select e.provider_account_id as "providerAccountId", e.priority, a.provider_code as "providerCode",
    a.name, a.mode, a.enabled
  from entitlements e join provider_accounts a on a.id = e.provider_account_id`

/**
 * Lists a tenant's entitlements (permissions to use provider accounts) in the order their accounts are tried.
 * Entitlements to disabled accounts are included.
 */
export async function listEntitlements(db: Db, tenantId: string): Promise<EntitledAccountRow[]> {
  const { rows } = await db.raw<{ rows: EntitledAccountRow[] }>(
    `${select} where e.tenant_id = ? order by e.priority, a.id`,
    [tenantId],
  )
  return rows
}

/**
 * Lists a tenant's entitlements (permissions to use provider accounts) like `listEntitlements`, but also locks their
 * rows. The entitlements therefore cannot be deleted before the transaction ends.
 */
export async function listAndLockEntitlements(tx: Tx, tenantId: string): Promise<EntitledAccountRow[]> {
  const { rows } = await tx.raw<{ rows: EntitledAccountRow[] }>(
    `${select} where e.tenant_id = ? order by e.priority, a.id for key share of e`,
    [tenantId],
  )
  return rows
}

export async function listAccountIds(db: Db): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>('select id from provider_accounts')
  return rows.map(({ id }) => id)
}

/**
 * Replaces a tenant's entitlements (permissions to use provider accounts). If an entitlement stays, its row is updated
 * and not replaced, because deleting the row would also delete the routing rules for its account.
 */
export async function replaceEntitlementRows(tx: Tx, tenantId: string, wanted: Entitlement[]): Promise<void> {
  await tx.raw(
    `with wanted as (
       select * from jsonb_to_recordset(:wanted) as w ("providerAccountId" uuid, priority integer)
     ), gone as (
       delete from entitlements
       where tenant_id = :tenantId and provider_account_id not in (select "providerAccountId" from wanted)
     )
     insert into entitlements (tenant_id, provider_account_id, priority)
     select :tenantId, "providerAccountId", priority from wanted
     on conflict (tenant_id, provider_account_id) do update set priority = excluded.priority`,
    { tenantId, wanted: JSON.stringify(wanted) },
  )
}
