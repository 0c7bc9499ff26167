import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { newDeviceToken } from '../log-in/device-token.ts'
import { hashNewPassword } from '../passwords/hash-new-password.ts'
import { findInvitation, useInvitation } from './invitation.sql.ts'
import { enqueueJoinedUser } from './joined-user.sql.ts'

/**
 * Sets an invited user's first password, and emails the team's other admins. Each invitation works once. Returns a
 * device token, so that the first login is not reported as coming from a new device.
 */
export async function acceptInvitation(
  app: { db: Db; secrets: Secrets; clock: Clock },
  { token, newPassword }: { token: string; newPassword: string },
): Promise<string> {
  const at = app.clock()
  const tokenHash = app.secrets.hash(token)
  const invitation = await findInvitation(app.db, tokenHash, at)
  if (!invitation) throw invalid()
  const { userId, tenantId, email, permissions } = invitation
  // Hash the password before the transaction starts, because hashing is slow.
  const passwordHash = await hashNewPassword(newPassword, invitation)
  await auditedTransaction(app, { tenantId, userId }, async tx => {
    if (!(await useInvitation(tx, { tokenHash, userId, passwordHash, at }))) throw invalid()
    await enqueueJoinedUser(tx, { tenantId, userId, at })
    return {
      result: undefined,
      action: 'user.accept_invitation',
      tenantId,
      subjectId: userId,
      before: null,
      after: { email, permissions },
    }
  })
  return newDeviceToken(app.secrets, { id: userId, passwordHash }, { id: newId(), isProven: false }, at)
}

const invalid = () => fault('invitation_invalid', {}, { field: 'token' })
