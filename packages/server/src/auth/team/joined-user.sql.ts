import type { Db, Tx } from '../../db/db.ts'
import type { Permission } from '../users/permission.ts'

/**
 * When a user joins the team, enqueues one email job for each other active admin in the team, in the same transaction.
 * With separate jobs, a retry sends the email only to the admin who has not received it.
 */
export async function enqueueJoinedUser(
  tx: Tx,
  joined: { tenantId: string; userId: string; at: Date },
): Promise<void> {
  await tx.raw(
    `select enqueue('report_joined_user',
       array_agg(json_build_object('admin_id', u.id, 'user_id', :userId::text, 'at', :at::timestamptz)),
       array_agg('joined user ' || :userId::text || ' ' || u.id::text))
     from users u
     where u.tenant_id = :tenantId and u.id <> :userId and u.status = 'active' and 'admin' = any(u.permissions)
     having count(*) > 0`,
    joined,
  )
}

export type JoinedUser = { to: string; email: string; permissions: Permission[] }

/**
 * Returns the user who joined the team, and the email address of the admin `adminId`, to whom an email about
 * this user is sent. Returns undefined if the admin or the user is no longer in the team.
 */
export async function findJoinedUser(
  db: Db,
  ids: { adminId: string; userId: string },
): Promise<JoinedUser | undefined> {
  const { rows } = await db.raw<{ rows: JoinedUser[] }>(
    `select admin.email as "to", joined.email, joined.permissions
     from users admin join users joined on joined.tenant_id = admin.tenant_id
     where admin.id = :adminId and admin.status = 'active' and joined.id = :userId and joined.status <> 'removed'`,
    ids,
  )
  return rows[0]
}
