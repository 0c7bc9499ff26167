// Adds the counter-account (the other account of the transfer) to ledger entries from before migration 0047. The
// service can keep posting entries while this runs. An interrupted job continues where it stopped.

import type { Db } from '../db/db.ts'
import { completeEntries } from './ledger.sql.ts'

/**
 * The maximum number of entries per batch. A batch takes tens of milliseconds, and postings to the same ledger wait
 * while it runs.
 */
const AT_ONCE = 2_000

export async function completeBooks(db: Db): Promise<void> {
  while (await completeEntries(db, AT_ONCE));
}
