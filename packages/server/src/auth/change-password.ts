import type { App } from '../app.ts'
import { act } from '../audit/act.ts'
import { GatewayError, invalidJwt } from '../errors.ts'
import { findOwnLogin, replacePassword } from './password.sql.ts'
import { hashPassword, passwordHolds } from './password.ts'
import { usePasswordResets } from './password-reset.sql.ts'
import { revokeSessionsOfUser } from './session.sql.ts'

/**
 * Sets the password of whoever is logged in and knows the one before, and ends every other session of the user. An
 * access token, which may be stolen, is no leave to guess: a wrong password counts as a failed log-in does.
 */
export async function changePassword(
  app: Pick<App, 'db' | 'secrets' | 'clock' | 'loginLimit'>,
  { tenantId, userId, sessionId }: { tenantId: string; userId: string; sessionId?: string | undefined },
  { currentPassword, newPassword, source }: { currentPassword: string; newPassword: string; source: string },
): Promise<void> {
  const login = await findOwnLogin(app.db, tenantId, userId)
  // A token can outlive its user.
  if (!login) throw invalidJwt()
  const attempt = { address: app.secrets.hash(login.address).toString('base64url'), source }
  await app.loginLimit.check(attempt)
  if (!(await passwordHolds(login.passwordHash, currentPassword))) {
    await app.loginLimit.countFailure(attempt)
    throw wrong()
  }
  // As at log-in: the right one among guesses sent all at once does not pass this.
  await app.loginLimit.check(attempt)

  const at = app.clock()
  // Outside the transaction: it takes longer than all the rest.
  const passwordHash = await hashPassword(newPassword)
  await act(app, { tenantId, userId }, async tx => {
    if (!(await replacePassword(tx, userId, { proven: login.passwordHash, next: passwordHash })))
      throw wrong()
    // What was mailed to set a password would set another than the one that was chosen now.
    await usePasswordResets(tx, userId, at)
    await revokeSessionsOfUser(tx, userId, at, { except: sessionId })
    return {
      result: undefined,
      action: 'user.change_password',
      tenantId,
      subjectId: userId,
      before: null,
      after: null,
    }
  })
  await app.loginLimit.forget(attempt.address)
}

const wrong = () => new GatewayError('BAD_REQUEST', 'current_password: is wrong')
