import { randomBytes } from 'node:crypto'
import type { App } from '../app.ts'
import { GatewayError } from '../errors.ts'
import { newId } from '../id.ts'
import { findUserByEmail, insertRefreshToken } from './auth.sql.ts'
import { passwordHolds } from './password.ts'
import { ACCESS_TOKEN_SECONDS, signAccessToken } from './token.ts'

const REFRESH_TOKEN_DAYS = 30

export type Login = { accessToken: string; refreshToken: string; expiresIn: number }

/** Tells a wrong password and an unknown address apart neither in words nor in time. */
export async function logIn(
  app: Pick<App, 'db' | 'secrets' | 'clock' | 'keyRing'>,
  email: string,
  password: string,
): Promise<Login> {
  const user = await findUserByEmail(app.db, email)
  if (!(await passwordHolds(user?.passwordHash, password)) || !user) {
    throw new GatewayError('UNAUTHORIZED', 'e-mail address or password is wrong')
  }
  if (user.tenantStatus === 'suspended') throw new GatewayError('FORBIDDEN', 'this tenant is suspended')
  const now = app.clock()
  const refreshToken = `gp_refresh_${randomBytes(32).toString('base64url')}`
  await insertRefreshToken(app.db, {
    tokenHash: app.secrets.hash(refreshToken),
    familyId: newId(),
    userId: user.id,
    expiresAt: new Date(now.getTime() + REFRESH_TOKEN_DAYS * 86_400_000),
  })
  const claims = { sub: user.tenantId, role: user.role, tier: user.tier, user_id: user.id }
  return {
    accessToken: await signAccessToken(await app.keyRing(), claims, now),
    refreshToken,
    expiresIn: ACCESS_TOKEN_SECONDS,
  }
}
