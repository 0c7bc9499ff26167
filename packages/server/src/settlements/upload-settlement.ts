import { type Actor, auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { fairLimit } from '../fairness/fair-limit.ts'
import { fault } from '../faults/fault.ts'
import { dayOf } from '../values/day.ts'
import type { Clock } from '../values/time.ts'
import { readSettlement } from './read-settlement.ts'
import {
  type AccountDay,
  deleteSettlement,
  insertSettlement,
  insertSettlementLines,
  lockAccountDay,
  type Settlement,
  sumSettlement,
} from './settlement.sql.ts'
import { viewSettlement } from './settlement-view.ts'

/**
 * Limits concurrent settlement uploads, because each upload uses one of the pool's 20 database connections until the
 * whole file has arrived.
 */
const withConnection = fairLimit({ all: 10, own: 5, what: 'uploads' })

/**
 * Replaces a provider account's settlement for a day with the uploaded file. If a line is invalid or the upload is
 * interrupted, the previous settlement stays. Throws RATE_LIMITED if five other uploads by the Owner are in flight.
 */
export async function uploadSettlement(
  app: { db: Db; clock: Clock },
  owner: Actor,
  accountDay: AccountDay,
  csv: AsyncIterable<Buffer>,
): Promise<Settlement> {
  const at = app.clock()
  if (accountDay.date > dayOf(at)) throw fault('date_in_future', {}, { field: 'date' })
  return withConnection(owner?.tenantId ?? '', () =>
    auditedTransaction(app, owner, async tx => {
      await lockAccountDay(tx, accountDay)
      const before = await deleteSettlement(tx, accountDay)
      const id = await insertSettlement(tx, accountDay, at)
      for await (const lines of readSettlement(csv)) await insertSettlementLines(tx, id, accountDay, lines)
      const settlement = await sumSettlement(tx, id)
      return {
        result: settlement,
        action: 'settlement.upload',
        tenantId: null,
        subjectId: accountDay.accountId,
        before: before ? viewSettlement(before) : null,
        after: viewSettlement(settlement),
      }
    }),
  )
}
