import type { App } from '../app.ts'
import { act } from '../audit/act.ts'
import { GatewayError } from '../errors.ts'
import { newId } from '../id.ts'
import { deviceToken } from './device.ts'
import { attemptOf } from './login-attempt.ts'
import { forgetSharedFailures } from './login-throttle.sql.ts'
import { hashPassword } from './password.ts'
import { findPasswordReset, setPassword, usePasswordReset } from './password-reset.sql.ts'
import { revokeSessionsOfUser } from './session.sql.ts'

/**
 * Sets the password and ends every session of the user, once for a token. Resolves to the token that this device is known
 * by: whoever has the mailbox logs in next, however many guesses arrive meanwhile.
 */
export async function confirmPasswordReset(
  app: Pick<App, 'db' | 'secrets' | 'clock'>,
  { token, newPassword, source }: { token: string; newPassword: string; source: string },
): Promise<string> {
  const at = app.clock()
  const tokenHash = app.secrets.hash(token)
  const user = await findPasswordReset(app.db, tokenHash, at)
  if (!user) throw badToken()
  // Outside the transaction: it takes longer than all the rest.
  const passwordHash = await hashPassword(newPassword)
  await act(app, { tenantId: user.tenantId, userId: user.id }, async tx => {
    if (!(await usePasswordReset(tx, tokenHash, user.id, at))) throw badToken()
    await setPassword(tx, user.id, passwordHash)
    await revokeSessionsOfUser(tx, user.id, at)
    return {
      result: undefined,
      action: 'user.reset_password',
      tenantId: user.tenantId,
      subjectId: user.id,
      before: null,
      after: null,
    }
  })
  // Whoever forgot the password has used up the guesses.
  await forgetSharedFailures(app.db, attemptOf(app.secrets, { address: user.address, source }))
  return deviceToken(app.secrets, { id: user.id, passwordHash }, newId(), at)
}

const badToken = () =>
  new GatewayError(
    'BAD_REQUEST',
    'token: is not valid; it was used, has expired or never was. Request another',
  )
