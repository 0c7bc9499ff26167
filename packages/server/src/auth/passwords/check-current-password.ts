import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { checkPassword } from './check-password.ts'
import { findOwnLogin } from './password.sql.ts'

/**
 * Checks the current password of a logged-in user, because the caller may be using a stolen access token. Returns the
 * password's hash.
 *
 * Wrong passwords delay further checks, as at a login. Failures are counted per session, so that another device cannot
 * cause delays in this session.
 */
export async function checkCurrentPassword(
  app: { db: Db; secrets: Secrets; clock: Clock },
  { tenantId, userId, sessionId }: { tenantId: string; userId: string; sessionId: string },
  { currentPassword, source }: { currentPassword: string; source: string },
): Promise<string> {
  const login = await findOwnLogin(app.db, tenantId, userId)
  // The user may have been deleted after the access token was signed.
  if (!login) throw fault('access_token_invalid')
  const { address, passwordHash } = login
  const known = `session ${sessionId}`
  if (!(await checkPassword(app, { address, passwordHash, password: currentPassword, source, known })))
    throw currentPasswordWrong()
  return passwordHash
}

export const currentPasswordWrong = () => fault('password_wrong', {}, { field: 'current_password' })
