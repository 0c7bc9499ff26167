import { batchedRead } from '../db/batch/batched-read.ts'
import type { Db, Tx } from '../db/db.ts'
import type { FeeLayer, FeeSchedule, TenantFees } from './fee-schedule.ts'
import { feeRuleOf, type StoredFeeRule, storeFeeRule } from './stored-fee-rule.ts'

type Row = Omit<FeeSchedule, 'rules'> & { rules: StoredFeeRule[] }
const columns = `f.version, f.effective_from as "effectiveFrom", f.refunds_fees as "refundsFees", f.rules,
  f.created_at as "createdAt"`
const scheduleOf = ({ rules, ...row }: Row): FeeSchedule => ({ ...row, rules: rules.map(feeRuleOf) })

/** Lists the versions of a tenant's fee schedule, oldest first. */
export async function listFeeSchedules(db: Db, tenantId: string, layer: FeeLayer): Promise<FeeSchedule[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `select ${columns} from fee_schedules f where f.tenant_id = ? and f.layer = ? order by f.version`,
    [tenantId, layer],
  )
  return rows.map(scheduleOf)
}

export type PricedTenant = { id: string; name: string }

/**
 * Lists the tenants with a fee schedule set by the operator (layer `operator`) or by a Partner (layer
 * `partner`), the newest tenant first. If `partnerId` is set, lists only the Clients of this Partner.
 */
export async function listPricedTenants(
  db: Db,
  layer: FeeLayer,
  partnerId: string | null,
  afterId: string | undefined,
  limit: number,
): Promise<PricedTenant[]> {
  const { rows } = await db.raw<{ rows: PricedTenant[] }>(
    `select t.id, t.name from tenants t
     where (:partnerId::uuid is null or t.parent_id = :partnerId) and (:afterId::uuid is null or t.id < :afterId)
       and exists (select from fee_schedules f where f.tenant_id = t.id and f.layer = :layer)
     order by t.id desc limit :limit`,
    { layer, partnerId, afterId: afterId ?? null, limit },
  )
  return rows
}

/**
 * Adds a version to a fee schedule. The caller must have locked the tenant. Otherwise, two versions could get
 * the same number.
 */
export async function insertFeeSchedule(
  tx: Tx,
  tenantId: string,
  layer: FeeLayer,
  schedule: FeeSchedule,
): Promise<void> {
  await tx.raw(
    `insert into fee_schedules (tenant_id, layer, version, effective_from, refunds_fees, rules, created_at)
     values (:tenantId, :layer, :version, :effectiveFrom, :refundsFees, :rules, :createdAt)`,
    { ...schedule, tenantId, layer, rules: JSON.stringify(schedule.rules.map(storeFeeRule)) },
  )
}

type OfTenant = Partial<Row> & { partnerId: string | null; isOfPartner: boolean; layer: FeeLayer | null }

const listFeesOfTenant = batchedRead<string, OfTenant>('list_fees_of_tenant', {
  key: { tenant_id: ['uuid', tenantId => tenantId] },
  select: restrict => `
    select t.parent_id as "partnerId", f.layer, coalesce(f.tenant_id = t.parent_id, false) as "isOfPartner", ${columns}
    from ${restrict('tenants')} t
    left join ${restrict('fee_schedules')} f
      on f.tenant_id = t.id or f.tenant_id = t.parent_id and f.layer = 'operator'
    where t.id = k.tenant_id`,
})

/**
 * Reads all fee schedules that can determine a tenant's fees: the tenant's own schedules and those of its
 * Partner.
 */
export async function findTenantFeesInBatch(db: Db, tenantId: string): Promise<TenantFees> {
  const rows = await listFeesOfTenant(db, tenantId)
  const of = (layer: FeeLayer, isOfPartner: boolean) =>
    rows.flatMap(row =>
      row.layer === layer && row.isOfPartner === isOfPartner ? [scheduleOf(row as Row)] : [],
    )
  return {
    partnerId: rows[0]?.partnerId ?? null,
    operator: of('operator', false),
    partner: of('partner', false),
    operatorForPartner: of('operator', true),
  }
}
