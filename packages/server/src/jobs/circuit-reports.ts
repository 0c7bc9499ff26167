// Every minute, each process that creates charges records its open circuit breakers, so that the operator is notified
// by email. An open circuit breaker stops charges at a provider account that is failing.

import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { reportOpenCircuits } from '../notices/report-open-circuits.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import type { Clock } from '../values/time.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 60_000

export const startCircuitReports = (app: {
  db: Db
  clock: Clock
  log: Logger
  health: Pick<ProviderHealth, 'all'>
}): Periodic =>
  runPeriodically(
    PAUSE_MS,
    () => reportOpenCircuits(app),
    error => app.log.error({ err: error }, 'could not record open circuit breakers; will retry'),
  )
