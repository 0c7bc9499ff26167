// Adds counter-accounts to the ledger entries that versions without double entry posted (migration 0047). The service
// can post further entries at the same time. The database stores the progress, so an interrupted job continues where it
// stopped.

import type { Db } from '../db/db.ts'
import { completeEntries } from './ledger.sql.ts'

/** Postings to the same book wait while a batch runs. A batch of this size takes tens of milliseconds. */
const AT_ONCE = 2_000

export async function completeBooks(db: Db): Promise<void> {
  while (await completeEntries(db, AT_ONCE));
}
