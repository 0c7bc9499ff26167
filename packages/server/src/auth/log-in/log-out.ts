import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { lockRefreshToken, revokeFamily } from './session.sql.ts'

/**
 * Ends the session of a refresh token, even if the token has expired or was already used. If the token is unknown, the
 * call does nothing.
 */
export async function logOut(
  app: { db: Db; secrets: Secrets; clock: Clock },
  refreshToken: string,
): Promise<void> {
  await app.db.transaction(async tx => {
    const token = await lockRefreshToken(tx, app.secrets.hash(refreshToken))
    if (token) await revokeFamily(tx, token.familyId, app.clock())
  })
}
