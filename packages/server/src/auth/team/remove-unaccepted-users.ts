import { insertAudit } from '../../audit/audit.sql.ts'
import type { Db } from '../../db/db.ts'
import { viewUser } from '../users/user-view.ts'
import { removeInvitedUsers } from './team.sql.ts'

/**
 * Removes up to `limit` users who were invited before the given time and have not accepted, so that other tenants can
 * invite their email addresses. A user with a stored invitation is not removed, even if the invitation has expired.
 * Returns whether there may be more users to remove.
 */
export function removeUnacceptedUsers(db: Db, invitedBefore: Date, limit: number): Promise<boolean> {
  return db.transaction(async tx => {
    const users = await removeInvitedUsers(tx, invitedBefore, limit)
    for (const user of users)
      await insertAudit(tx, {
        ...{ action: 'user.remove', tenantId: user.tenantId, subjectId: user.id },
        ...{ before: viewUser({ ...user, status: 'invited' }), after: viewUser(user) },
        ...{ actorTenantId: null, actorUserId: null, requestId: null },
      })
    return users.length === limit
  })
}
