import type { Tx } from '../../db/db.ts'
import type { Permission } from '../users/permission.ts'
import { type TenantUser, userColumns } from '../users/user.sql.ts'

/** Locks a user's row. Returns undefined if the user belongs to another tenant or has been removed. */
export async function lockUser(tx: Tx, tenantId: string, id: string): Promise<TenantUser | undefined> {
  const { rows } = await tx.raw<{ rows: TenantUser[] }>(
    `select ${userColumns} from users where tenant_id = ? and id = ? and status <> 'removed' for no key update`,
    [tenantId, id],
  )
  return rows[0]
}

/** Changes the given fields of a user. Setting the status `removed` also deletes the user's password hash. */
export async function updateUserFields(
  tx: Tx,
  { id, permissions, status }: TenantUser,
  changes: { permissions?: readonly Permission[] | undefined; status?: TenantUser['status'] | undefined },
): Promise<TenantUser> {
  const { rows } = await tx.raw<{ rows: TenantUser[] }>(
    `update users set permissions = :permissions, status = :status, updated_at = now(),
       password_hash = case when :status = 'removed' then null else password_hash end
     where id = :id returning ${userColumns}`,
    { id, permissions: changes.permissions ?? permissions, status: changes.status ?? status },
  )
  return rows[0] as TenantUser
}

/**
 * Removes up to `limit` invited users who were created before the given time and have no stored invitation. Skips rows
 * that other transactions have locked.
 */
export async function removeInvitedUsers(
  tx: Tx,
  before: Date,
  limit: number,
): Promise<(TenantUser & { tenantId: string })[]> {
  const { rows } = await tx.raw<{ rows: (TenantUser & { tenantId: string })[] }>(
    `update users set status = 'removed', updated_at = now() where id in (
       select id from users u
       where status = 'invited' and created_at < :before and not exists (select from invitations where user_id = u.id)
       limit :limit for update of u skip locked)
     returning ${userColumns}, tenant_id as "tenantId"`,
    { before, limit },
  )
  return rows
}
