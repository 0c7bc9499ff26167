import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { findUserByEmail } from '../auth.sql.ts'
import { checkPassword } from '../passwords/check-password.ts'
import { secondFactorNeeded } from '../second-factor/start-challenge.ts'
import type { KeyRing } from '../tokens/token.ts'
import { verifyDeviceTokens } from './device-token.ts'
import type { IssuedTokens } from './issue-tokens.ts'
import type { ClientDevice } from './session.sql.ts'
import { startSession } from './start-session.ts'

type Given = {
  email: string
  password: string
  source: string
  /**
   * The device tokens that the client received at earlier logins (device-token.ts). A token of this user proves that the
   * user has logged in from this device before.
   */
  deviceTokens?: readonly string[] | undefined
  client: ClientDevice
}

/**
 * Logs a user in. A user with a second factor receives a challenge instead of a session
 * (second-factor/complete-login.ts). If the login fails, neither the error message nor the response time reveals
 * whether the email address or the password was wrong.
 */
export async function logIn(
  app: { db: Db; secrets: Secrets; clock: Clock; keyRing: () => Promise<KeyRing> },
  { email, password, source, deviceTokens = [], client }: Given,
): Promise<IssuedTokens & { device: string }> {
  const { address, user } = await findUserByEmail(app.db, email)
  const deviceId = verifyDeviceTokens(app.secrets, user, deviceTokens, app.clock())?.id
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

  if (user.hasSecondFactor) throw await secondFactorNeeded(app, user)
  const session = await startSession(app, user, { deviceId, client, provenAt: null })
  if (session) return session
  // The user may have added the first second factor during this login.
  const { user: current } = await findUserByEmail(app.db, email)
  if (current?.hasSecondFactor) throw await secondFactorNeeded(app, user)
  throw loginFailed()
}

const loginFailed = () => fault('login_failed')
