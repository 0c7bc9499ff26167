import type { Db } from '../db/db.ts'
import { reconciledAge } from './run.sql.ts'

/**
 * ageSeconds: seconds since the last complete reconciliation of live payments, counted from the first run if none is
 * complete yet; null before the first run.
 */
export type Standing = { open: number; ageSeconds: number | null }

/** Throws if the database does not respond within the timeout. */
export async function readStanding(db: Db, timeoutMs: number): Promise<Standing> {
  const { rows } = await db
    .raw<{ rows: [Standing] }>(
      `select (select count(*)::integer from reconciliation_differences where closed_at is null) as open,
              ${reconciledAge} as "ageSeconds"`,
    )
    .timeout(timeoutMs)
  return rows[0]
}
