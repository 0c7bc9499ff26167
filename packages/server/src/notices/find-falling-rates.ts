import type { Db } from '../db/db.ts'
import { sumAccountOutcomes } from './account-outcome.sql.ts'
import type { FoundCondition } from './notice.ts'
import { hasFallen, shareOf } from './success-rate.ts'

/**
 * Finds the provider accounts whose success rate has fallen. `ownerId` is the operator's tenant, whose users are
 * emailed.
 */
export async function findFallingRates(db: Db, ownerId: string, now: Date): Promise<FoundCondition[]> {
  const accounts = await sumAccountOutcomes(db, now)
  return accounts.flatMap(({ accountId, provider, name, ...sums }) => {
    const recent = { ended: sums.recentEnded, paid: sums.recentPaid }
    const earlier = { ended: sums.earlierEnded, paid: sums.earlierPaid }
    if (!hasFallen(recent, earlier)) return []
    const detail = {
      ...{ account_id: accountId, provider, name, ended: recent.ended },
      percent: Math.round(shareOf(recent) * 100),
      earlier_percent: Math.round(shareOf(earlier) * 100),
    }
    return [
      { tenantId: ownerId, kind: 'success_rate_falling' as const, subject: accountId, since: now, detail },
    ]
  })
}
