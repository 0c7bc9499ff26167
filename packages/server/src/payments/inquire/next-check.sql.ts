// Queries for payments' scheduled checks. A check is a status inquiry to the provider. `payments.next_check_at` is
// the time of a payment's next check.

import { batchedWrite } from '../../db/batch/batched-write.ts'
import type { Db } from '../../db/db.ts'
import { groupsByShard, isDistributed, shardedStatement } from '../../db/distributed-database.ts'
import { preparedStatement } from '../../db/prepared-statement.ts'
import { queryShards } from '../../db/shard-query.ts'
import { type PaymentKey, paymentColumns } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { type DuePayment, fairShare } from './fair-share.ts'

const NIL = '00000000-0000-0000-0000-000000000000'
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

type FreeSlots = { accountId: string; room: number }

/**
 * Limits for one call to `claimDuePayments`. Each payment check (status inquiry) in flight takes one slot.
 *
 * - freeSlots: the maximum number of payments to claim, across all accounts.
 * - slotsOfAccounts: the free slots of each listed provider account.
 * - slotsOfOtherAccounts: the free slots of every other account.
 * - slotsOfTenants: the free slots of each tenant that already has checks in flight at an account. Every
 *   other tenant gets up to three quarters of the account's free slots.
 * - lastTenants: for each account, the tenant whose payments were claimed last.
 */
export type ClaimLimits = {
  freeSlots: number
  slotsOfAccounts: FreeSlots[]
  slotsOfOtherAccounts: number
  slotsOfTenants: (FreeSlots & { tenantId: string })[]
  lastTenants: { accountId: string; tenantId: string }[]
}

/**
 * Finds every provider account with a scheduled check. Each step looks up the next account in the index (a
 * loose index scan). PostgreSQL never plans such a scan itself.
 */
export const accountsWithChecks = `account as (
     (select provider_account_id as id from payments where next_check_at is not null
      order by provider_account_id limit 1)
     union all
     select (select p.provider_account_id from payments p
             where p.next_check_at is not null and p.provider_account_id > account.id
             order by p.provider_account_id limit 1)
     from account where account.id is not null
   )`

/**
 * Finds every tenant with a scheduled check at the accounts, and the time of the tenant's first check, with
 * one index lookup per tenant. Whole rows are compared, because only then does PostgreSQL use the index on
 * account and tenant.
 */
export const tenantsWithChecks = (accounts: string): string => `tenant as (
     select ${accounts}.id as account_id, first.tenant_id as id, first.next_check_at as first_check_at
     from ${accounts} cross join lateral (${firstTenantAfter(`${accounts}.id`, `'${NIL}'`)}) first
     union all
     select tenant.account_id, following.tenant_id, following.next_check_at
     from tenant cross join lateral (${firstTenantAfter('tenant.account_id', 'tenant.id')}) following
   )`

const firstTenantAfter = (account: string, tenant: string): string =>
  `select p.tenant_id, p.next_check_at from payments p
   where p.next_check_at is not null
     and (p.provider_account_id, p.tenant_id) > (${account}, ${tenant}) and (p.provider_account_id, p.tenant_id) <= (${account}, '${LAST}')
   order by p.provider_account_id, p.tenant_id, p.next_check_at limit 1`

/**
 * SQL for one tenant's due payments at one account, earliest first. The row comparison forces the planner to use
 * the index on account and tenant.
 */
export const dueOfTenant = (tenant: string, now: string): string =>
  `where next_check_at is not null
     and (provider_account_id, tenant_id, next_check_at) >= (${tenant}.account_id, ${tenant}.id, '-infinity')
     and (provider_account_id, tenant_id, next_check_at) <= (${tenant}.account_id, ${tenant}.id, ${now})
   order by provider_account_id, tenant_id, next_check_at`

