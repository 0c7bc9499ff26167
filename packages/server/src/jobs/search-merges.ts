// Twice a second, each process that creates payments merges the new search words into the index of payment_search. Only one
// process merges at a time. Otherwise, creates would have to merge the words themselves and wait for it
// (migrations/0109_merge_search_index.sql).

import type { Db } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import type { Logger } from '../logging/log.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 500

/** On a distributed database, each shard has its own index, which PostgreSQL merges by itself. */
export function startSearchMerges(app: { db: Db; log: Logger }): Periodic {
  // While the database is unavailable, only the first error is logged.
  let isFailing = false
  return runPeriodically(
    PAUSE_MS,
    async () => {
      if (!isDistributed(app.db)) await app.db.raw('select merge_search_index()')
      isFailing = false
    },
    error => {
      if (!isFailing)
        app.log.warn({ err: error }, 'could not merge new words into the search index; will retry')
      isFailing = true
    },
  )
}
