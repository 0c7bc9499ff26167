import type { Db } from '../db/db.ts'
import { groupsByShard, shardedStatement } from '../db/distributed-database.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { daysBefore, startOfDay } from '../values/day.ts'
import type { Mode } from '../values/mode.ts'

/** A payment in an uploaded settlement. Amounts are in cents. */
export type SettledPayment = {
  settlementId: string
  providerAccountId: string
  date: string
  mode: Mode
  tenantId: string
  paymentId: string
  /**
   * Whether the settlement has lines for the payment's received money (`listsPaid`) and for its returned money
   * (`listsReturned`).
   */
  listsPaid: boolean
  listsReturned: boolean
  /** The payment's paid and returned amounts in all settlements of the provider account together. */
  paid: bigint
  returned: bigint
}

const listLines = preparedStatement<SettledPayment>(
  `select l.settlement_id as "settlementId", s.provider_account_id as "providerAccountId",
          to_char(s.date, 'YYYY-MM-DD') as date, a.mode, l.tenant_id as "tenantId", l.payment_id as "paymentId",
          l.lists_paid as "listsPaid", l.lists_returned as "listsReturned", settled.paid, settled.returned
   from (
     select settlement_id, tenant_id, payment_id, bool_or(status = 'paid') as lists_paid,
            bool_or(status <> 'paid') as lists_returned
     from settlement_lines
     where payment_id is not null
       and (settlement_id, tenant_id, payment_id) > (:settlementId::uuid, :tenantId::uuid, :paymentId::uuid)
     group by settlement_id, tenant_id, payment_id
     order by settlement_id, tenant_id, payment_id limit :limit::integer
   ) l
   join settlements s on s.id = l.settlement_id
   join provider_accounts a on a.id = s.provider_account_id
   cross join lateral (
     select coalesce(sum(o.amount) filter (where o.status = 'paid'), 0)::bigint as paid,
            coalesce(sum(o.amount) filter (where o.status <> 'paid'), 0)::bigint as returned
     from settlement_lines o join settlements other on other.id = o.settlement_id
     where o.tenant_id = l.tenant_id and o.payment_id = l.payment_id
       and other.provider_account_id = s.provider_account_id
   ) settled
   order by l.settlement_id, l.tenant_id, l.payment_id`,
)

const before = '00000000-0000-0000-0000-000000000000'

/** Lists the payments in uploaded settlements. A payment in several settlements is listed for each of them. */
export const listSettledPayments = (
  db: Db,
  after: SettledPayment | undefined,
  limit: number,
): Promise<SettledPayment[]> =>
  listLines(db, {
    settlementId: after?.settlementId ?? before,
    tenantId: after?.tenantId ?? before,
    paymentId: after?.paymentId ?? before,
    limit,
  })

/**
 * The amounts that are recorded in a tenant's book (its double-entry ledger) for a payment and a provider
 * account, in cents.
 */
export type PostedMoney = {
  tenantId: string
  paymentId: string
  providerAccountId: string
  date: string
  /** The received money: the money that was credited, plus the money that awaits the Owner's decision. */
  received: bigint
  /**
   * The maximum amount that the provider may have returned to payers so far. This is the sum of the refunds and other
   * returns that were debited, the pending refunds, and the returns that await the Owner's decision.
   */
  returnedAtMost: bigint
  /**
   * The minimum returned amount that the settlements must list. This is the amount that the provider returned more than
   * RETURNS_SETTLED_WITHIN_DAYS days before the day of the settlement.
   */
  returnedAtLeast: bigint
}

/**
 * The number of days within which a refund or chargeback appears in a settlement. Providers settle within a few bank
 * days, but the longest bank holidays (Lebaran) last over a week.
 */
const RETURNS_SETTLED_WITHIN_DAYS = 14

