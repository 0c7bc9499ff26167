import type { Db } from '../db/db.ts'
import type { Tenant } from './tenant.ts'

export async function findTenant(db: Db, id: string): Promise<Tenant | undefined> {
  const { rows } = await db.raw<{ rows: Tenant[] }>(
    'select id, role, tier, name, parent_id as "parentId", status from tenants where id = ?',
    [id],
  )
  return rows[0]
}

/** With both of its balances, so that every posting finds its row to lock. */
export async function insertTenant(db: Db, tenant: Tenant): Promise<void> {
  await db.raw(
    `with inserted as (
       insert into tenants (id, role, tier, name, parent_id, status)
       values (:id, :role, :tier, :name, :parentId, :status) returning id
     )
     insert into balances (tenant_id, mode) select id, mode from inserted, unnest(array['live', 'test']) mode`,
    tenant,
  )
}

export async function countTenants(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: bigint }[] }>('select count(*) from tenants')
  return Number(rows[0]?.count)
}
