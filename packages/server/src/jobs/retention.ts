// Once an hour, each worker process deletes data past its retention period.

import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { deleteExpired } from '../retention/delete-expired.ts'
import { eraseOldCustomers } from '../retention/erase-customers.ts'
import type { Retention } from '../retention/retention.ts'
import type { Clock } from '../values/time.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 3_600_000

export const startRetention = (app: { db: Db; clock: Clock; log: Logger; retention: Retention }): Periodic =>
  runPeriodically(
    PAUSE_MS,
    async stop => {
      await deleteExpired(app, stop)
      await eraseOldCustomers(app, stop)
    },
    error => app.log.error({ err: error }, 'the deletion of old data failed; will retry in an hour'),
  )