/**
 * Claims payments whose status inquiry is due, and postpones their next inquiry to `until`. If this process crashes,
 * another process can claim them after `until`.
 *
 * Each account gets an equal share of `freeSlots`, and each tenant of the account gets an equal part of this share. If
 * a share has fewer slots than tenants, the tenants take turns. The next call can use the slots that this call leaves
 * unused.
 *
 * Only each tenant's earliest due checks are read, so the cost does not grow with the number of due payments.
 */
export async function claimDuePayments(
  db: Db,
  now: Date,
  until: Date,
  limits: ClaimLimits,
): Promise<Payment[]> {
  if (isDistributed(db)) return claimOnShards(db, now, until, limits)
  const { rows } = await db.raw<{ rows: Payment[] }>(
    `${dueShares('for update skip locked')}, numbered as (
       select *, row_number() over (partition by account_id order by place, turn) as number from due
     ), chosen as (
       select tenant_id, id from numbered where number <= share order by number, next_check_at limit :room
     )
     update payments p set next_check_at = :until, last_checked_at = :now
     from chosen where p.tenant_id = chosen.tenant_id and p.id = chosen.id
     returning ${paymentColumns}`,
    { ...valuesOf(limits), now, until },
  )
  return rows
}

/**
 * Returns SQL for the common table expression `due`, which selects due payments. Each provider account gets
 * at most its share of the free slots. `lock` is the SQL clause that locks the payments.
 */
const dueShares = (lock: string): string =>
  `with recursive ${accountsWithChecks}, eligible as materialized (
       select account.id, coalesce(known.room, :roomOfEach) as room, served.tenant_id as last_tenant_id,
         least(coalesce(known.room, :roomOfEach), :room / count(*) over () + 1) as share
       from account left join unnest(:accounts::uuid[], :rooms::integer[]) as known (id, room) on known.id = account.id
         left join unnest(:servedAccounts::uuid[], :servedTenants::uuid[]) as served (id, tenant_id) on served.id = account.id
       where account.id is not null and coalesce(known.room, :roomOfEach) > 0
     ), ${tenantsWithChecks('eligible')}, waiting as materialized (
       select tenant.*, share, coalesce(held.room, (3 * eligible.room + 3) / 4) as room, count(*) over account as tenants,
         row_number() over (account order by tenant.id <= last_tenant_id, tenant.id) as turn
       from tenant join eligible on eligible.id = account_id
         left join unnest(:heldAccounts::uuid[], :heldTenants::uuid[], :held::integer[]) as held (account_id, tenant_id, room)
           on held.account_id = tenant.account_id and held.tenant_id = tenant.id
       where first_check_at <= :now and coalesce(held.room, 1) > 0
       window account as (partition by tenant.account_id)
     ), due as materialized (
       select found.*, account_id, share, turn,
         row_number() over (partition by account_id, turn order by next_check_at) as place
       from waiting cross join lateral (
         select tenant_id, id, next_check_at from payments
         ${dueOfTenant('waiting', ':now')}
         limit least(waiting.room, share / tenants + 1)
         ${lock}
       ) found
       where turn <= share
     )`

const valuesOf = ({
  freeSlots,
  slotsOfAccounts,
  slotsOfOtherAccounts,
  slotsOfTenants,
  lastTenants,
}: ClaimLimits) => ({
  room: freeSlots,
  roomOfEach: slotsOfOtherAccounts,
  accounts: slotsOfAccounts.map(each => each.accountId),
  rooms: slotsOfAccounts.map(each => each.room),
  heldAccounts: slotsOfTenants.map(each => each.accountId),
  heldTenants: slotsOfTenants.map(each => each.tenantId),
  held: slotsOfTenants.map(each => each.room),
  servedAccounts: lastTenants.map(each => each.accountId),
  servedTenants: lastTenants.map(each => each.tenantId),
})

