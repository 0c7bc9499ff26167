import type { Period } from '../day.ts'
import type { Db } from '../db/db.ts'
import { idsMadeIn } from '../id.ts'
import type { Mode } from '../mode.ts'
import type { Group } from './payment-report.ts'

/** Whose figures: null: everybody's; a tenant: its own and those of the Clients below it. */
export type Scope = { viewer: string | null; mode: Mode | null }

const visible = `(:viewer::uuid is null or t.id = :viewer or t.parent_id = :viewer)`

const expressionOf: Record<Group, string> = {
  day: `to_char(p.created_at at time zone 'Asia/Jakarta', 'YYYY-MM-DD') as day`,
  status: 'p.status',
  method_type: 'p.method_type',
  provider: 'p.provider',
  tenant: 't.id as tenant, t.name as tenant_name',
  mode: 'p.mode',
}
const keyOf: Record<Group, string> = {
  day: 'day',
  status: 'p.status',
  method_type: 'p.method_type',
  provider: 'p.provider',
  tenant: 't.name, t.id',
  mode: 'p.mode',
}

export type ReportRow = Record<string, string> & { count: bigint; amount: string; amount_paid: string }

/** Of each tenant in scope the payments created in the period, by id: what lies outside is not read. */
export async function sumPayments(
  db: Db,
  { viewer, mode }: Scope,
  period: Period,
  grouping: readonly Group[],
  limit: number,
): Promise<ReportRow[]> {
  const keys = grouping.map(group => keyOf[group]).join(', ')
  const { rows } = await db.raw<{ rows: ReportRow[] }>(
    `select ${grouping.map(group => `${expressionOf[group]}, `).join('')}
            count(*) as count, coalesce(sum(p.amount), 0)::text as amount,
            coalesce(sum(p.amount_paid), 0)::text as amount_paid
     from tenants t
     join payments p on p.tenant_id = t.id and p.id >= :fromId and p.id < :beforeId
     where ${visible} and p.created_at >= :from and p.created_at < :before
       and p.status in ('pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged')
       and (:mode::text is null or p.mode = :mode)
     ${keys && `group by ${keys} order by ${keys}`}
     limit :limit`,
    { viewer, mode, ...period, ...idsMadeIn(period), limit },
  )
  return rows
}

export type Books = {
  tenantId: string
  mode: Mode
  paidCount: bigint
  paidAmount: string
  creditCount: bigint
  creditAmount: string
}

export type Difference = {
  tenantId: string
  mode: Mode
  paymentId: string
  paymentCode: string
  status: string
  amountPaid: bigint | null
  amountCredited: bigint | null
}

/**
 * The day's payments, by when they were paid, each with its credit whenever that was posted; and the day's
 * credits, by when they were posted, each with its payment.
 */
const matched = `
  with paid as (
    select p.tenant_id, p.id from tenants t
    join payments p on p.tenant_id = t.id and p.paid_at >= :from and p.paid_at < :before
    where ${visible} and (:mode::text is null or p.mode = :mode)
  ), credited as (
    select e.tenant_id, e.payment_id as id, e.mode, e.amount from tenants t
    join ledger_entries e on e.tenant_id = t.id and e.id >= :fromId and e.id < :beforeId
    where ${visible} and (:mode::text is null or e.mode = :mode)
      and e.entry_type = 'credit' and e.created_at >= :from and e.created_at < :before
  )`

/** Of each balance that moved: what was paid on the day and what was credited on it. */
export async function sumBooks(db: Db, { viewer, mode }: Scope, period: Period): Promise<Books[]> {
  const { rows } = await db.raw<{ rows: Books[] }>(
    `${matched}
     select tenant_id as "tenantId", mode, sum(paid)::bigint as "paidCount", sum(paid_amount)::text as "paidAmount",
            sum(credit)::bigint as "creditCount", sum(credit_amount)::text as "creditAmount"
     from (
       select p.tenant_id, p.mode, 1 as paid, p.amount_paid as paid_amount, 0 as credit, 0 as credit_amount
       from paid join payments p using (tenant_id, id)
       union all
       select tenant_id, mode, 0, 0, 1, amount from credited
     ) moved
     group by tenant_id, mode order by tenant_id, mode`,
    { viewer, mode, ...period, ...idsMadeIn(period) },
  )
  return rows
}

/** Payments whose credit is missing, of another sum, or there without their being paid. */
export async function listDifferences(
  db: Db,
  { viewer, mode }: Scope,
  period: Period,
  limit: number,
): Promise<Difference[]> {
  const { rows } = await db.raw<{ rows: Difference[] }>(
    `${matched}
     select p.tenant_id as "tenantId", p.mode, p.id as "paymentId", p.payment_code as "paymentCode", p.status,
            p.amount_paid as "amountPaid", c.amount as "amountCredited"
     from (select tenant_id, id from paid union select tenant_id, id from credited) day
     join payments p using (tenant_id, id)
     left join ledger_entries c on c.tenant_id = p.tenant_id and c.payment_id = p.id and c.entry_type = 'credit'
     where p.amount_paid is distinct from c.amount
     order by p.tenant_id, p.id limit :limit`,
    { viewer, mode, ...period, ...idsMadeIn(period), limit },
  )
  return rows
}
