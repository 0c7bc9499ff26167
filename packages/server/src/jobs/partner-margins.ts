// Every ten minutes, each worker process credits Partners with the margins from their Clients' fees.

import type { Db } from '../db/db.ts'
import { creditPartnerMargins } from '../fees/credit-partner-margins.ts'
import type { Logger } from '../logging/log.ts'
import type { Clock } from '../values/time.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 600_000

export const startCreditingMargins = (app: { db: Db; clock: Clock; log: Logger }): Periodic =>
  runPeriodically(
    PAUSE_MS,
    () => creditPartnerMargins(app),
    error => app.log.error({ err: error }, 'could not credit the margins of Partners; will retry'),
  )
