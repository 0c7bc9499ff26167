// Inserts data past its retention period, which the retention benchmark then deletes.

import type { Db } from '../../packages/server/src/db/db.ts'
import { firstIdAt } from '../../packages/server/src/values/id.ts'
import type { Tenant } from '../host/database.ts'

const DAY_MS = 86_400_000
/**
 * The age in days of the data that the retention benchmark deletes. It exceeds the shortest retention period
 * that the service allows.
 */
export const OLD_DAYS = 200

const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS)

/** Inserts delivered webhook events, spread evenly over the tenants. */
export async function addOldEvents(db: Db, tenants: Tenant[], count: number): Promise<void> {
  await db.raw(
    `insert into webhook_events (tenant_id, id, payment_id, number, mode, type, body, created_at)
     select (:tenants::uuid[])[1 + n % :length::integer], uuidv7(:age::interval), uuidv7(), 2, 'live', 'payment.paid',
       repeat('{"amount":"150000"}', 30), now() + :age::interval
     from generate_series(1, :count::integer) n`,
    {
      tenants: tenants.map(({ id }) => id),
      length: tenants.length,
      age: `-${OLD_DAYS} days`,
      count,
    },
  )
}

export async function countOldEvents(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: [{ count: number }] }>(
    `select count(*)::integer as count from webhook_events where created_at < now() - interval '${OLD_DAYS - 1} days'`,
  )
  return rows[0].count
}

/** The name of a partition with old delivery attempts. Each benchmark round has its own partition. */
export const oldPartition = (round: number): string => `webhook_attempts_old_${round}`

/**
 * Adds one old partition of delivery attempts for each benchmark round, before all existing partitions. The
 * first existing partition has no lower bound, so it covers all earlier times. It is therefore detached
 * first, and attached again at the end.
 */
export async function addOldPartitions(db: Db, rounds: number, rowsOfEach: number): Promise<void> {
  const { rows } = await db.raw<{ rows: [{ name: string; before: string }] }>(
    `select relname as name, substring(pg_get_expr(relpartbound, oid) from 'TO [(]''([0-9a-f-]+)''') as before
     from pg_class join pg_inherits on inhrelid = oid
     where inhparent = 'webhook_attempts'::regclass and pg_get_expr(relpartbound, oid) <> 'DEFAULT' order by 2 limit 1`,
  )
  const [first] = rows
  await db.raw(`alter table webhook_attempts detach partition ${first.name}`)
  let from = 'minvalue'
  for (let round = 0; round < rounds; round += 1) {
    const start = daysAgo(OLD_DAYS + rounds - round)
    const to = `'${firstIdAt(daysAgo(OLD_DAYS + rounds - round - 1))}'`
    await db.raw(
      `create table ${oldPartition(round)} partition of webhook_attempts for values from (${from}) to (${to})`,
    )
    await db.raw(
      `insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms, response_status, response_body)
       select uuidv7(), uuidv7(:start::timestamptz - clock_timestamp() + interval '1 hour'), 1, :start, 12, 200, 'ok'
       from generate_series(1, :count::integer)`,
      { start, count: rowsOfEach },
    )
    from = to
  }
  await db.raw(
    `alter table webhook_attempts attach partition ${first.name} for values from (${from}) to ('${first.before}')`,
  )
}
