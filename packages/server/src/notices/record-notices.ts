import type { Db } from '../db/db.ts'
import { findConditions } from './find-conditions.sql.ts'
import { findFallingRates } from './find-falling-rates.ts'
import { endConditions, recordConditions } from './notice.sql.ts'

/** Records the problems ("conditions") that exist at `at`, and marks those that no longer exist as ended. */
export async function recordNotices(db: Db, ownerId: string, at: Date): Promise<void> {
  const found = [...(await findConditions(db, ownerId, at)), ...(await findFallingRates(db, ownerId, at))]
  await recordConditions(db, found, at)
  await endConditions(db, at)
}
