import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Manager } from '../../tenants/tenant.ts'
import { getVisibleTenant } from '../../tenants/visible-tenant.ts'
import { newId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { hashNewPassword } from '../passwords/hash-new-password.ts'
import { enqueueInvitation } from '../team/invitation.sql.ts'
import { enqueueJoinedUser } from '../team/joined-user.sql.ts'
import { limitInvitations } from '../team/limit-invitations.ts'
import type { Permission } from './permission.ts'
import { insertUser, type TenantUser } from './user.sql.ts'
import { viewUser } from './user-view.ts'

/**
 * Creates a dashboard user. Without a password, the user receives an invitation by email. With a password, the user can
 * log in at once, so the team's other admins are informed by email. An email address belongs to at most one user across
 * all tenants, even if concurrent requests use the same address.
 */
export async function createUser(
  app: { db: Db; clock: Clock },
  caller: Manager,
  tenantId: string,
  {
    email,
    password,
    permissions = ['admin'],
  }: { email: string; password?: string | undefined; permissions?: readonly Permission[] },
): Promise<TenantUser> {
  const tenant = await getVisibleTenant(app, caller, tenantId)
  const tenantOfUser = { tenantId: tenant.id, partnerId: tenant.parentId }
  const passwordHash = password === undefined ? null : await hashNewPassword(password, tenantOfUser)
  return auditedTransaction(app, caller, async tx => {
    const user = await insertUser(tx, { id: newId(), tenantId: tenant.id, email, passwordHash, permissions })
    if (!user) throw fault('email_in_use', { email }, { field: 'email' })
    if (user.status === 'invited') {
      await limitInvitations(tx, caller, { tenantId: tenant.id, email })
      await enqueueInvitation(tx, user.id)
    } else await enqueueJoinedUser(tx, { tenantId: tenant.id, userId: user.id, at: app.clock() })
    return {
      result: user,
      action: user.status === 'invited' ? 'user.invite' : 'user.create',
      tenantId: tenant.id,
      subjectId: user.id,
      before: null,
      after: viewUser(user),
    }
  })
}
