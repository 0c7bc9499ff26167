import type { Db } from '../../db/db.ts'
import { GatewayError } from '../../faults/errors.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import type { KeyRing } from '../tokens/token.ts'
import { type IssuedTokens, issueTokens } from './issue-tokens.ts'
import {
  type ClientDevice,
  insertRefreshToken,
  lockRefreshToken,
  markRefreshTokenUsed,
  noteSessionUse,
  revokeFamily,
} from './session.sql.ts'
import { newRefreshToken, refreshTokenEnd, refreshTokenState } from './session.ts'

/**
 * Exchanges a refresh token for the session's next token. If a request arrives with a token that was used more than ten
 * seconds ago, the token may have been stolen, so the session is revoked. The comparison uses `arrivedAt`, because the
 * request may have waited for other requests from the same IP address (api/trpc.ts).
 */
export async function refreshSession(
  app: { db: Db; secrets: Secrets; clock: Clock; keyRing: () => Promise<KeyRing> },
  refreshToken: string,
  { client, arrivedAt }: { client: ClientDevice; arrivedAt: Date },
): Promise<IssuedTokens> {
  const at = app.clock()
  const tokenHash = app.secrets.hash(refreshToken)
  const next = newRefreshToken()

  // The transaction revokes the session. An error thrown inside it would roll the revocation back, so the error is
  // returned and thrown only after the commit.
  const outcome = await app.db.transaction(async tx => {
    const token = await lockRefreshToken(tx, tokenHash)
    if (!token) return invalid()
    const verdict = refreshTokenState(token, arrivedAt)
    if (verdict === 'reused') await revokeFamily(tx, token.familyId, at)
    if (verdict !== 'good') return invalid()
    if (token.user.tenantStatus === 'suspended') return fault('tenant_suspended')
    await markRefreshTokenUsed(tx, tokenHash, at)
    await noteSessionUse(tx, token.familyId, client, at)
    await insertRefreshToken(tx, {
      tokenHash: app.secrets.hash(next),
      familyId: token.familyId,
      userId: token.user.id,
      issuedAt: at,
      expiresAt: refreshTokenEnd(at),
    })
    return token
  })
  if (outcome instanceof GatewayError) throw outcome
  return issueTokens(app, outcome.user, { refreshToken: next, familyId: outcome.familyId }, at)
}

const invalid = () => fault('refresh_token_invalid')
