import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { firstIdAt } from '../values/id.ts'
import type { Clock } from '../values/time.ts'
import { readNow } from './now.ts'
import {
  dropDeliveredEvents,
  dropExpiredCredentials,
  dropGivenUpJobs,
  dropLoginThrottles,
  dropPasswordResets,
  dropQueuedWithoutEvent,
  dropRefreshTokens,
  dropRejectedCallbacks,
  dropSessionKeys,
  listTenantIds,
} from './outdated.sql.ts'
import { daysBefore, type Retention } from './retention.ts'

type Deps = { db: Db; clock: Clock; log: Logger; retention: Retention }

/** The number of rows that one step deletes. Such a step holds its locks for only a few milliseconds. */
const ROWS_AT_ONCE = 1_000

/**
 * Deletes rows past their retention period in small steps, until none are left or `stop` aborts. Several processes may
 * run this at once. A failure in one table is logged and does not affect the other tables; the next hourly run tries
 * that table again.
 */
export async function dropOutdated(app: Deps, stop: AbortSignal, rowsAtOnce = ROWS_AT_ONCE): Promise<void> {
  const { callbackDays, eventDays, sessionDays } = app.retention
  const whole: [table: string, days: number | undefined, step: typeof dropRefreshTokens][] = [
    ['rejected_callbacks', callbackDays, dropRejectedCallbacks],
    ['previous_provider_credentials', 0, dropExpiredCredentials],
    ['refresh_tokens', sessionDays, dropRefreshTokens],
    ['password_resets', sessionDays, dropPasswordResets],
    ['session_keys', 0, dropSessionKeys],
    ['login_throttles', 1, dropLoginThrottles],
    ['jobs', sessionDays, dropGivenUpJobs],
  ]
  const see = async (table: string, days: number | undefined, drop: (before: Date) => Promise<void>) => {
    if (days === undefined || stop.aborted) return
    await readNow(app, app.db)
      .then(now => drop(daysBefore(now, days)))
      .catch(error =>
        app.log.error({ err: error, table }, 'data past its retention period could not be deleted'),
      )
  }
  for (const [table, days, step] of whole)
    await see(table, days, async before => {
      while ((await step(app.db, before, rowsAtOnce)) && !stop.aborted);
    })
  await see('webhook_events', eventDays, async before => {
    for (const tenantId of await listTenantIds(app.db)) {
      if (stop.aborted) return
      await dropEventsOf(app.db, tenantId, before, stop, rowsAtOnce)
    }
  })
}

async function dropEventsOf(
  db: Db,
  tenantId: string,
  before: Date,
  stop: AbortSignal,
  limit: number,
): Promise<void> {
  let afterId: string | undefined = firstIdAt(new Date(0))
  while (afterId !== undefined && !stop.aborted)
    afterId = await dropDeliveredEvents(db, tenantId, { afterId, before, limit })
  await dropQueuedWithoutEvent(db, tenantId, before)
}
