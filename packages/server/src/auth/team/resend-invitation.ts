import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Manager } from '../../tenants/tenant.ts'
import { lockUserRow, type TenantUser } from '../users/user.sql.ts'
import { getTeamMember } from './get-team-member.ts'
import { enqueueInvitation } from './invitation.sql.ts'
import { limitInvitations } from './limit-invitations.ts'

/**
 * Emails a new invitation to a user who has not accepted one. The link in the earlier email stops working. Throws an
 * error if the address has received too many invitations. Also throws an error if the caller's tenant, or its Partner
 * and all the Partner's Clients together, have sent too many invitations.
 */
export async function resendInvitation(
  app: { db: Db },
  caller: Manager,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<TenantUser> {
  const user = await getTeamMember(app, caller, { tenantId, id })
  if (user.status !== 'invited') throw fault('user_not_invited', { id })
  return auditedTransaction(app, caller, async tx => {
    await lockUserRow(tx, user.id)
    await limitInvitations(tx, caller, { tenantId, email: user.email })
    await enqueueInvitation(tx, user.id)
    return {
      result: user,
      action: 'user.resend_invitation',
      tenantId,
      subjectId: user.id,
      before: null,
      after: { email: user.email },
    }
  })
}
