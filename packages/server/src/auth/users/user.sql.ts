import type { Db } from '../../db/db.ts'

/** A dashboard user, without the password hash. */
export type TenantUser = { id: string; email: string; createdAt: Date }

const columns = `id, email, created_at as "createdAt"`

/** Inserts a user. Returns undefined if a user of any tenant already has the address, in any letter case. */
export async function insertUser(
  db: Db,
  user: { id: string; tenantId: string; email: string; passwordHash: string },
): Promise<TenantUser | undefined> {
  const { rows } = await db.raw<{ rows: TenantUser[] }>(
    `insert into users (id, tenant_id, email, password_hash) values (:id, :tenantId, :email, :passwordHash)
     on conflict do nothing returning ${columns}`,
    user,
  )
  return rows[0]
}

export async function findUser(db: Db, tenantId: string, id: string): Promise<TenantUser | undefined> {
  const { rows } = await db.raw<{ rows: TenantUser[] }>(
    `select ${columns} from users where tenant_id = ? and id = ?`,
    [tenantId, id],
  )
  return rows[0]
}

/** Lists the tenant's users, newest first. */
export async function listUsers(
  db: Db,
  tenantId: string,
  afterId: string | undefined,
  limit: number,
): Promise<TenantUser[]> {
  const { rows } = await db.raw<{ rows: TenantUser[] }>(
    `select ${columns} from users
     where tenant_id = :tenantId and (:afterId::uuid is null or id < :afterId)
     order by id desc limit :limit`,
    { tenantId, afterId: afterId ?? null, limit },
  )
  return rows
}

/** Lists the e-mail addresses of the users of all Owner tenants. */
export async function listOwnerAddresses(db: Db): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { email: string }[] }>(
    `select u.email from users u join tenants t on t.id = u.tenant_id where t.role = 'owner' order by u.id`,
  )
  return rows.map(({ email }) => email)
}
