// Once an hour, each worker process maintains the log partitions and deletes data past its retention period.

import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { deleteExpired } from '../retention/delete-expired.ts'
import { eraseOldCustomers } from '../retention/erase-customers.ts'
import { maintainPartitions } from '../retention/maintain-partitions.ts'
import type { Retention } from '../retention/retention.ts'
import type { Clock } from '../values/time.ts'
import { jobMetrics } from './job-metrics.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 3_600_000

export function startRetention(app: { db: Db; clock: Clock; log: Logger; retention: Retention }): Periodic {
  // The metric for the last successful maintenance is initialized with the startup time. If maintenance never succeeds,
  // the metric therefore shows how long the process has been trying.
  jobMetrics.partitionsMaintained.setToCurrentTime()
  return runPeriodically(
    PAUSE_MS,
    async stop => {
      if (await maintainPartitions(app, stop)) jobMetrics.partitionsMaintained.setToCurrentTime()
      await deleteExpired(app, stop)
      await eraseOldCustomers(app, stop)
    },
    error => app.log.error({ err: error }, 'the deletion of old data failed; will retry in an hour'),
  )
}
