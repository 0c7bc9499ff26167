import type { Db } from '../../db/db.ts'
import { invitationMail } from '../../mail/account-mails.ts'
import type { SendMail } from '../../mail/send-mail.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { findInvitedUser, replaceInvitation } from './invitation.sql.ts'
import { INVITATION_DAYS, invitationEnd, newInvitationToken } from './invitation.ts'

/**
 * Handles the job that emails an invitation. The job creates the token, so that the job queue never contains it. A
 * retry uses a new token.
 */
export async function sendInvitation(
  app: { db: Db; secrets: Secrets; clock: Clock; publicUrl: string; sendMail: SendMail },
  userId: string,
): Promise<void> {
  const user = await findInvitedUser(app.db, userId)
  if (!user) return
  const token = newInvitationToken()
  const expiresAt = invitationEnd(app.clock())
  await replaceInvitation(app.db, { tokenHash: app.secrets.hash(token), userId, expiresAt })
  const { email: to, tenantName } = user
  await app.sendMail(
    invitationMail({ to, tenantName, token, publicUrl: app.publicUrl, days: INVITATION_DAYS }),
  )
}
