import type { Db } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import type { Period } from '../values/day.ts'
import { idsMadeIn } from '../values/id.ts'
import type { Mode } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'
import type { PaymentRecords, SettledLines } from './difference.ts'
import { ledgerTotals, refundTotals, unexpectedTotals } from './payment-totals.sql.ts'
import { isVisibleToViewer, type ReportScope } from './report.sql.ts'

/** Which payments to reconcile: a day's payments for the tenants and modes the caller may see. */
export type DayQuery = ReportScope & { date: string; period: Period }

const bindings = ({ viewer, mode, date, period }: DayQuery) => ({
  viewer,
  mode,
  date,
  ...period,
  ...idsMadeIn(period),
})

export type Books = {
  tenantId: string
  mode: Mode
  paidCount: bigint
  paidAmount: string
  creditCount: bigint
  creditAmount: string
  debitCount: bigint
  debitAmount: string
}

/**
 * Returns the day's totals for each balance that changed on that day: the payments that were paid, and the ledger
 * entries that were posted.
 */
export async function sumBooks(db: Db, day: DayQuery): Promise<Books[]> {
  const { rows } = await db.raw<{ rows: Books[] }>(
    `select "tenantId", mode, sum(paid)::bigint as "paidCount", sum(paid_amount)::text as "paidAmount",
            sum(credit)::bigint as "creditCount", sum(credit_amount)::text as "creditAmount",
            sum(debit)::bigint as "debitCount", sum(debit_amount)::text as "debitAmount"
     from (
       select p.tenant_id as "tenantId", p.mode, 1 as paid, p.amount_paid as paid_amount,
              0 as credit, 0 as credit_amount, 0 as debit, 0 as debit_amount
       from tenants t join payments p on p.tenant_id = t.id and p.paid_at >= :from and p.paid_at < :before
       where ${isVisibleToViewer} and (:mode::text is null or p.mode = :mode)
       union all
       select e.tenant_id, e.mode, 0, 0,
              (e.entry_type = 'credit')::integer, case e.entry_type when 'credit' then e.amount else 0 end,
              (e.entry_type = 'debit')::integer, case e.entry_type when 'debit' then e.amount else 0 end
       from tenants t join ledger_entries e on e.tenant_id = t.id and e.id >= :fromId and e.id < :beforeId
       where ${isVisibleToViewer} and (:mode::text is null or e.mode = :mode)
         and e.created_at >= :from and e.created_at < :before
     ) moved
     group by "tenantId", mode order by "tenantId", mode`,
    bindings(day),
  )
  return rows
}

/**
 * The reasons why a payment belongs to a day, in the order in which they are checked. The first reason that applies
 * counts:
 *
 * - `paid`: the payment was paid on the day.
 * - `posted`: the payment has a ledger entry from the day.
 * - `settled`: the payment is in the day's settlement.
 * - `created`: the payment was created on the day.
 */
export const inclusionReasons = ['paid', 'posted', 'settled', 'created'] as const
export type InclusionReason = (typeof inclusionReasons)[number]

const isPaid = 'coalesce(p.paid_at >= :from and p.paid_at < :before, false)'

/**
 * The SQL fragments that differ on a distributed database. `only` returns a condition that restricts a tenant column to
 * one tenant, or an empty text. `lines` is the source from which settlement lines are read: the table, or a subquery
 * with the tenant's lines for the day.
 */
type Naming = { only: (column: string) => string; lines: string }
const usual: Naming = { only: () => '', lines: 'settlement_lines' }
const onShard: Naming = { only: column => `and ${column} = :tenantId`, lines: 'lines' }
const namingOf = (db: Db): Naming => (isDistributed(db) ? onShard : usual)

const linesOfDay = `with lines as materialized (
  select * from settlement_lines where tenant_id = :tenantId and date = :date)`

const isPosted = ({ only }: Naming) => `exists (
  select from ledger_entries e where e.tenant_id = p.tenant_id and e.payment_id = p.id
    and e.created_at >= :from and e.created_at < :before ${only('e.tenant_id')})`
