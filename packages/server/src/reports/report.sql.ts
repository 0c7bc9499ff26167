import type { Db } from '../db/db.ts'
import type { Period } from '../values/day.ts'
import { idsMadeIn } from '../values/id.ts'
import type { Mode } from '../values/mode.ts'
import { columnsOfGroup, type Group } from './payment-report.ts'

/**
 * The payments a caller may see. If `viewer` is null, the caller may see all payments. Otherwise, the caller may
 * see the payments of the tenant `viewer` and of its Clients.
 */
export type ReportScope = { viewer: string | null; mode: Mode | null }

/** An SQL condition that is true if the viewer may see tenant `t`'s payments. */
export const isVisibleToViewer = `(:viewer::uuid is null or t.id = :viewer or t.parent_id = :viewer)`

const expressionOf: Record<string, string> = {
  day: `to_char(p.created_at at time zone 'Asia/Jakarta', 'YYYY-MM-DD')`,
  status: 'p.status',
  method_type: 'p.method_type',
  provider: 'p.provider',
  tenant: 't.id',
  tenant_name: 't.name',
  mode: 'p.mode',
}

/**
 * If the payer paid an earlier charge attempt's order, the order's reference, otherwise null. The payment's own
 * `provider` is that of the latest attempt.
 */
const paidEarlier = `
  case when p.attempt > 1 and p.paid_reference <> p.payment_code || '-' || p.attempt then p.paid_reference end`

export type ReportRow = Record<string, string> & {
  count: bigint
  amount: string
  amount_paid: string
  amount_refunded: string
  amount_reversed: string
}

/**
 * Returns the totals of the payments that were created in the period by the tenants the viewer may see, one row per
 * group. A condition on the payment IDs, which contain the creation time, lets the database read fewer rows.
 *
 * Few payments were paid at an earlier attempt. The attempts' providers are therefore looked up only after the payments
 * are grouped. On a distributed database, the attempts are also on other shards than the payments.
 */
export async function sumPayments(
  db: Db,
  { viewer, mode }: ReportScope,
  period: Period,
  grouping: readonly Group[],
  limit: number,
): Promise<ReportRow[]> {
  const columns = grouping.flatMap(group => columnsOfGroup[group])
  const shown = columns.map(column =>
    column === 'provider' ? 'coalesce(a.provider, g.provider) as provider' : `g.${column}`,
  )
  const numbers = columns.map((_, index) => index + 1).join(', ')
  // Tenants are sorted by name and then by ID.
  const sorted = grouping.flatMap(group => columnsOfGroup[group].toReversed()).join(', ')
  const { rows } = await db.raw<{ rows: ReportRow[] }>(
    `with grouped as materialized (
       select ${columns.map(column => `${expressionOf[column]} as ${column}, `).join('')}
              ${grouping.includes('provider') ? paidEarlier : 'null::text'} as paid_earlier,
              count(*) as count, sum(p.amount) as amount, sum(p.amount_paid) as amount_paid,
              sum(p.amount_refunded) as amount_refunded, sum(p.amount_reversed) as amount_reversed
       from tenants t
       join payments p on p.tenant_id = t.id and p.id >= :fromId and p.id < :beforeId
       where ${isVisibleToViewer} and p.created_at >= :from and p.created_at < :before
         and p.status in ('pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged')
         and (:mode::text is null or p.mode = :mode)
       group by ${[...columns, 'paid_earlier'].map((_, index) => index + 1).join(', ')}
     ), attempts as materialized (
       select reference, provider from payment_references
       where reference = any(array(select paid_earlier from grouped where paid_earlier is not null))
     )
     select ${shown.map(each => `${each}, `).join('')}
            coalesce(sum(g.count), 0)::bigint as count, coalesce(sum(g.amount), 0)::text as amount,
            coalesce(sum(g.amount_paid), 0)::text as amount_paid,
            coalesce(sum(g.amount_refunded), 0)::text as amount_refunded,
            coalesce(sum(g.amount_reversed), 0)::text as amount_reversed
     from grouped g left join attempts a on a.reference = g.paid_earlier
     ${columns.length > 0 ? `group by ${numbers} order by ${sorted}` : ''}
     limit :limit`,
    { viewer, mode, ...period, ...idsMadeIn(period), limit },
  )
  return rows
}
