import { reconciledAge } from '../daily-reconciliation/run.sql.ts'
import type { Db, Tx } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import { dueJobs } from '../db/job-queue.sql.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { queryShards } from '../db/shard-query.ts'
import { ledgerDifferenceIsOpen } from '../ledger/ledger-difference.sql.ts'
import { accountsWithChecks, dueOfTenant, tenantsWithChecks } from '../payments/inquire/next-check.sql.ts'
import { endpointDue, endpointFirst } from '../webhooks/additional/claim-deliveries.sql.ts'

/**
 * The sizes of the backlogs, in rows, and their ages, in seconds, by the database's clock. An empty backlog has the
 * age 0.
 */
export type Backlog = Record<
  | 'callbacks'
  | 'callbacksAge'
  | 'unknown'
  | 'unknownAge'
  | 'checks'
  | 'checksOverdue'
  | 'webhooks'
  | 'webhooksOverdue'
  | 'jobs'
  | 'jobsOverdue'
  | 'unexpectedMoney'
  | 'unreadable'
  | 'ledgerDifferences'
  | 'ledgerVerifiedAge'
  | 'reconciliationDifferences'
  | 'reconciliationUnchecked'
  | 'reconciledAge'
  | 'workers',
  number
>

/** Rows are counted only up to this number, because an operator would react to any larger backlog in the same way. */
const COUNTED_AT_MOST = 10_000

const age = (time: string, table: string) =>
  `(select coalesce(greatest(extract(epoch from now() - min(${time})), 0), 0)::float8 from ${table})`
const count = (table: string) => `(select count(*)::integer from ${table})`

// Each query reads pending rows from the start of a partial index that does not contain finished rows. The
// query for overdue webhooks reads one row per tenant and per endpoint.
const callback = `callback as (
     select received_at from provider_callbacks where status = 'received' order by received_at limit :atMost::integer
   )`
const ofCallbacks = `${count('callback')} as callbacks, ${age('received_at', 'callback')} as "callbacksAge"`

const unknownAndDue = `unknown as (
     select updated_at from payments where status = 'unknown' order by updated_at limit :atMost::integer
   ), ${accountsWithChecks}, ${tenantsWithChecks('account')}, due as (
     select found.next_check_at from tenant cross join lateral (
       select next_check_at from payments ${dueOfTenant('tenant', 'now()')} limit :atMost::integer
     ) found limit :atMost::integer
   ), due_first as (
     select first_check_at as next_check_at from tenant where first_check_at <= now()
   )`
const ofPayments = `${count('unknown')} as unknown, ${age('updated_at', 'unknown')} as "unknownAge",
          ${count('due')} as checks, ${age('next_check_at', 'due_first')} as "checksOverdue"`

const pendingEvents = `select next_attempt_at from webhook_queue where status = 'pending'
      order by tenant_id, next_attempt_at limit :atMost::integer`
const pendingDeliveries = `select next_attempt_at from additional_deliveries where status = 'pending'
      order by tenant_id, endpoint_id, next_attempt_at limit :atMost::integer`
const firstOfTenant = `first as (
     (select tenant_id, next_attempt_at from webhook_queue
      where status = 'pending' order by tenant_id, next_attempt_at limit 1)
     union all
     select following.* from first cross join lateral (
       select tenant_id, next_attempt_at from webhook_queue
       where status = 'pending' and tenant_id > first.tenant_id order by tenant_id, next_attempt_at limit 1
     ) following
   )`

// Before the first ledger verification has ended, its start time counts as the time of the last verification. Without
// such a time, the alert GapuraLedgerNotVerified could not fire while every verification fails.
const onCoordinator = `job as (
     ${dueJobs(':atMost::integer')}
   ), money as (
     select from unexpected_money where status = 'open' order by id limit :atMost::integer
   ), unreadable as (
     select from unreadable_callbacks order by callback_id limit :atMost::integer
   ), difference as (
     select from ledger_differences where ${ledgerDifferenceIsOpen} limit :atMost::integer
   ), disagreement as (
     select from reconciliation_differences where closed_at is null order by id limit :atMost::integer
   ), unchecked as (
     select from reconciliation_checks where outcome is null order by day, mode limit :atMost::integer
   ), verified as (
     select coalesce(
       (select ended_at from ledger_verifications where ended_at is not null order by day desc limit 1),
       (select started_at from ledger_verifications order by day limit 1)
     ) as verified_at
   )`
