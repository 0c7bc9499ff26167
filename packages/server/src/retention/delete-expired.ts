import { REFRESH_TOKEN_DAYS } from '../auth/log-in/session.ts'
import { INVITATION_DAYS } from '../auth/team/invitation.ts'
import { removeUnacceptedUsers } from '../auth/team/remove-unaccepted-users.ts'
import type { Db } from '../db/db.ts'
import { paced } from '../db/paced.ts'
import { readEarlierClock } from '../db/read-clock.ts'
import type { Logger } from '../logging/log.ts'
import { firstIdAt } from '../values/id.ts'
import type { Clock } from '../values/time.ts'
import {
  deleteAccountOutcomes,
  deleteDeliveredEvents,
  deleteExhaustedJobs,
  deleteExpiredCredentials,
  deleteInvitations,
  deleteLoginThrottles,
  deleteManagementRequests,
  deleteNotices,
  deletePasswordResets,
  deleteQueueEntriesWithoutEvent,
  deleteRefreshTokens,
  deleteRejectedCallbacks,
  deleteSessionKeys,
  deleteSessions,
  listTenantIds,
} from './expired.sql.ts'
import { type Retention, subtractDays } from './retention.ts'

type Deps = { db: Db; clock: Clock; log: Logger; retention: Retention }

/**
 * The maximum number of rows that one deletion step deletes. The number is so small that a step holds its
 * locks for only a few milliseconds.
 */
const ROWS_AT_ONCE = 1_000

/**
 * Deletes rows past their retention period in small steps, until none are left or `stop` aborts. Several
 * processes may run this function concurrently. A failure in one table is logged, and the next hourly run
 * retries it.
 */
export async function deleteExpired(app: Deps, stop: AbortSignal, rowsAtOnce = ROWS_AT_ONCE): Promise<void> {
  const { callbackDays, eventDays, sessionDays } = app.retention
  const steps: [table: string, days: number | undefined, step: typeof deleteRefreshTokens][] = [
    ['rejected_callbacks', callbackDays, deleteRejectedCallbacks],
    ['previous_provider_credentials', 0, deleteExpiredCredentials],
    ['refresh_tokens', sessionDays, deleteRefreshTokens],
    ['password_resets', sessionDays, deletePasswordResets],
    ['sessions', sessionDays + REFRESH_TOKEN_DAYS, deleteSessions],
    ['invitations', sessionDays, deleteInvitations],
    ['users', sessionDays + INVITATION_DAYS, removeUnacceptedUsers],
    ['notices', sessionDays, deleteNotices],
    ['account_outcomes', 8, deleteAccountOutcomes],
    ['session_keys', 0, deleteSessionKeys],
    ['management_requests', 0, deleteManagementRequests],
    ['login_throttles', 1, deleteLoginThrottles],
    ['jobs', sessionDays, deleteExhaustedJobs],
  ]
  const deleteFrom = async (
    table: string,
    days: number | undefined,
    deleteBefore: (before: Date) => Promise<void>,
  ) => {
    if (days === undefined || stop.aborted) return
    await readEarlierClock(app, app.db)
      .then(now => deleteBefore(subtractDays(now, days)))
      .catch(error =>
        app.log.error({ err: error, table }, 'data past its retention period could not be deleted'),
      )
  }
  for (const [table, days, step] of steps)
    await deleteFrom(table, days, async before => {
      while ((await paced(stop, () => step(app.db, before, rowsAtOnce))) && !stop.aborted);
    })
  await deleteFrom('webhook_events', eventDays, async before => {
    for (const tenantId of await listTenantIds(app.db)) {
      if (stop.aborted) return
      await deleteEventsOf(app.db, tenantId, before, stop, rowsAtOnce)
    }
  })
}

async function deleteEventsOf(
  db: Db,
  tenantId: string,
  before: Date,
  stop: AbortSignal,
  limit: number,
): Promise<void> {
  let afterId: string | undefined = firstIdAt(new Date(0))
  while (afterId !== undefined && !stop.aborted) {
    const start: string = afterId
    afterId = await paced(stop, () => deleteDeliveredEvents(db, tenantId, { afterId: start, before, limit }))
  }
  await deleteQueueEntriesWithoutEvent(db, tenantId, before)
}
