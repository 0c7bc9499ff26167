// Adds the counter-account (the other account of the transfer) to ledger entries that versions without double-entry
// bookkeeping posted (migration 0047). The service can post new entries meanwhile. The database stores the progress,
// so an interrupted job continues where it stopped.

import type { Db } from '../db/db.ts'
import { completeEntries } from './ledger.sql.ts'

/**
 * The maximum number of entries per batch, which takes tens of milliseconds. Postings to the same ledger wait
 * while a batch runs.
 */
const AT_ONCE = 2_000

export async function completeBooks(db: Db): Promise<void> {
  while (await completeEntries(db, AT_ONCE));
}
