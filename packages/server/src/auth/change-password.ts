import type { App } from '../app.ts'
import { act } from '../audit/act.ts'
import { GatewayError, invalidJwt } from '../errors.ts'
import { newId } from '../id.ts'
import { checkPassword } from './check-password.ts'
import { deviceToken } from './device.ts'
import { findOwnLogin, replacePassword } from './password.sql.ts'
import { hashPassword } from './password.ts'
import { usePasswordResets } from './password-reset.sql.ts'
import { revokeSessionsOfUser } from './session.sql.ts'

/**
 * Sets the password of a user who is logged in and knows the current one, and ends every other session of the user. An
 * access token may be stolen, so wrong passwords are counted like failed log-ins: for its session, which failed log-ins
 * elsewhere do not delay. Resolves to the token that this device is known by from now on.
 */
export async function changePassword(
  app: Pick<App, 'db' | 'secrets' | 'clock'>,
  { tenantId, userId, sessionId }: { tenantId: string; userId: string; sessionId?: string | undefined },
  { currentPassword, newPassword, source }: { currentPassword: string; newPassword: string; source: string },
): Promise<string> {
  const login = await findOwnLogin(app.db, tenantId, userId)
  // A token can outlive its user.
  if (!login) throw invalidJwt()
  const { address, passwordHash: proven } = login
  const known = sessionId && `session ${sessionId}`
  if (
    !(await checkPassword(app, { address, passwordHash: proven, password: currentPassword, source, known }))
  )
    throw wrong()

  const at = app.clock()
  // Outside the transaction: it takes longer than all the rest.
  const passwordHash = await hashPassword(newPassword)
  await act(app, { tenantId, userId }, async tx => {
    if (!(await replacePassword(tx, userId, { proven, next: passwordHash }))) throw wrong()
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
  return deviceToken(app.secrets, { id: userId, passwordHash }, newId(), at)
}

const wrong = () => new GatewayError('BAD_REQUEST', 'current_password: is wrong')
