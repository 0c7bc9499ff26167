// Once an hour, each worker process creates the next partitions of the logs and drops expired ones. This work does not
// share a loop with the deletion of old data (retention.ts), because a first deletion can take days.

import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { maintainPartitions } from '../retention/maintain-partitions.ts'
import type { Retention } from '../retention/retention.ts'
import type { Clock } from '../values/time.ts'
import { jobMetrics } from './job-metrics.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 3_600_000

export function startPartitions(app: { db: Db; clock: Clock; log: Logger; retention: Retention }): Periodic {
  // The metric for the last successful maintenance is initialized with the startup time. If maintenance never succeeds,
  // the metric therefore shows how long the process has been trying.
  jobMetrics.partitionsMaintained.setToCurrentTime()
  return runPeriodically(
    PAUSE_MS,
    async stop => {
      if (await maintainPartitions(app, stop)) jobMetrics.partitionsMaintained.setToCurrentTime()
    },
    error => app.log.error({ err: error }, 'partition maintenance failed; next attempt in an hour'),
  )
}
