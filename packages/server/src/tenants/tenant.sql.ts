import type { Db, Tx } from '../db/db.ts'
import { inScope } from '../db/tenant-scope.ts'
import type { Role, Tenant, TenantRecord } from './tenant.ts'

// Processes of the previous release leave `suspended_by_owner` unchanged when they reactivate a tenant, so the column
// counts only while the tenant is suspended.
const columns = `
  id, role, tier, name, parent_id as "parentId", status,
  status = 'suspended' and suspended_by_owner as "suspendedByOwner", second_factor_required as "secondFactorRequired",
  refund_proof_above as "refundProofAbove", created_at as "createdAt", updated_at as "updatedAt"`

export async function findTenant(db: Db, id: string): Promise<TenantRecord | undefined> {
  const { rows } = await db.raw<{ rows: TenantRecord[] }>(`select ${columns} from tenants where id = ?`, [id])
  return rows[0]
}

/**
 * Returns the name of the Partner that manages the tenant. The query runs without a tenant scope (the limit to rows
 * that a tenant may see), because a Client's scope excludes its Partner. The query returns only the name, because the
 * Client may see nothing else of its Partner.
 */
export const findPartnerName = (db: Db, tenantId: string): Promise<string | undefined> =>
  inScope(undefined, async () => {
    const { rows } = await db.raw<{ rows: { name: string }[] }>(
      'select partner.name from tenants t join tenants partner on partner.id = t.parent_id where t.id = ?',
      [tenantId],
    )
    return rows[0]?.name
  })

/** Locks the tenant's row, to serialize changes to the tenant and its tenant-wide data. */
export async function lockTenant(tx: Tx, id: string): Promise<TenantRecord> {
  const { rows } = await tx.raw<{ rows: TenantRecord[] }>(
    `select ${columns} from tenants where id = ? for no key update`,
    [id],
  )
  if (!rows[0]) throw new Error(`tenant ${id} is gone`)
  return rows[0]
}

/**
 * A filter for tenants. A null field matches every tenant. `name` matches any part of a tenant's name
 * (case-insensitive).
 */
export type TenantFilter = { parentId: string | null; role: Role | null; name: string | null }

/** Lists the tenants that match the filter, newest first. */
export async function listTenants(
  db: Db,
  filter: TenantFilter,
  afterId: string | undefined,
  limit: number,
): Promise<TenantRecord[]> {
  const { rows } = await db.raw<{ rows: TenantRecord[] }>(
    `select ${columns} from tenants
     where (:parentId::uuid is null or parent_id = :parentId) and (:afterId::uuid is null or id < :afterId)
       and (:role::text is null or role = :role)
       and (:name::text is null or strpos(lower(name), lower(:name)) > 0)
     order by id desc limit :limit`,
    { ...filter, afterId: afterId ?? null, limit },
  )
  return rows
}

/**
 * Inserts a tenant and its two balances (live and test), so that every posting finds a row to lock. The balances are
 * inserted in a separate statement with the tenant's id as a value. Citus (distributed PostgreSQL) can send such a
 * statement to one shard.
 */
export async function insertTenant(tx: Tx, tenant: Tenant): Promise<TenantRecord> {
  const { rows } = await tx.raw<{ rows: TenantRecord[] }>(
    `insert into tenants (id, role, tier, name, parent_id, status)
     values (:id, :role, :tier, :name, :parentId, :status) returning ${columns}`,
    tenant,
  )
  await tx.raw(`insert into balances (tenant_id, mode) values (:id, 'live'), (:id, 'test')`, tenant)
  return rows[0] as TenantRecord
}

/**
 * Updates a tenant. If no active Owner would remain, the update fails and the function returns undefined. The caller
 * must then roll back the transaction.
 */
export async function updateTenantRow(
  tx: Tx,
  tenant: Pick<TenantRecord, 'id' | 'name' | 'tier' | 'status' | 'suspendedByOwner'>,
): Promise<TenantRecord | undefined> {
  try {
    const { rows } = await tx.raw<{ rows: TenantRecord[] }>(
      `update tenants set name = :name, tier = :tier, status = :status, suspended_by_owner = :suspendedByOwner,
         updated_at = now()
       where id = :id returning ${columns}`,
      tenant,
    )
    return rows[0]
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'tenants_keep_an_owner') return undefined
    throw error
  }
}

export async function countTenants(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: bigint }[] }>('select count(*) from tenants')
  return Number(rows[0]?.count)
}

/**
 * Returns the id of the Owner, the operator's tenant. Returns undefined if the Owner has not been created
 * yet.
 */
export async function findOwnerId(db: Db): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select id from tenants where role = 'owner' order by id limit 1`,
  )
  return rows[0]?.id
}
