import type { Db } from '../db/db.ts'
import { isVisibleToViewer, type ReportScope } from '../reports/report.sql.ts'
import type { Period } from '../values/day.ts'

export const feeGroups = ['day', 'tenant', 'method_type', 'channel', 'mode'] as const
export type FeeGroup = (typeof feeGroups)[number]

const expressionOf: Record<FeeGroup, string> = {
  day: `to_char(f.charged_at at time zone 'Asia/Jakarta', 'YYYY-MM-DD') as day`,
  tenant: 't.id as tenant, t.name as tenant_name',
  method_type: 'f.method_type',
  channel: 'f.channel',
  mode: 'f.mode',
}
const keyOf: Record<FeeGroup, string> = {
  day: 'day',
  tenant: 't.name, t.id',
  method_type: 'f.method_type',
  channel: 'f.channel',
  mode: 'f.mode',
}

export type FeeSums = Record<string, string> & {
  count: bigint
  net: string
  tax: string
  operator_fee: string
}

/** The fees to sum up. If `tenant` is set, only this tenant's own fees, without those of its Clients. */
type FeeScope = ReportScope & { tenant?: string }

/**
 * Returns, for each visible tenant, the totals of the fees that were charged in the period. Fees returned by
 * refunds are deducted.
 */
export async function sumFees(
  db: Db,
  { viewer, mode, tenant }: FeeScope,
  period: Period,
  grouping: readonly FeeGroup[],
  limit: number,
): Promise<FeeSums[]> {
  const keys = grouping.map(group => keyOf[group]).join(', ')
  const { rows } = await db.raw<{ rows: FeeSums[] }>(
    `select ${grouping.map(group => `${expressionOf[group]}, `).join('')}
            count(*) filter (where f.number = 0) as count, coalesce(sum(f.net), 0)::text as net,
            coalesce(sum(f.tax), 0)::text as tax,
            coalesce(sum(f.operator_net + f.operator_tax), 0)::text as operator_fee
     from tenants t join fee_charges f on f.tenant_id = t.id and f.charged_at >= :from and f.charged_at < :before
     where ${isVisibleToViewer} and (:tenant::uuid is null or t.id = :tenant)
       and (:mode::text is null or f.mode = :mode)
     ${keys && `group by ${keys} order by ${keys}`}
     limit :limit`,
    { viewer, mode, tenant: tenant ?? null, ...period, limit },
  )
  return rows
}
