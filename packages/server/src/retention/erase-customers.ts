import { auditedTransaction } from '../audit/audited-transaction.ts'
import { eraseCustomers, listPaymentsToErase, storeErasedTo } from '../customers/customer.sql.ts'
import type { Db } from '../db/db.ts'
import { paced } from '../db/paced.ts'
import { readEarlierClock } from '../db/read-clock.ts'
import type { Logger } from '../logging/log.ts'
import { firstIdAt } from '../values/id.ts'
import type { Clock } from '../values/time.ts'
import { listTenantIds } from './expired.sql.ts'
import { type Retention, subtractDays } from './retention.ts'

const PAYMENTS_AT_ONCE = 1_000

/**
 * Erases the payer's data from payments older than the configured period, whatever their status. Each step continues
 * after the last payment of the previous step, so that erased payments are not processed again. A pause follows each
 * step, so that erasing does not slow down payments.
 */
export async function eraseOldCustomers(
  app: { db: Db; clock: Clock; log: Logger; retention: Retention },
  stop: AbortSignal,
): Promise<void> {
  const { customerDays } = app.retention
  if (customerDays === undefined) return
  const now = await readEarlierClock(app, app.db)
  const beforeId = firstIdAt(subtractDays(now, customerDays))
  for (const tenantId of await listTenantIds(app.db))
    while (!stop.aborted && (await paced(stop, () => eraseNext(app.db, tenantId, beforeId, now))));
}

/**
 * Erases the payer's data from the tenant's next batch of old payments. Returns false if no payments are
 * left.
 */
async function eraseNext(db: Db, tenantId: string, beforeId: string, now: Date): Promise<boolean> {
  const next = await listPaymentsToErase(db, tenantId, beforeId, PAYMENTS_AT_ONCE)
  const last = next.at(-1)
  if (last === undefined) return false
  const ids = next.filter(({ hasData }) => hasData).map(({ id }) => id)
  if (ids.length > 0)
    await auditedTransaction({ db }, null, async tx => ({
      result: undefined,
      action: 'customer.erase',
      tenantId,
      subjectId: null,
      before: null,
      after: { by: 'age', payments: await eraseCustomers(tx, tenantId, ids, now) },
    }))
  // `storeErasedTo` needs its own transaction. The owner of the tables erased the data, and Citus allows only one role
  // to change a tenant's rows in a transaction. If the process ends before `storeErasedTo`, the next run repeats the
  // erasure, which then changes nothing.
  await storeErasedTo(db, tenantId, last.id)
  return true
}
