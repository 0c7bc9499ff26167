// Twice a second, each process that creates payments merges the new search words into the index of payment_search. Only one
// process merges at a time. Otherwise, creates would have to merge the words themselves and wait for it
// (migrations/0109_merge_search_index.sql).

import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { mergeSearchIndex } from '../payments/read/merge-search-index.sql.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 500

export function startSearchMerges(app: { db: Db; log: Logger }): Periodic {
  // While the database is unavailable, only the first error is logged.
  let isFailing = false
  return runPeriodically(
    PAUSE_MS,
    async () => {
      await mergeSearchIndex(app.db)
      isFailing = false
    },
    error => {
      if (!isFailing)
        app.log.warn({ err: error }, 'could not merge new words into the search index; will retry')
      isFailing = true
    },
  )
}
