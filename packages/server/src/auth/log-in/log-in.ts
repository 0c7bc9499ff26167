import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { findUserByEmail } from '../auth.sql.ts'
import { checkPassword } from '../passwords/check-password.ts'
import type { KeyRing } from '../tokens/token.ts'
import { newDeviceToken, verifyDeviceToken } from './device-token.ts'
import { type IssuedTokens, issueTokens } from './issue-tokens.ts'
import { insertFirstRefreshToken } from './session.sql.ts'
import { newRefreshToken, refreshTokenEnd } from './session.ts'

type Given = {
  email: string
  password: string
  source: string
  /** The device token that an earlier log-in left on this device. */
  device?: string | undefined
}

/** Logs a user in. A wrong password and an unknown address lead to the same error message after the same time. */
export async function logIn(
  app: { db: Db; secrets: Secrets; clock: Clock; keyRing: () => Promise<KeyRing> },
  { email, password, source, device }: Given,
): Promise<IssuedTokens & { device: string }> {
  const { address, user } = await findUserByEmail(app.db, email)
  const deviceId = verifyDeviceToken(app.secrets, user, device, app.clock())
  const known = deviceId && `device ${deviceId}`
  const holds = await checkPassword(app, {
    address,
    passwordHash: user?.passwordHash,
    password,
    source,
    known,
  })
  if (!holds || !user) throw loginFailed()
  if (user.tenantStatus === 'suspended') throw fault('tenant_suspended')

  const at = app.clock()
  const refreshToken = newRefreshToken()
  const token = {
    tokenHash: app.secrets.hash(refreshToken),
    familyId: newId(),
    userId: user.id,
    issuedAt: at,
    expiresAt: refreshTokenEnd(at),
  }
  if (!(await insertFirstRefreshToken(app.db, token, user.passwordHash))) throw loginFailed()
  const login = await issueTokens(app, user, { refreshToken, familyId: token.familyId }, at)
  return { ...login, device: newDeviceToken(app.secrets, user, deviceId ?? newId(), at) }
}

const loginFailed = () => fault('login_failed')
