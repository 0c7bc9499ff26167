// Twice a second, each process that creates payments adds new search words to the search index. Otherwise, the process
// would sometimes have to add the words of many payments while creating a single payment
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