const claimOfTenant = preparedStatement<Payment>(
  `with due as (
     select id from payments where tenant_id = :tenantId and id = any(:ids::uuid[]) and next_check_at <= :now
     order by id for update skip locked
   )
   update payments p set next_check_at = :until, last_checked_at = :now
   from due where p.tenant_id = :tenantId and p.id = due.id
   returning ${paymentColumns}`,
)

/**
 * Claims due payments on a distributed database. Each shard returns the payments it would claim if it were the only
 * shard. From these payments, this function chooses a fair share and claims it, except for payments that another
 * process has claimed.
 */
async function claimOnShards(db: Db, now: Date, until: Date, limits: ClaimLimits): Promise<Payment[]> {
  const due = await queryShards<DuePayment>(
    db,
    'payments',
    `${dueShares('')}
     select due.tenant_id as "tenantId", due.id, due.account_id as "accountId", due.place::integer as place,
            due.next_check_at as "nextCheckAt", eligible.room as "roomOfAccount",
            coalesce(due.tenant_id <= last_tenant_id, false) as "hadTurn"
     from due join eligible on eligible.id = due.account_id`,
    { ...valuesOf(limits), now },
  )
  const payments: Payment[] = []
  for (const [tenantId, ofTenant] of Map.groupBy(fairShare(due, limits.freeSlots), each => each.tenantId))
    payments.push(...(await claimOfTenant(db, { tenantId, ids: ofTenant.map(({ id }) => id), now, until })))
  return payments
}

// Payments are locked in key order, as in `lockPayments`, so that two concurrent batches cannot deadlock.
const postpone = shardedStatement(
  only => `with locked as (
     select p.tenant_id, p.id, c.next_check_at
     from payments p
     join unnest(:tenantIds::uuid[], :ids::uuid[], :transitionCounts::integer[], :ats::timestamptz[])
       as c (tenant_id, id, transition_count, next_check_at)
       on p.tenant_id = c.tenant_id and p.id = c.id and p.transition_count = c.transition_count
          ${only('p.tenant_id')}
     order by p.tenant_id, p.id
     for update of p
   )
   update payments p set next_check_at = locked.next_check_at
   from locked where p.tenant_id = locked.tenant_id and p.id = locked.id ${only('p.tenant_id')}`,
)

export type PostponedCheck = { payment: Payment; nextCheckAt: Date | null }

export async function postponeChecks(db: Db, checks: PostponedCheck[]): Promise<void> {
  const tenantIds = checks.map(({ payment }) => payment.tenantId)
  await postpone(db, tenantIds, {
    tenantIds,
    ids: checks.map(({ payment }) => payment.id),
    transitionCounts: checks.map(({ payment }) => payment.transitionCount),
    ats: checks.map(({ nextCheckAt }) => nextCheckAt),
  })
}

const postponeOne = batchedWrite('postpone_checks', {
  tenantOf: ({ payment }: PostponedCheck) => payment.tenantId,
  async run(db, checks) {
    await postponeChecks(db, checks)
    return checks.map(() => undefined)
  },
})

/**
 * Sets the time of the payment's next check, or removes it if `nextCheckAt` is null. Does nothing if the payment's
 * status has changed meanwhile, because that change has already set the right time.
 */
export const postponeCheckInBatch = async (
  db: Db,
  payment: Payment,
  nextCheckAt: Date | null,
): Promise<void> => {
  await postponeOne(db, { payment, nextCheckAt })
}

/**
 * A request to check a payment's status before its next scheduled check. `isPolled` is true if the merchant
 * polls the payment, and false if the payer opened its page or returned from the e-wallet.
 */
export type EarlyCheck = PaymentKey & { isPolled: boolean }

