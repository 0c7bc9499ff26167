import type { Db } from '../db/db.ts'
import { reconciledAge } from './run.sql.ts'

/** ageSeconds: since live payments were last reconciled completely; null before the first run. */
export type Standing = { open: number; ageSeconds: number | null }

/** Throws where the database does not answer in time. */
export async function readStanding(db: Db, timeoutMs: number): Promise<Standing> {
  const { rows } = await db
    .raw<{ rows: [Standing] }>(
      `select (select count(*)::integer from reconciliation_differences where closed_at is null) as open,
              ${reconciledAge} as "ageSeconds"`,
    )
    .timeout(timeoutMs)
  return rows[0]
}