const isSettled = ({ lines }: Naming) => `exists (
  select from ${lines} l where l.tenant_id = p.tenant_id and l.payment_id = p.id and l.date = :date)`

/**
 * Returns the parts of an SQL query for each reason why a payment belongs to a day, such as `paid`. The query selects a
 * tenant's payments with this reason, in the order of an index.
 */
const sourcesOf = (
  naming: Naming,
): Record<InclusionReason, { from: string; order: string; place: string; after: string }> => ({
  paid: {
    from: `payments p
      where p.tenant_id = t.id and p.paid_at >= :from and p.paid_at < :before ${naming.only('p.tenant_id')}`,
    order: 'p.paid_at, p.id',
    place: 'p.paid_at',
    after: '(p.paid_at, p.id) > (:place::timestamptz, :afterId::uuid)',
  },
  // The query uses only a payment's first ledger entry of the day. Otherwise, a payment with several entries
  // would be listed several times.
  posted: {
    from: `ledger_entries e join payments p on p.tenant_id = e.tenant_id and p.id = e.payment_id
      where e.tenant_id = t.id and e.id >= :fromId and e.id < :beforeId
        and e.created_at >= :from and e.created_at < :before and not ${isPaid}
        and not exists (
          select from ledger_entries first where first.tenant_id = e.tenant_id and first.payment_id = e.payment_id
            and first.id < e.id and first.created_at >= :from and first.created_at < :before
            ${naming.only('first.tenant_id')})
        ${naming.only('e.tenant_id')} ${naming.only('p.tenant_id')}`,
    order: 'e.id',
    place: 'e.id',
    after: 'e.id > :place::uuid',
  },
  // The query uses only a payment's first settlement line for the day. Otherwise, a payment with several
  // lines would be listed several times.
  settled: {
    from: `${naming.lines} l join payments p on p.tenant_id = l.tenant_id and p.id = l.payment_id
      where l.tenant_id = t.id and l.date = :date and not ${isPaid} and not ${isPosted(naming)}
        and not exists (
          select from ${naming.lines} first where first.tenant_id = l.tenant_id and first.payment_id = l.payment_id
            and first.date = l.date and (first.settlement_id, first.line) < (l.settlement_id, l.line))
        ${naming.only('p.tenant_id')}`,
    order: 'l.payment_id',
    place: 'l.payment_id',
    after: 'l.payment_id > :place::uuid',
  },
  created: {
    from: `payments p
      where p.tenant_id = t.id and p.id >= :fromId and p.id < :beforeId
        and p.created_at >= :from and p.created_at < :before
        and not ${isPaid} and not ${isPosted(naming)} and not ${isSettled(naming)}
        ${naming.only('p.tenant_id')}`,
    order: 'p.id',
    place: 'p.id',
    after: 'p.id > :place::uuid',
  },
})
const sourceOf = { usual: sourcesOf(usual), onShard: sourcesOf(onShard) }
const sourceIn = (db: Db) => sourceOf[isDistributed(db) ? 'onShard' : 'usual']
const inMode = '(:mode::text is null or p.mode = :mode)'

/**
 * A tenant's ID and, for each requested reason such as `paid`, the number of payments of the day that are
 * included for this reason.
 */
export type Busy = { tenantId: string } & Partial<Record<InclusionReason, bigint>>

export async function listActiveTenants(
  db: Db,
  day: DayQuery,
  asked: readonly InclusionReason[],
): Promise<Busy[]> {
  const source = sourceIn(db)
  const counts = asked.map(
    reason => `(select count(*) from ${source[reason].from} and ${inMode}) as ${reason}`,
  )
  const busyOf = (tenants: string) => `
    select * from (select t.id as "tenantId", ${counts.join(', ')} from ${tenants}) busy
    where ${asked.join(' + ')} > 0 order by "tenantId"`
  if (isDistributed(db)) return listActiveOnShards(db, day, `${linesOfDay} ${busyOf(ofTenant)}`)
  const { rows } = await db.raw<{ rows: Busy[] }>(
    busyOf(`tenants t where ${isVisibleToViewer}`),
    bindings(day),
  )
  return rows
}