const ofCoordinator = `${count('job')} as jobs, ${age('run_at', 'job')} as "jobsOverdue",
          ${count('money')} as "unexpectedMoney", ${count('unreadable')} as unreadable,
          ${count('difference')} as "ledgerDifferences", ${age('verified_at', 'verified')} as "ledgerVerifiedAge",
          ${count('disagreement')} as "reconciliationDifferences", ${count('unchecked')} as "reconciliationUnchecked",
          coalesce(${reconciledAge}, 0) as "reconciledAge",
          (select count(*)::integer from workers where seen_at > now() - interval '15 seconds') as workers`

const read = preparedStatement<Backlog>(
  `with recursive ${callback}, ${unknownAndDue}, webhook as (
     (${pendingEvents})
     union all
     (${pendingDeliveries})
     limit :atMost::integer
   ), ${endpointFirst}, ${endpointDue}, ${firstOfTenant}, webhook_due as (
     select next_attempt_at from first union all select next_attempt_at from endpoint_due
   ), ${onCoordinator}
   select ${ofCallbacks}, ${ofPayments},
          ${count('webhook')} as webhooks, ${age('next_attempt_at', 'webhook_due')} as "webhooksOverdue",
          ${ofCoordinator}`,
)

export async function readBacklog(db: Db): Promise<Backlog> {
  if (isDistributed(db)) return readBacklogOfShards(db)
  const [backlog] = await withoutScans(db, tx => read(tx, { atMost: COUNTED_AT_MOST }))
  if (!backlog) throw new Error('the backlog query returned no row')
  return backlog
}

/**
 * Prevents two slow query plans. With outdated statistics, PostgreSQL could scan a whole large table. For the table
 * `workers`, which has no suitable index, it could start a JIT compilation that takes several seconds.
 */
const withoutScans = <Row>(db: Db, query: (tx: Tx) => Promise<Row[]>): Promise<Row[]> =>
  db.transaction(async tx => {
    await tx.raw('set local enable_seqscan = off; set local jit = off')
    return query(tx)
  })

/**
 * The backlogs (numbers and ages of waiting rows) on one shard. `firsts` contains the first overdue delivery
 * of each additional webhook endpoint.
 */
type BacklogOfShard = Partial<Backlog> & { firsts?: unknown[] }

const ofShard: Record<string, string> = {
  provider_callbacks: `with ${callback} select ${ofCallbacks}`,
  payments: `with recursive ${unknownAndDue} select ${ofPayments}`,
  webhook_queue: `with recursive webhook as (${pendingEvents}), ${firstOfTenant}
    select ${count('webhook')} as webhooks, ${age('next_attempt_at', 'first')} as "webhooksOverdue"`,
  additional_deliveries: `with recursive webhook as (${pendingDeliveries}), ${endpointFirst}
    select ${count('webhook')} as webhooks, coalesce((
      select jsonb_agg(to_jsonb(endpoint_first)) from endpoint_first where next_attempt_at < now()), '[]') as firsts`,
}

// This part of the query runs on the coordinator. Only the coordinator knows which endpoints are disabled, and a query
// on a shard cannot join the coordinator's table.
const readRest = preparedStatement<Partial<Backlog>>(
  `with endpoint_first as (
     select * from jsonb_to_recordset(:firsts::jsonb)
       as f (tenant_id uuid, endpoint_id uuid, next_attempt_at timestamptz)
   ), ${endpointDue}, ${onCoordinator}
   select ${age('next_attempt_at', 'endpoint_due')} as "webhooksOverdue", ${ofCoordinator}`,
)

/**
 * Adds up the backlogs from all shards of a distributed database. The age of a backlog is the age of the
 * oldest row on any shard.
 */
async function readBacklogOfShards(db: Db): Promise<Backlog> {
  const parts: Partial<Backlog>[] = []
  const firsts: unknown[] = []
  for (const [table, query] of Object.entries(ofShard))
    for (const { firsts: found = [], ...part } of await queryShards<BacklogOfShard>(db, table, query, {
      atMost: COUNTED_AT_MOST,
    })) {
      parts.push(part)
      firsts.push(...found)
    }
  const values = { firsts: JSON.stringify(firsts), atMost: COUNTED_AT_MOST }
  parts.push(...(await withoutScans(db, tx => readRest(tx, values))))
  const backlog: Record<string, number> = {}
  for (const [key, value] of parts.flatMap(part => Object.entries(part)))
    backlog[key] = isAge(key)
      ? Math.max(backlog[key] ?? 0, value)
      : Math.min((backlog[key] ?? 0) + value, COUNTED_AT_MOST)
  return backlog as Backlog
}

const isAge = (key: string): boolean => /(Age|Overdue)$/.test(key)