const sumPosted = shardedStatement<PostedMoney>(
  only => `select k.tenant_id as "tenantId", k.payment_id as "paymentId", k.account_id as "providerAccountId", k.date,
          (entry.credited + money.waiting)::bigint as received,
          (entry.debited + moved.total + refund.pending + money.held)::bigint as "returnedAtMost",
          (entry.debited_before + moved.before - moved.back - entry.credited_back)::bigint as "returnedAtLeast"
   from unnest(:tenantIds::uuid[], :paymentIds::uuid[], :accountIds::uuid[], :dates::text[], :settledBefore::timestamptz[])
     as k (tenant_id, payment_id, account_id, date, settled_before)
   cross join lateral (
     select coalesce(sum(e.amount) filter (
              where e.entry_type = 'credit' and m.return_status is null and e.refund_id is null), 0) as credited,
            coalesce(sum(e.amount) filter (
              where e.entry_type = 'credit' and (m.return_status is not null or e.refund_id is not null)
                and is_made), 0) as credited_back,
            coalesce(sum(e.amount) filter (where e.entry_type = 'debit'), 0) as debited,
            coalesce(sum(e.amount) filter (
              where e.entry_type = 'debit' and is_made
                and coalesce(r.succeeded_at, e.created_at) < k.settled_before), 0) as debited_before
     from ledger_entries e left join unexpected_money m on m.id = e.unexpected_money_id
       left join refunds r on r.tenant_id = e.tenant_id and r.id = e.refund_id ${only('r.tenant_id')}
       -- The provider has not returned the money of a pending or failed refund.
       cross join lateral (select coalesce(r.status, 'succeeded') = 'succeeded' as is_made) made
     where e.tenant_id = k.tenant_id and e.payment_id = k.payment_id and e.counter_account = k.account_id
       ${only('e.tenant_id')}
   ) entry
   cross join lateral (
     select coalesce(sum(t.amount) filter (where t.to_account = k.account_id), 0) as total,
            coalesce(sum(t.amount) filter (where t.to_account = k.account_id and t.created_at < k.settled_before), 0)
              as before,
            coalesce(sum(t.amount) filter (where t.from_account = k.account_id), 0) as back
     from book_transfers t
     where t.tenant_id = k.tenant_id and t.payment_id = k.payment_id ${only('t.tenant_id')}
   ) moved
   cross join lateral (
     select coalesce(sum(r.amount), 0) as pending from refunds r
     where r.tenant_id = k.tenant_id and r.payment_id = k.payment_id and r.provider_account_id = k.account_id
       and r.status = 'pending' and r.method = 'provider' and r.unexpected_money_id is null ${only('r.tenant_id')}
   ) refund
   cross join lateral (
     select coalesce(sum(m.amount) filter (
              where m.return_status is null and m.kind not in ('reversal', 'unconfirmed') and not m.credited), 0)
              as waiting,
            coalesce(sum(m.amount) filter (where m.return_status is not null and m.status = 'open'), 0) as held
     from unexpected_money m
     where m.tenant_id = k.tenant_id and m.payment_id = k.payment_id and m.provider_account_id = k.account_id
   ) money`,
)

/**
 * Returns the amounts that are recorded in the tenants' books for the payments. On a distributed database, only the
 * coordinator stores settlements, so the books are read tenant by tenant.
 */
export async function sumPostedMoney(db: Db, payments: SettledPayment[]): Promise<PostedMoney[]> {
  const found: PostedMoney[] = []
  for (const group of groupsByShard(db, payments, each => each.tenantId)) {
    const tenantIds = group.map(each => each.tenantId)
    const posted = await sumPosted(db, tenantIds, {
      tenantIds,
      paymentIds: group.map(each => each.paymentId),
      accountIds: group.map(each => each.providerAccountId),
      dates: group.map(each => each.date),
      settledBefore: group.map(each => startOfDay(daysBefore(each.date, RETURNS_SETTLED_WITHIN_DAYS))),
    })
    found.push(...posted)
  }
  return found
}

/**
 * The totals that are stored with a settlement (`amount` and `fees`) and, for comparison, the totals of its
 * lines (`amountOfLines` and `feesOfLines`), in cents.
 */
export type SettlementTotals = {
  id: string
  providerAccountId: string
  date: string
  mode: Mode
  amount: bigint
  amountOfLines: bigint
  fees: bigint
  feesOfLines: bigint
}

const listTotals = preparedStatement<SettlementTotals>(
  `select s.id, s.provider_account_id as "providerAccountId", to_char(s.date, 'YYYY-MM-DD') as date, a.mode, s.amount,
          of_lines.amount as "amountOfLines", s.fees, of_lines.fees as "feesOfLines"
   from (select * from settlements where id > :id::uuid order by id limit :limit::integer) s
   join provider_accounts a on a.id = s.provider_account_id
   cross join lateral (
     select coalesce(sum(case l.status when 'paid' then l.amount else -l.amount end), 0)::bigint as amount,
            coalesce(sum(l.fee), 0)::bigint as fees
     from settlement_lines l where l.settlement_id = s.id
   ) of_lines
   order by s.id`,
)

export const listSettlementTotals = (
  db: Db,
  after: SettlementTotals | undefined,
  limit: number,
): Promise<SettlementTotals[]> => listTotals(db, { id: after?.id ?? before, limit })