const ofTenant = '(select :tenantId::uuid as id) t'

/** Runs the query for each tenant in a distributed database, on the tenant's shard. */
async function listActiveOnShards(db: Db, day: DayQuery, query: string): Promise<Busy[]> {
  const { rows: tenants } = await db.raw<{ rows: { id: string }[] }>(
    `select t.id from tenants t where ${isVisibleToViewer} order by t.id`,
    bindings(day),
  )
  const busy: Busy[] = []
  for (const { id: tenantId } of tenants) {
    const { rows } = await db.raw<{ rows: Busy[] }>(query, { ...bindings(day), tenantId })
    busy.push(...rows)
  }
  return busy
}

/** The position of the last row of a page. The next page starts after this position. */
export type PagePosition = { id: string; place: string }

/**
 * Returns one page of a tenant's payments that belong to the day for one reason, such as `paid`. The page is in the
 * order of an index, so the next page can continue after its last payment.
 */
export async function listPaymentsOfDay(
  db: Db,
  day: DayQuery,
  tenantId: string,
  reason: InclusionReason,
  after: PagePosition | undefined,
  limit: number,
): Promise<PagePosition[]> {
  const { from, order, place, after: goesOn } = sourceIn(db)[reason]
  const { rows } = await db.raw<{ rows: PagePosition[] }>(
    `${isDistributed(db) ? linesOfDay : ''} select p.id, (${place})::text as place
     from ${ofTenant} cross join ${from} and ${inMode} ${after ? `and ${goesOn}` : ''}
     order by ${order} limit :limit`,
    { ...bindings(day), tenantId, limit, place: after?.place ?? null, afterId: after?.id ?? null },
  )
  return rows
}

export type PaymentOfDay = PaymentRecords &
  SettledLines & {
    tenantId: string
    id: string
    mode: Mode
    paymentCode: string
    /** The number of the payment's latest charge attempt. */
    attempt: number
    /**
     * The order reference of the charge attempt that was paid. If no attempt was paid, the reference of the
     * latest attempt.
     */
    reference: string
    number: number
    provider: string
    accountId: string
    providerPaymentId: string | null
    transitionCount: number
    /** The payment's credits minus its debits in the ledger, without fees. Null if the ledger has no entry for it. */
    ledgerAmount: Cents | null
    /** Whether a refund or chargeback at the provider is recorded for the payment, whatever its status. */
    hasReturns: boolean
    /**
     * The number of settlement lines for the payment. If there are several, each field below contains the
     * greatest of their values.
     */
    lines: bigint
    lineReference: string | null
    lineAccountId: string | null
    lineProvider: string | null
    lineProviderPaymentId: string | null
    lineStatus: string | null
  }

/** Selects settlement lines together with the provider account whose settlement contains them. */
const settledLines = `
  select l.*, a.id as account_id, a.provider_code from settlement_lines l
  join settlements s on s.id = l.settlement_id join provider_accounts a on a.id = s.provider_account_id`

/**
 * On a distributed database, selects the charge attempts and settlement lines of payments, which are stored
 * on other shards than the payments.
 */
const recordsOnOtherNodes = `
  with lines as materialized (${settledLines} where l.tenant_id = :tenantId and l.payment_id = any(:ids)),
    attempts as materialized (
      select * from payment_references where tenant_id = :tenantId and payment_id = any(:ids))`

/**
 * Reads payments with their totals in the ledger and in settlements. The settlement lines of all days are included,
 * because a payment made around midnight may be in the next day's settlement. Money returned to payers is included up
 * to the end of the day in the parameter `until`. With `now`, all returned money is included, as in the response to a
 * status inquiry.
 */
