import { batchedRead } from '../db/batch/batched-read.ts'
import type { Db, Tx } from '../db/db.ts'
import { type Tier, tiers } from '../tenants/tenant.ts'
import { inheritsAll, type OwnLimits, type TierLimits } from './limits.ts'

const columns = `requests_per_second as "requestsPerSecond", burst_seconds as "burstSeconds",
  requests_in_flight as "requestsInFlight"`

export async function listTierLimits(db: Db): Promise<TierLimits> {
  const { rows } = await db.raw<{ rows: ({ tier: Tier } & OwnLimits)[] }>(
    `select tier, ${columns} from tier_limits`,
  )
  return tierLimitsOf(rows)
}

/** Reads the limits of all tiers and locks their rows, so that tier changes are serialized. */
export async function lockTierLimits(tx: Tx): Promise<TierLimits> {
  const { rows } = await tx.raw<{ rows: ({ tier: Tier } & OwnLimits)[] }>(
    `select tier, ${columns} from tier_limits order by tier for no key update`,
  )
  return tierLimitsOf(rows)
}

function tierLimitsOf(rows: ({ tier: Tier } & OwnLimits)[]): TierLimits {
  const set = new Map(rows.map(({ tier, ...own }) => [tier, own]))
  return Object.fromEntries(tiers.map(tier => [tier, set.get(tier) ?? inheritsAll])) as TierLimits
}

export async function updateTierLimits(tx: Tx, tier: Tier, limits: OwnLimits): Promise<void> {
  await tx.raw(
    `update tier_limits set requests_per_second = :requestsPerSecond, burst_seconds = :burstSeconds,
       requests_in_flight = :requestsInFlight
     where tier = :tier`,
    { tier, ...limits },
  )
}

const listTenantLimits = batchedRead<string, OwnLimits>('list_tenant_limits', {
  key: { tenant_id: ['uuid', tenantId => tenantId] },
  select: restrict => `
    select ${columns} from ${restrict('tenant_limits')} l where l.tenant_id = k.tenant_id`,
})

/** Reads the limits that are set for the tenant itself. The limits of its tier are not included. */
export async function findTenantLimitsInBatch(db: Db, tenantId: string): Promise<OwnLimits> {
  const [own] = await listTenantLimits(db, tenantId)
  return own ?? inheritsAll
}

export async function upsertTenantLimits(tx: Tx, tenantId: string, limits: OwnLimits): Promise<void> {
  await tx.raw(
    `insert into tenant_limits (tenant_id, requests_per_second, burst_seconds, requests_in_flight)
     values (:tenantId, :requestsPerSecond, :burstSeconds, :requestsInFlight)
     on conflict (tenant_id) do update set requests_per_second = excluded.requests_per_second,
       burst_seconds = excluded.burst_seconds, requests_in_flight = excluded.requests_in_flight`,
    { tenantId, ...limits },
  )
}
