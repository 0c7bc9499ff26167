import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import type { Manager, Tier } from '../tenants/tenant.ts'
import { lockTierLimits, updateTierLimits } from './limits.sql.ts'
import type { OwnLimits, TierLimits } from './limits.ts'
import { viewOwnLimits } from './limits-view.ts'

/**
 * Changes tier limits and returns the limits of all tiers. The change takes effect in every process within a
 * second.
 */
export async function changeTierLimits(
  app: { db: Db },
  caller: Manager,
  tier: Tier,
  changes: Partial<OwnLimits>,
): Promise<TierLimits> {
  return auditedTransaction(app, caller, async tx => {
    const before = await lockTierLimits(tx)
    const after = { ...before[tier], ...changes }
    await updateTierLimits(tx, tier, after)
    return {
      result: { ...before, [tier]: after },
      action: 'tier_limits.update',
      tenantId: null,
      subjectId: null,
      before: { tier, ...viewOwnLimits(before[tier]) },
      after: { tier, ...viewOwnLimits(after) },
    }
  })
}
