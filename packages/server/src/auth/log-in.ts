import type { App } from '../app.ts'
import { GatewayError } from '../errors.ts'
import { newId } from '../id.ts'
import { findLogin } from './auth.sql.ts'
import { issueLogin, type Login } from './issue-login.ts'
import { passwordHolds } from './password.ts'
import { insertFirstRefreshToken } from './session.sql.ts'
import { newRefreshToken, refreshTokenEnd } from './session.ts'

/** Tells a wrong password and an unknown address apart neither in words nor in time. */
export async function logIn(
  app: Pick<App, 'db' | 'secrets' | 'clock' | 'keyRing' | 'loginLimit'>,
  { email, password, source }: { email: string; password: string; source: string },
): Promise<Login> {
  const { address, user } = await findLogin(app.db, email)
  const attempt = { address: app.secrets.hash(address).toString('base64url'), source }
  await app.loginLimit.check(attempt)
  if (!(await passwordHolds(user?.passwordHash, password)) || !user) {
    await app.loginLimit.countFailure(attempt)
    throw wrong()
  }
  // Guesses sent all at once passed the first look together; the right one among them does not pass this one.
  await app.loginLimit.check(attempt)
  if (user.tenantStatus === 'suspended') throw new GatewayError('FORBIDDEN', 'this tenant is suspended')

  const at = app.clock()
  const refreshToken = newRefreshToken()
  const token = {
    tokenHash: app.secrets.hash(refreshToken),
    familyId: newId(),
    userId: user.id,
    issuedAt: at,
    expiresAt: refreshTokenEnd(at),
  }
  if (!(await insertFirstRefreshToken(app.db, token, user.passwordHash))) throw wrong()
  await app.loginLimit.forget(attempt.address)
  return issueLogin(app, user, { refreshToken, familyId: token.familyId }, at)
}

const wrong = () => new GatewayError('UNAUTHORIZED', 'e-mail address or password is wrong')
