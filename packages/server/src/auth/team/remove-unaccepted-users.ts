import { insertAudit } from '../../audit/audit.sql.ts'
import type { Db } from '../../db/db.ts'
import { viewUser } from '../users/user-view.ts'
import { removeInvitedUsers } from './team.sql.ts'

/**
 * Removes up to `limit` users who were invited before the given time and have not accepted. Users with a stored
 * invitation stay, even if it has expired. Their email addresses can then be invited by another tenant. Returns whether
 * there may be more such users.
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
