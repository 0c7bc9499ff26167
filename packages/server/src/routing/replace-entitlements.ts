import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db, Tx } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { getManagedTenant } from '../tenants/managed-tenant.ts'
import { lockTenant } from '../tenants/tenant.sql.ts'
import type { Manager } from '../tenants/tenant.ts'
import {
  type EntitledAccountRow,
  type Entitlement,
  listAccountIds,
  listAndLockEntitlements,
  listEntitlements,
  replaceEntitlementRows,
} from './entitlement.sql.ts'
import { listRulesInBatch } from './routing-rule.sql.ts'

/**
 * Replaces all of the tenant's entitlements (permissions to use provider accounts). If an account is not among the new
 * entitlements, its routing rules are deleted.
 */
export async function replaceEntitlements(
  app: { db: Db },
  caller: Manager,
  tenantId: string,
  wanted: Entitlement[],
): Promise<EntitledAccountRow[]> {
  const tenant = await getManagedTenant(app, caller, tenantId)
  refuseRepeats(wanted)
  return auditedTransaction(app, caller, async tx => {
    await lockTenant(tx, tenant.id)
    const before = await snapshot(tx, tenant.id)
    await refuseUngrantable(tx, caller, before.entitlements, wanted)
    await replaceEntitlementRows(tx, tenant.id, wanted)
    const after = await snapshot(tx, tenant.id)
    return {
      result: after.entitlements,
      action: 'entitlements.replace',
      tenantId: tenant.id,
      subjectId: tenant.id,
      before: told(before),
      after: told(after),
    }
  })
}

type Snapshot = { entitlements: EntitledAccountRow[]; ruleCount: number }

async function snapshot(tx: Tx, tenantId: string): Promise<Snapshot> {
  const entitlements = await listEntitlements(tx, tenantId)
  return { entitlements, ruleCount: (await listRulesInBatch(tx, tenantId)).length }
}

const told = ({ entitlements, ruleCount }: Snapshot) => ({
  items: entitlements.map(({ providerAccountId, priority }) => ({
    provider_account_id: providerAccountId,
    priority,
  })),
  routing_rules: ruleCount,
})

function refuseRepeats(wanted: Entitlement[]): void {
  const ids = wanted.map(each => each.providerAccountId)
  const repeat = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (repeat >= 0) throw fault('repeated_account', {}, { field: fieldOf(repeat) })
}

/**
 * Throws if the caller may not grant an account to the tenant. The Owner can grant any account. A Partner can grant
 * accounts it may use itself, and can keep accounts its Client already has. For any other account, a Partner gets
 * the same error as for a nonexistent account.
 */
async function refuseUngrantable(
  tx: Tx,
  caller: Manager,
  before: EntitledAccountRow[],
  wanted: Entitlement[],
): Promise<void> {
  const grantable = new Set(
    caller?.role === 'partner'
      ? [...before, ...(await listAndLockEntitlements(tx, caller.tenantId))].map(
          each => each.providerAccountId,
        )
      : await listAccountIds(tx),
  )
  const ungrantable = wanted.findIndex(each => !grantable.has(each.providerAccountId))
  if (ungrantable >= 0) throw fault('account_not_grantable', {}, { field: fieldOf(ungrantable) })
}

const fieldOf = (index: number): string => `items.${index}.provider_account_id`
