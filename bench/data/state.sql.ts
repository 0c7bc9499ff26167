// Contains the SQL for the worker benchmarks. The SQL sets up the database before a round, shows when the work is
// done, and checks the result.

import type { Db } from '../../packages/server/src/db/db.ts'
import { firstIdAt } from '../../packages/server/src/values/id.ts'
import type { Tenant } from '../host/database.ts'

/** Sets the webhook URL of the given tenants. If `url` is null, the service sends no events for these tenants. */
export async function setCallbackUrls(db: Db, tenants: Tenant[], url: string | null): Promise<void> {
  await db.raw('update webhook_endpoints set callback_url = ? where tenant_id = any(?)', [
    url,
    tenants.map(({ id }) => id),
  ])
}

/**
 * Returns whether accepted callbacks are waiting to be processed. A benchmark runs this query often during a round,
 * so the query reads only the first entry of an index.
 */
export const areCallbacksWaiting = (db: Db): Promise<boolean> =>
  exists(db, `select id from provider_callbacks where status = 'received' order by received_at limit 1`)

export const areEventsWaiting = (db: Db): Promise<boolean> =>
  exists(db, `select from webhook_queue where status = 'pending' order by tenant_id, next_attempt_at limit 1`)

async function exists(db: Db, sql: string): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(sql)
  return rows.length > 0
}

/**
 * Deletes the work that a benchmark round left pending, then vacuums the tables, so that autovacuum does not run
 * during the next round.
 */
export async function clear(db: Db): Promise<void> {
  await db.raw(
    `update webhook_queue set status = 'not_configured', next_attempt_at = null where status = 'pending'`,
  )
  await db.raw('truncate graphile_worker._private_jobs')
  for (const table of ['webhook_events', 'webhook_queue', 'provider_callbacks', 'payments', 'balances'])
    await db.raw(`vacuum ${table}`)
}

export type Done = { applied: number; paid: number; credited: number; queued: number; charged: number }

/**
 * Counts the results of the callbacks received since the given time: callbacks applied, payments paid, credits
 * posted, webhooks queued and fees charged. IDs are ordered by time, so the query filters by ID.
 */
export async function doneSince(db: Db, since: Date): Promise<Done> {
  const { rows } = await db.raw<{ rows: Done[] }>(
    `select count(*)::integer as applied, count(*) filter (where p.status = 'paid')::integer as paid,
            count(e.id)::integer as credited, count(w.id)::integer as queued, count(f.payment_id)::integer as charged
     from provider_callbacks c
     join payments p on p.tenant_id = c.tenant_id and p.id = c.payment_id
     left join ledger_entries e on e.tenant_id = p.tenant_id and e.payment_id = p.id and e.entry_type = 'credit'
       and e.amount = p.amount_paid
     left join (
       select e.tenant_id, e.payment_id, e.id from webhook_events e
       join webhook_queue q on q.tenant_id = e.tenant_id and q.event_id = e.id where q.status = 'pending'
     ) w on w.tenant_id = p.tenant_id and w.payment_id = p.id
     left join fee_charges f on f.tenant_id = p.tenant_id and f.payment_id = p.id
     where c.id >= ? and c.status = 'applied'`,
    [firstIdAt(since)],
  )
  return rows[0] as Done
}

/** Counts the paid payments created since the given time, and how many of them are credited. */
export async function paidSince(db: Db, since: Date): Promise<Pick<Done, 'paid' | 'credited'>> {
  const { rows } = await db.raw<{ rows: Pick<Done, 'paid' | 'credited'>[] }>(
    `select count(*)::integer as paid, count(e.id)::integer as credited
     from payments p left join ledger_entries e
       on e.tenant_id = p.tenant_id and e.payment_id = p.id and e.entry_type = 'credit' and e.amount = p.amount_paid
     where p.id >= ? and p.status = 'paid'`,
    [firstIdAt(since)],
  )
  return rows[0] as Done
}

/**
 * Counts the successful delivery attempts for these tenants' events since the given time. If attempts are missing,
 * the benchmark round fails.
 */
export async function attemptsSince(db: Db, tenants: Tenant[], since: Date): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*)::integer as count
     from webhook_events e join webhook_attempts a on a.tenant_id = e.tenant_id and a.event_id = e.id
     where e.tenant_id = any(:tenantIds) and e.id >= :firstId and a.response_status = 200`,
    { tenantIds: tenants.map(({ id }) => id), firstId: firstIdAt(since) },
  )
  return rows[0]?.count ?? 0
}

/** Returns a map from payment reference to webhook event ID. */
export async function eventsOf(db: Db, references: string[]): Promise<Map<string, string>> {
  const { rows } = await db.raw<{ rows: { reference: string; id: string }[] }>(
    `select r.reference, e.id from payment_references r
     join webhook_events e on e.tenant_id = r.tenant_id and e.payment_id = r.payment_id
     where r.reference = any(?)`,
    [references],
  )
  return new Map(rows.map(({ reference, id }) => [reference, id]))
}
