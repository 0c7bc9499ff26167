// Statements that delete expired rows. Each statement deletes up to `limit` rows and returns whether there may be more
// expired rows.

import type { Db } from '../db/db.ts'
import { exhaustedJobs } from '../db/job-queue.sql.ts'
import { firstIdAt } from '../values/id.ts'

type Step = (db: Db, before: Date, limit: number) => Promise<boolean>

/**
 * Returns a statement that deletes rows by their primary key. The statement skips rows that other transactions have
 * locked, so that it does not wait for these transactions.
 */
const step =
  (table: string, key: string, isOver: string): Step =>
  async (db, before, limit) => {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `delete from ${table} where (${key}) in (
         select ${key} from ${table} where ${isOver} limit :limit for update skip locked)`,
      { before, limit },
    )
    return rowCount === limit
  }

/**
 * Deletes old rejected callbacks. This table stays small, because it has at most a fixed number of rows per provider
 * account.
 */
export const deleteRejectedCallbacks = step(
  'rejected_callbacks',
  'provider_account_id, slot',
  'received_at < :before',
)
/**
 * Deletes expired refresh tokens. Even a used token is stored until it expires, because using it again must revoke its
 * session.
 */
export const deleteRefreshTokens = step('refresh_tokens', 'token_hash', 'expires_at < :before')
/** Deletes replaced provider account credentials that have expired and no longer verify callbacks. */
export const deleteExpiredCredentials = step('previous_provider_credentials', 'id', 'valid_until < :before')
/** Deletes the stored responses to management requests whose idempotency key has expired. */
export const deleteManagementRequests = step('management_requests', 'id', 'expires_at < :before')
/**
 * Deletes notices (records of problems about which users were notified) if the problem ended before the given
 * time.
 */
export const deleteNotices = step('notices', 'id', 'ended_at < :before')
/**
 * Deletes hourly counts of paid and unpaid payments that are too old to be compared with new counts
 * (notices/account-outcome.sql.ts).
 */
export const deleteAccountOutcomes = step('account_outcomes', 'hour, provider_account_id', 'hour < :before')
export const deleteSessionKeys = step('session_keys', 'id', 'expires_at < :before')
/** Deletes failed login counts that are too old to have any effect (auth/log-in/login-throttle.ts). */
export const deleteLoginThrottles = step('login_throttles', 'subject, lane', 'last_at < :before')
/**
 * Deletes old rows from `sessions`. An open session was used within the lifetime of a refresh token. The row of an open
 * session is therefore never old enough to be deleted.
 */
export const deleteSessions = step('sessions', 'id', 'last_used_at < :before')
export const deleteInvitations = step('invitations', 'token_hash', 'expires_at < :before')
export const deletePasswordResets = step('password_resets', 'token_hash', 'expires_at < :before')
/**
 * Deletes jobs that have used all their attempts. Their work is not lost, because a periodic job (the sweep)
 * processes the rows for which these jobs were created.
 */
export const deleteExhaustedJobs = step(exhaustedJobs.table, exhaustedJobs.key, exhaustedJobs.isOver)

export async function listTenantIds(db: Db): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>('select id from tenants order by id')
  return rows.map(({ id }) => id)
}

/**
 * Reads up to `limit` of a tenant's events that are older than `before`, starting after the event `afterId`. Returns
 * the last of these events, after which the next step starts, or undefined if no old events remain.
 *
 * Deletes these events, except events that are still in the queue (pending, failed or undeliverable). Also deletes the
 * deliveries of all these events to additional endpoints, whatever the status of the deliveries.
 */
export async function deleteDeliveredEvents(
  db: Db,
  tenantId: string,
  { afterId, before, limit }: { afterId: string; before: Date; limit: number },
): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { lastId: string; count: bigint }[] }>(
    `with page as materialized (
       select id from webhook_events
       where tenant_id = :tenantId and id > :afterId and id < :beforeId order by id limit :limit
     ), dropped_attempts as (
       delete from additional_attempts a using page where a.tenant_id = :tenantId and a.event_id = page.id
     ), dropped_deliveries as (
       delete from additional_deliveries d using page where d.tenant_id = :tenantId and d.event_id = page.id
     ), dropped as (
       delete from webhook_events e using page
       where e.tenant_id = :tenantId and e.id = page.id and not exists (
         select from webhook_queue q where q.tenant_id = :tenantId and q.event_id = page.id)
     )
     select id as "lastId", count(*) over () as count from page order by id desc limit 1`,
    { tenantId, afterId, beforeId: firstIdAt(before), limit },
  )
  return Number(rows[0]?.count) === limit ? rows[0]?.lastId : undefined
}

/**
 * Deletes webhook queue entries whose event no longer exists. Such an entry remains if a user redelivers an event
 * while the event is being deleted.
 */
export async function deleteQueueEntriesWithoutEvent(db: Db, tenantId: string, before: Date): Promise<void> {
  await db.raw(
    `delete from webhook_queue q
     where q.tenant_id = :tenantId and q.event_id < :beforeId and not exists (
       select from webhook_events e where e.tenant_id = :tenantId and e.id = q.event_id)`,
    { tenantId, beforeId: firstIdAt(before) },
  )
}