export async function getPaymentsOfDay(
  db: Db,
  day: DayQuery,
  tenantId: string,
  ids: string[],
  until: DayQuery | 'now' = day,
): Promise<PaymentOfDay[]> {
  const { only } = namingOf(db)
  const [returnedBefore, lastDate] =
    until === 'now' ? ['infinity', 'infinity'] : [until.period.before, until.date]
  const { rows } = await db.raw<{ rows: PaymentOfDay[] }>(
    `${isDistributed(db) ? recordsOnOtherNodes : ''}
     select p.tenant_id as "tenantId", p.id, p.mode, p.payment_code as "paymentCode", p.attempt, p.status,
            p.transition_count as "transitionCount", p.amount_paid as "amountPaid", ${isPaid} as "isPaidThatDay",
            p.provider_payment_id as "providerPaymentId", coalesce(r.reference, p.payment_code) as reference,
            coalesce(r.number, p.attempt) as number, coalesce(r.provider, p.provider) as provider,
            coalesce(r.provider_account_id, p.provider_account_id) as "accountId",
            e.credits, e.credited, e."creditedBesides", e.debited, e.pending + u.pending as "pendingReturns",
            e."refundedManually", e."ledgerAmount", m.*, u."refundedUncredited", u."returnedUncredited", u."hasReturns", l.*
     from payments p
     -- The reference is computed in a separate subquery, because under row-level security no index is
     -- searched by a computed expression.
     cross join lateral (
       select coalesce(p.paid_reference, p.payment_code || case when p.attempt > 1 then '-' || p.attempt else '' end)
         as reference offset 0
     ) own
     left join ${isDistributed(db) ? 'attempts' : 'payment_references'} r on r.reference = own.reference
     cross join lateral (${ledgerTotals(only)}) e
     cross join lateral (${unexpectedTotals}) m
     cross join lateral (${refundTotals(only)}) u
     cross join lateral (
       select count(*) as lines, count(*) filter (where l.status = 'paid') as "paidTimes",
              coalesce(sum(l.amount) filter (where l.status = 'paid'), 0)::bigint as paid,
              coalesce(sum(l.amount) filter (where l.status <> 'paid' and l.date <= :lastDate), 0)::bigint as returned,
              max(l.status) as "lineStatus", max(l.reference) as "lineReference",
              max(l.provider_payment_id) as "lineProviderPaymentId",
              max(l.account_id::text) as "lineAccountId", max(l.provider_code) as "lineProvider"
       from ${isDistributed(db) ? 'lines' : `(${settledLines})`} l
       where l.tenant_id = p.tenant_id and l.payment_id = p.id
     ) l
     where p.tenant_id = :tenantId and p.id = any(:ids) order by p.id`,
    { tenantId, ids, from: day.period.from, before: day.period.before, returnedBefore, lastDate },
  )
  return rows
}

export type UnmatchedLine = {
  settlementId: string
  line: number
  reference: string
  status: string
  amount: bigint
  providerPaymentId: string | null
}

/**
 * Lists the settlement lines that are not linked to a payment. A line is not linked if its reference does not
 * belong to any charge attempt at the settlement's provider account.
 */
export async function listUnmatchedLines(
  db: Db,
  settlementIds: string[],
  after: UnmatchedLine | undefined,
  limit: number,
): Promise<UnmatchedLine[]> {
  const { rows } = await db.raw<{ rows: UnmatchedLine[] }>(
    `select settlement_id as "settlementId", line, reference, status, amount, provider_payment_id as "providerPaymentId"
     from settlement_lines
     where settlement_id = any(:settlementIds) and payment_id is null
       and (:afterId::uuid is null or (settlement_id, line) > (:afterId::uuid, :afterLine::integer))
     order by settlement_id, line limit :limit`,
    { settlementIds, afterId: after?.settlementId ?? null, afterLine: after?.line ?? null, limit },
  )
  return rows
}

export async function countUnmatchedLines(db: Db, settlementIds: string[]): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: bigint }[] }>(
    'select count(*) from settlement_lines where settlement_id = any(?) and payment_id is null',
    [settlementIds],
  )
  return Number(rows[0]?.count ?? 0)
}