// If a merchant polls a payment, the delay between status checks is one twentieth of the payment's age, up to 15
// minutes. The creation of the payment counts as the first check. With a shorter delay, merchants who poll abandoned
// payments for weeks would use up the provider's rate limit.
//
// A lateral query finds each requested payment by its key. A plain join took up to 7.5 seconds for 1,000 payments. If
// PostgreSQL's statistics showed few scheduled checks, the join compared every pending payment with every requested
// payment.
const bringForward = shardedStatement(
  only => `with open as (
     select p.tenant_id, p.id, greatest(
       :now::timestamptz,
       coalesce(p.last_checked_at, p.created_at) + greatest(
         interval '45 seconds',
         case when k.is_polled then least((:now::timestamptz - p.created_at) / 20, interval '15 minutes') end
       )) as at
     from unnest(:tenantIds::uuid[], :ids::uuid[], :arePolled::boolean[]) as k (tenant_id, id, is_polled)
     cross join lateral (
       select * from payments where tenant_id = k.tenant_id and id = k.id ${only('tenant_id')}
       limit 1 for update skip locked
     ) p
     where p.status in ('pending', 'challenged') and p.next_check_at > :now
   )
   update payments p set next_check_at = open.at
   from open where p.tenant_id = open.tenant_id and p.id = open.id and p.next_check_at > open.at
     ${only('p.tenant_id')}`,
)

/**
 * The number of payments per statement. With 1,000 payments, PostgreSQL would read the whole table instead of
 * looking up each payment, unless the table is much larger.
 */
const CHECKS_PER_STATEMENT = 100

/**
 * Moves the next check of open payments to an earlier time: to now, or to 45 seconds after the last check if that is
 * later. Skips locked payments, because the transaction that holds the lock may be changing their status.
 */
export async function bringChecksForward(db: Db, checks: EarlyCheck[], now: Date): Promise<void> {
  for (const group of groupsByShard(db, checks, each => each.tenantId))
    for (let start = 0; start < group.length; start += CHECKS_PER_STATEMENT) {
      const some = group.slice(start, start + CHECKS_PER_STATEMENT)
      const tenantIds = some.map(check => check.tenantId)
      await bringForward(db, tenantIds, {
        tenantIds,
        ids: some.map(check => check.paymentId),
        arePolled: some.map(check => check.isPolled),
        now,
      })
    }
}

/** A cursor for `listChecksOfPending`: the last row of a page, after which the next page starts. */
export type CheckCursor = Pick<Payment, 'providerAccountId' | 'nextCheckAt' | 'tenantId' | 'id'>

/**
 * Lists pending payments whose next status check is in the future, one page of index entries at a time. The index
 * entries are for payments with any status, so `payments` can be empty even if more pages follow. The next page starts
 * after `last`.
 */
export async function listChecksOfPending(
  db: Db,
  after: CheckCursor | undefined,
  now: Date,
  limit: number,
): Promise<{ last: CheckCursor | undefined; payments: Payment[] }> {
  const { rows } = await db.raw<{ rows: Payment[] }>(
    `select ${paymentColumns} from payments p
     where (p.provider_account_id, p.tenant_id, p.next_check_at, p.id)
           > (:account::uuid, :tenantId::uuid, :at::timestamptz, :id::uuid) and p.next_check_at > :now
     order by p.provider_account_id, p.tenant_id, p.next_check_at, p.id limit :limit`,
    {
      account: after?.providerAccountId ?? NIL,
      at: after?.nextCheckAt ?? new Date(0),
      tenantId: after?.tenantId ?? NIL,
      id: after?.id ?? NIL,
      now,
      limit,
    },
  )
  return { last: rows.at(-1), payments: rows.filter(({ status }) => status === 'pending') }
}

/**
 * Lists challenged payments (waiting for a fraud review, or partly paid) that have no scheduled check, least
 * recently updated first.
 */
export async function listUncheckedChallenged(db: Db, since: Date, limit: number): Promise<Payment[]> {
  const { rows } = await db.raw<{ rows: Payment[] }>(
    `select ${paymentColumns} from payments p
     where p.status = 'challenged' and p.updated_at > ? and p.next_check_at is null order by p.updated_at limit ?`,
    [since, limit],
  )
  return rows
}
