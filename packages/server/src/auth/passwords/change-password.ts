import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { newDeviceToken } from '../log-in/device-token.ts'
import { type ClientDevice, revokeSessionsOfUser } from '../log-in/session.sql.ts'
import { enqueueSecurityChange } from '../users/security-change.sql.ts'
import { checkPassword } from './check-password.ts'
import { findOwnLogin, replacePassword } from './password.sql.ts'
import { hashPassword } from './password-hash.ts'
import { usePasswordResets } from './password-reset.sql.ts'

/**
 * Changes the password of a logged-in user who knows the current password. Ends the user's other sessions and
 * returns a new device token.
 *
 * Attempts after wrong passwords are delayed like login attempts, because the caller may be using a stolen access
 * token. Wrong passwords are counted per session, so that other devices cannot delay this call.
 */
export async function changePassword(
  app: { db: Db; secrets: Secrets; clock: Clock },
  { tenantId, userId, sessionId }: { tenantId: string; userId: string; sessionId: string },
  {
    currentPassword,
    newPassword,
    source,
    client,
  }: { currentPassword: string; newPassword: string; source: string; client: ClientDevice },
): Promise<string> {
  const login = await findOwnLogin(app.db, tenantId, userId)
  // The user may have been deleted after the access token was signed.
  if (!login) throw fault('access_token_invalid')
  const { address, passwordHash: proven } = login
  const known = `session ${sessionId}`
  if (
    !(await checkPassword(app, { address, passwordHash: proven, password: currentPassword, source, known }))
  )
    throw wrong()

  const at = app.clock()
  // Hash the password before the transaction starts, because hashing is slow.
  const passwordHash = await hashPassword(newPassword)
  await auditedTransaction(app, { tenantId, userId }, async tx => {
    if (!(await replacePassword(tx, userId, { proven, next: passwordHash }))) throw wrong()
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

const wrong = () => fault('password_wrong', {}, { field: 'current_password' })
