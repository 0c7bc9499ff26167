import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { newDeviceToken } from '../log-in/device-token.ts'
import { type ClientDevice, revokeSessionsOfUser } from '../log-in/session.sql.ts'
import { enqueueSecurityChange } from '../users/security-change.sql.ts'
import { checkCurrentPassword, currentPasswordWrong } from './check-current-password.ts'
import { hashNewPassword } from './hash-new-password.ts'
import { replacePassword } from './password.sql.ts'
import { usePasswordResets } from './password-reset.sql.ts'

/**
 * Changes the password of a logged-in user who knows the current password. Ends the user's other sessions and
 * returns a new device token.
 */
export async function changePassword(
  app: { db: Db; secrets: Secrets; clock: Clock },
  owner: { tenantId: string; partnerId: string | null; userId: string; sessionId: string },
  {
    currentPassword,
    newPassword,
    source,
    client,
  }: { currentPassword: string; newPassword: string; source: string; client: ClientDevice },
): Promise<string> {
  const { tenantId, userId, sessionId } = owner
  const proven = await checkCurrentPassword(app, owner, { currentPassword, source })
  const at = app.clock()
  // Hash the password before the transaction starts, because hashing is slow.
  const passwordHash = await hashNewPassword(newPassword, owner)
  await auditedTransaction(app, { tenantId, userId }, async tx => {
    if (!(await replacePassword(tx, userId, { proven, next: passwordHash }))) throw currentPasswordWrong()
    // Invalidates password reset links emailed earlier, so that they cannot overwrite the new password.
    await usePasswordResets(tx, userId, at)
    await revokeSessionsOfUser(tx, userId, at, { except: sessionId })
    await enqueueSecurityChange(tx, { userId, change: 'password_changed', at, client })
    return {
      result: undefined,
      action: 'user.change_password',
      tenantId,
      subjectId: userId,
      before: null,
      after: null,
    }
  })
  return newDeviceToken(app.secrets, { id: userId, passwordHash }, { id: newId(), isProven: false }, at)
}
