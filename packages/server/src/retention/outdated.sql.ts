// Each statement takes one step: so many rows at most, and says whether there may be more.

import type { Db } from '../db/db.ts'
import { firstIdAt } from '../id.ts'

type Step = (db: Db, before: Date, limit: number) => Promise<boolean>

/** By the primary key, which a row that others hold just now does not stop. */
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

/** At most as many as an account has slots. */
export const dropRejectedCallbacks = step(
  'rejected_callbacks',
  'provider_account_id, slot',
  'received_at < :before',
)
/** A spent token that comes back ends its session for as long as it could have been used: so those stay until then. */
export const dropRefreshTokens = step('refresh_tokens', 'token_hash', 'expires_at < :before')
/** They verify nothing any more. */
export const dropExpiredCredentials = step('previous_provider_credentials', 'id', 'valid_until < :before')
export const dropSessionKeys = step('session_keys', 'id', 'expires_at < :before')
/** They count for nothing (auth/login-throttle.ts). */
export const dropLoginThrottles = step('login_throttles', 'subject, lane', 'last_at < :before')
export const dropPasswordResets = step('password_resets', 'token_hash', 'expires_at < :before')
/** Jobs that were tried as often as can be: what they were to look at is looked at by the sweep. */
export const dropGivenUpJobs = step(
  'graphile_worker._private_jobs',
  'id',
  'attempts >= max_attempts and locked_at is null and updated_at < :before',
)

export async function listTenantIds(db: Db): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>('select id from tenants order by id')
  return rows.map(({ id }) => id)
}

/**
 * Of one tenant, from one event on; where the next step begins, undefined at the end. What is in the queue is pending,
 * failed or had nowhere to go, and stays.
 */
export async function dropDeliveredEvents(
  db: Db,
  tenantId: string,
  { afterId, before, limit }: { afterId: string; before: Date; limit: number },
): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { lastId: string; count: bigint }[] }>(
    `with page as materialized (
       select id from webhook_events
       where tenant_id = :tenantId and id > :afterId and id < :beforeId order by id limit :limit
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

/** Whoever has an event sent again in the moment in which it is dropped leaves a place in the queue for nothing. */
export async function dropQueuedWithoutEvent(db: Db, tenantId: string, before: Date): Promise<void> {
  await db.raw(
    `delete from webhook_queue q
     where q.tenant_id = :tenantId and q.event_id < :beforeId and not exists (
       select from webhook_events e where e.tenant_id = :tenantId and e.id = q.event_id)`,
    { tenantId, beforeId: firstIdAt(before) },
  )
}
