import type { Db, Tx } from '../../db/db.ts'
import type { Recipient } from '../../mail/email-users.ts'
import type { Permission } from './permission.ts'

/** A dashboard user, without the password hash. */
export type TenantUser = {
  id: string
  email: string
  permissions: Permission[]
  /**
   * A user with the status `invited` has no password yet. A `removed` user's row stays in the database only because
   * the audit log refers to it.
   */
  status: 'invited' | 'active' | 'disabled' | 'removed'
  createdAt: Date
}

export const userColumns = `id, email, permissions, status, created_at as "createdAt"`

/**
 * Inserts a user. A user without a password has the status `invited`. Returns undefined if a user in any tenant
 * already has the email address, ignoring case.
 */
export async function insertUser(
  db: Db,
  user: {
    id: string
    tenantId: string
    email: string
    passwordHash: string | null
    permissions: readonly Permission[]
  },
): Promise<TenantUser | undefined> {
  const { rows } = await db.raw<{ rows: TenantUser[] }>(
    `insert into users (id, tenant_id, email, password_hash, permissions, status)
     values (:id, :tenantId, :email, :passwordHash, :permissions,
       case when :passwordHash::text is null then 'invited' else 'active' end)
     on conflict do nothing returning ${userColumns}`,
    user,
  )
  return rows[0]
}

/**
 *  Locks the user's row, so that concurrent changes to the user's sessions, second factors and password run
 *  one after the other.
 */
export async function lockUserRow(tx: Tx, userId: string): Promise<void> {
  await tx.raw('select from users where id = ? for no key update', [userId])
}

export async function findUser(db: Db, tenantId: string, id: string): Promise<TenantUser | undefined> {
  const { rows } = await db.raw<{ rows: TenantUser[] }>(
    `select ${userColumns} from users where tenant_id = ? and id = ?`,
    [tenantId, id],
  )
  return rows[0]
}

/**
 * Finds the user with an email address, ignoring case. Removed users are ignored, so at most one user has the
 * address.
 */
export async function findUserOfAnyTenant(
  db: Db,
  email: string,
): Promise<(TenantUser & { tenantId: string }) | undefined> {
  const { rows } = await db.raw<{ rows: (TenantUser & { tenantId: string })[] }>(
    `select ${userColumns}, tenant_id as "tenantId" from users
     where lower(email) = lower(?) and status <> 'removed'`,
    [email],
  )
  return rows[0]
}

/** Lists the tenant's users, except removed users, newest first. */
export async function listUsers(
  db: Db,
  tenantId: string,
  afterId: string | undefined,
  limit: number,
): Promise<TenantUser[]> {
  const { rows } = await db.raw<{ rows: TenantUser[] }>(
    `select ${userColumns} from users
     where tenant_id = :tenantId and status <> 'removed' and (:afterId::uuid is null or id < :afterId)
     order by id desc limit :limit`,
    { tenantId, afterId: afterId ?? null, limit },
  )
  return rows
}

/**
 * Lists the users to whom a kind of notice is emailed: the tenant's active users who have one of the given permissions
 * and have not turned off this kind.
 */
export async function listNoticeRecipients(
  db: Db,
  { tenantId, permissions, kind }: { tenantId: string; permissions: readonly Permission[]; kind: string },
): Promise<Recipient[]> {
  const { rows } = await db.raw<{ rows: Recipient[] }>(
    `select id as "userId", email from users
     where tenant_id = :tenantId and status = 'active' and permissions && :permissions::text[]
       and :kind <> all (muted_notices) order by id`,
    { tenantId, permissions: [...permissions] as never, kind },
  )
  return rows
}

/** Lists the operator's active users, who belong to tenants with the role Owner. */
export async function listOwnerRecipients(db: Db): Promise<Recipient[]> {
  const { rows } = await db.raw<{ rows: Recipient[] }>(
    `select u.id as "userId", u.email from users u join tenants t on t.id = u.tenant_id where t.role = 'owner' and u.status = 'active' order by u.id`,
  )
  return rows
}
