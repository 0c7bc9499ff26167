import type { Db } from '../../db/db.ts'
import { isDistributed } from '../../db/distributed-database.ts'

/**
 * Adds new search words to the index of payment_search (migrations/0109_merge_search_index.sql). Does nothing if
 * another process is already doing so. Also does nothing on a distributed database, because each shard has its own
 * index, which PostgreSQL merges by itself.
 */
export async function mergeSearchIndex(db: Db): Promise<void> {
  if (!isDistributed(db)) await db.raw('select merge_search_index()')
}
