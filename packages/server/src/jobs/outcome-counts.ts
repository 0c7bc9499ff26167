// Each process counts the payments that ended, both paid and unpaid. It stores the counts every minute and
// before it stops. If a provider account's success rate falls, the operator gets an email.

import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { storeOutcomes } from '../notices/store-outcomes.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 60_000

export function startOutcomeCounts(app: { db: Db; log: Logger }): Periodic {
  const onError = (error: unknown) =>
    app.log.error({ err: error }, 'could not store the counts of ended payments; will retry')
  const periodic = runPeriodically(PAUSE_MS, () => storeOutcomes(app), onError)
  return {
    async stop() {
      await periodic.stop()
      await storeOutcomes(app).catch(onError)
    },
  }
}
