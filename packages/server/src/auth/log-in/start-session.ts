import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import type { User } from '../auth.sql.ts'
import type { KeyRing } from '../tokens/token.ts'
import { newDeviceToken } from './device-token.ts'
import { type IssuedTokens, issueTokens } from './issue-tokens.ts'
import { type ClientDevice, openSession } from './session.sql.ts'
import { newRefreshToken, refreshTokenEnd } from './session.ts'

/**
 * Opens a session after all login steps are complete. `provenAt` is when the user confirmed a second factor, if
 * any. Returns undefined if the password was changed, or a second factor was added, during the login.
 */
export async function startSession(
  app: { db: Db; secrets: Secrets; clock: Clock; keyRing: () => Promise<KeyRing> },
  user: User,
  opening: { deviceId: string | undefined; client: ClientDevice; provenAt: Date | null },
): Promise<(IssuedTokens & { device: string }) | undefined> {
  const { deviceId, client, provenAt } = opening
  const at = app.clock()
  const refreshToken = newRefreshToken()
  const token = {
    tokenHash: app.secrets.hash(refreshToken),
    familyId: newId(),
    userId: user.id,
    issuedAt: at,
    expiresAt: refreshTokenEnd(at),
  }
  const { passwordHash } = user
  const isKnownDevice = deviceId !== undefined
  if (!(await openSession(app.db, token, { passwordHash, client, isKnownDevice, provenAt }))) return undefined
  const login = await issueTokens(app, user, { refreshToken, familyId: token.familyId }, at)
  const device = { id: deviceId ?? newId(), isProven: provenAt !== null }
  return { ...login, device: newDeviceToken(app.secrets, user, device, at) }
}
