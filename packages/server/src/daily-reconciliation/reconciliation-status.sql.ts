import type { Db } from '../db/db.ts'
import { reconciledAge } from './run.sql.ts'

/**
 * The state of the daily reconciliation. `open` is the number of open differences. `ageSeconds` is the time since the
 * last complete reconciliation of live payments or, if there is none yet, since the start of the first run. It is null
 * if no run has started.
 */
export type ReconciliationStatus = { open: number; ageSeconds: number | null }

/** Reads the daily reconciliation's state. Throws an error if the database does not respond within the timeout. */
export async function readReconciliationStatus(db: Db, timeoutMs: number): Promise<ReconciliationStatus> {
  const { rows } = await db
    .raw<{ rows: [ReconciliationStatus] }>(
      `select (select count(*)::integer from reconciliation_differences where closed_at is null) as open,
              ${reconciledAge} as "ageSeconds"`,
    )
    .timeout(timeoutMs)
  return rows[0]
}
