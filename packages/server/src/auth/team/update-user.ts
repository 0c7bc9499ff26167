import { auditedTransaction } from '../../audit/audited-transaction.ts'
import { constraintOf } from '../../db/database-errors.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import { lockTenant } from '../../tenants/tenant.sql.ts'
import type { Manager } from '../../tenants/tenant.ts'
import { getVisibleTenant } from '../../tenants/visible-tenant.ts'
import { isId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { revokeSessionsOfUser } from '../log-in/session.sql.ts'
import { usePasswordResets } from '../passwords/password-reset.sql.ts'
import type { Permission } from '../users/permission.ts'
import type { TenantUser } from '../users/user.sql.ts'
import { viewUser } from '../users/user-view.ts'
import { userNotFound } from './get-team-member.ts'
import { lockUser, updateUserFields } from './team.sql.ts'

export type UserChanges = {
  permissions?: readonly Permission[] | undefined
  status?: 'active' | 'disabled' | 'removed' | undefined
}

/**
 * Changes a user's permissions or status. If the user is disabled or removed, the user's sessions end. The database
 * rejects a change that would leave the tenant without an active admin (migrations/0053_teams_and_sessions.sql).
 */
export async function updateUser(
  app: { db: Db; clock: Clock },
  caller: Manager,
  { tenantId, id }: { tenantId: string; id: string },
  changes: UserChanges,
): Promise<TenantUser> {
  const tenant = await getVisibleTenant(app, caller, tenantId)
  return auditedTransaction(app, caller, async tx => {
    // Lock the tenant before the user. The trigger that checks the remaining admins also locks the tenant, so
    // the opposite order could deadlock with a concurrent update.
    await lockTenant(tx, tenant.id)
    const before = isId(id) ? await lockUser(tx, tenant.id, id) : undefined
    if (!before) throw userNotFound(id)
    if (before.status === 'invited' && changes.status && changes.status !== 'removed')
      throw fault('user_not_active', {}, { field: 'status' })
    const user = await updateUserFields(tx, before, changes).catch(error => {
      if (constraintOf(error) === 'users_keep_an_admin') throw fault('last_admin')
      throw error
    })
    if (user.status !== 'active' && user.status !== 'invited') {
      await revokeSessionsOfUser(tx, user.id, app.clock())
      await usePasswordResets(tx, user.id, app.clock())
    }
    return {
      result: user,
      action: user.status === 'removed' ? 'user.remove' : 'user.update',
      tenantId: tenant.id,
      subjectId: user.id,
      before: viewUser(before),
      after: viewUser(user),
    }
  })
}
