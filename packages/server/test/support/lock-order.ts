// Checks the order in which a transaction locks rows.

import type { Db, Tx } from '../../src/db/db.ts'
import { until } from './merchant.ts'

export type RowLock = [sql: string, values: string[]]

/**
 * Runs `work` in a transaction, and returns its result. Another transaction locks the row `first`, and then the row
 * `second` as soon as `work` waits for `first`. If `work` locks `second` before `first`, PostgreSQL reports a deadlock.
 */
export async function lockingInOrder<T>(
  db: Db,
  { first, second }: { first: RowLock; second: RowLock },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const other = await db.transaction()
  try {
    await other.raw(...first)
    const result = db.transaction(async tx => {
      // On a busy machine, the lock could otherwise time out before the other transaction ends.
      await tx.raw('set local lock_timeout = 0')
      return work(tx)
    })
    await Promise.race([
      result,
      until('the transaction waits for the first row', async () => (await countLockWaits(db)) > 0),
    ])
    await Promise.race([result, other.raw(...second)])
    await other.rollback()
    return await result
  } finally {
    if (!other.isCompleted()) await other.rollback()
  }
}

/** Returns how many connections of the database wait for a lock. */
export async function countLockWaits(db: Db): Promise<number> {
  const { rows } = await db.raw(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}

export const balanceLock = (tenantId: string): RowLock => [
  `select from balances where tenant_id = ? and mode = 'live' for update`,
  [tenantId],
]
