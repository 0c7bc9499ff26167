import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { newDeviceToken } from '../log-in/device-token.ts'
import { loginAttemptOf } from '../log-in/login-attempt.ts'
import { forgetSharedFailures } from '../log-in/login-throttle.sql.ts'
import { type ClientDevice, revokeSessionsOfUser } from '../log-in/session.sql.ts'
import { enqueueSecurityChange } from '../users/security-change.sql.ts'
import { hashNewPassword } from './hash-new-password.ts'
import { findPasswordReset, setPassword, usePasswordReset } from './password-reset.sql.ts'

/**
 * Sets a new password with a single-use reset token, and ends all of the user's sessions. Returns a device token, with
 * which the user can log in without delay while an attacker guesses passwords. The device token does not allow more
 * attempts at second-factor codes.
 */
export async function confirmPasswordReset(
  app: { db: Db; secrets: Secrets; clock: Clock },
  {
    token,
    newPassword,
    source,
    client,
  }: { token: string; newPassword: string; source: string; client: ClientDevice },
): Promise<string> {
  const at = app.clock()
  const tokenHash = app.secrets.hash(token)
  const user = await findPasswordReset(app.db, tokenHash, at)
  if (!user) throw badToken()
  // Hash the password before the transaction starts, because hashing is slow.
  const passwordHash = await hashNewPassword(newPassword, user)
  await auditedTransaction(app, { tenantId: user.tenantId, userId: user.id }, async tx => {
    if (!(await usePasswordReset(tx, tokenHash, user.id, at))) throw badToken()
    await setPassword(tx, user.id, passwordHash)
    await revokeSessionsOfUser(tx, user.id, at)
    await enqueueSecurityChange(tx, { userId: user.id, change: 'password_reset', at, client })
    return {
      result: undefined,
      action: 'user.reset_password',
      tenantId: user.tenantId,
      subjectId: user.id,
      before: null,
      after: null,
    }
  })
  // Delete the counts of failed logins, so that they do not delay the user's next login. A user who forgot the password
  // has probably failed to log in several times.
  await forgetSharedFailures(app.db, loginAttemptOf(app.secrets, { address: user.address, source }))
  return newDeviceToken(app.secrets, { id: user.id, passwordHash }, { id: newId(), isProven: false }, at)
}

const badToken = () => fault('reset_token_invalid', {}, { field: 'token' })
