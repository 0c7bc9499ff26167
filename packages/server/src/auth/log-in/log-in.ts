import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { findLogin } from '../auth.sql.ts'
import { checkPassword } from '../passwords/check-password.ts'
import type { KeyRing } from '../tokens/token.ts'
import { deviceToken, knownDevice } from './device-token.ts'
import { issueLogin, type Login } from './issue-tokens.ts'
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
): Promise<Login & { device: string }> {
  const { address, user } = await findLogin(app.db, email)
  const deviceId = knownDevice(app.secrets, user, device, app.clock())
  const known = deviceId && `device ${deviceId}`
  const holds = await checkPassword(app, {
    address,
    passwordHash: user?.passwordHash,
    password,
    source,
    known,
  })
  if (!holds || !user) throw wrong()
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
  if (!(await insertFirstRefreshToken(app.db, token, user.passwordHash))) throw wrong()
  const login = await issueLogin(app, user, { refreshToken, familyId: token.familyId }, at)
  return { ...login, device: deviceToken(app.secrets, user, deviceId ?? newId(), at) }
}

const wrong = () => fault('login_failed')
